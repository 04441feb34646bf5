package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.WatermarkBook;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.standalone.ConnectRestException;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.UpperBound;
import io.lakexpress.watermark.WatermarkColumn;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The main job on the whole stack: table to topic to Parquet, again and again. */
@ExtendWith(StackExtension.class)
final class IncrementalSyncIT {
  private final TestingStack stack;

  IncrementalSyncIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void firstAndSecondSyncOfASchemaWithFourTables() {
    try (TestingSync sync = stack.sync("four")) {
      sync.sql(
              """
              CREATE TABLE orders (id int PRIMARY KEY, day date NOT NULL, amount numeric(12,2));
              CREATE TABLE events (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), v text);
              CREATE TABLE "Order Lines" ("Line No" int PRIMARY KEY, "Updated At" timestamp NOT NULL DEFAULT (now() AT TIME ZONE 'UTC'));
              CREATE TABLE ref (code text, name text);
              INSERT INTO orders SELECT g, current_date - 3, g / 3.0 FROM generate_series(1, 500) g;
              INSERT INTO events(v) SELECT 'e' || g FROM generate_series(1, 700) g;
              INSERT INTO "Order Lines" SELECT g FROM generate_series(1, 300) g;
              INSERT INTO ref VALUES ('a', 'A'), ('b', 'B');
              """)
          .source(
              "incremental.tables",
              "public.orders:day:date,public.events:at:timestamp,public.\"Order Lines\":\"Updated At\":datetime")
          .start();

      Run first = sync.run();

      assertThat(sync.lakeRows("orders")).isEqualTo(500);
      assertThat(sync.lakeRows("events")).isEqualTo(700);
      assertThat(sync.lakeRows("Order Lines")).isEqualTo(300);
      assertThat(sync.lakeRows("ref")).isEqualTo(2);
      assertThat(sync.lake("orders", "SELECT sum(amount) FROM lake"))
          .isEqualTo(sync.database("SELECT sum(amount) FROM orders"));
      assertThat(sync.job(first, "orders").mode()).isEqualTo(JobMode.FIRST_SYNC);
      assertOneInstant(sync, first);

      sync.sql(
          """
          INSERT INTO orders VALUES (501, current_date, 1.5), (502, current_date, 2.5);
          INSERT INTO events(v) VALUES ('late one'), ('late two'), ('late three');
          INSERT INTO "Order Lines" VALUES (301);
          """);
      Run second = sync.run();

      // The first bound was today and included it: what is dated today and comes later is too late.
      assertThat(sync.job(second, "orders").rows()).isZero();
      assertThat(sync.job(second, "events").rows()).isEqualTo(3);
      assertThat(sync.job(second, "Order Lines").rows()).isEqualTo(1);
      assertThat(sync.job(second, "events").mode()).isEqualTo(JobMode.INCREMENTAL);
      assertThat(sync.lakeRows("orders")).isEqualTo(500);
      assertThat(sync.lakeRows("events")).isEqualTo(703);
      assertThat(sync.lakeRows("Order Lines")).isEqualTo(301);
      assertThat(sync.lake("events", "SELECT count(DISTINCT id) FROM lake")).isEqualTo("703");
      assertThat(sync.lakeRows("ref")).isEqualTo(2);
      assertThat(sync.topic("events")).hasSize(703);
      assertOneInstant(sync, second);
      assertThat(sync.job(second, "events").lower()).isEqualTo(sync.job(first, "events").upper());
    }
  }

  /** Every bound is the run's one instant in the column's own form. */
  private static void assertOneInstant(TestingSync sync, Run run) {
    assertBound(sync.job(run, "orders"), run, ColumnKind.DATE, 0);
    assertBound(sync.job(run, "events"), run, ColumnKind.INSTANT, 6);
    assertBound(sync.job(run, "Order Lines"), run, ColumnKind.LOCAL_TIME, 6);
  }

  private static void assertBound(Job job, Run run, ColumnKind kind, int digits) {
    assertThat(job.upper())
        .contains(
            UpperBound.of(
                    run.upperBound(),
                    new WatermarkColumn("any", kind, digits),
                    Direction.INCLUSIVE,
                    ZoneOffset.UTC)
                .text());
  }

  @Test
  void anEmptyWindowAdvancesOffsetMirrorAndHistory() {
    try (TestingSync sync = stack.sync("empty")) {
      sync.sql(
              """
              CREATE TABLE ev (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
              INSERT INTO ev SELECT g FROM generate_series(1, 10) g;
              """)
          .source("incremental.tables", "public.ev:at:timestamp")
          .start();
      Run first = sync.run();
      Run second = sync.run();

      Job job = sync.job(second, "ev");
      assertThat(job.rows()).isZero();
      String bound = job.upper().orElseThrow();
      assertThat(bound).isGreaterThan(sync.job(first, "ev").upper().orElseThrow());
      assertThat(sync.offset("ev").path("last_exported_value").asText()).isEqualTo(bound);
      assertThat(sync.offset("ev").path("run_id").asText()).isEqualTo(second.runId());
      TableId table = new TableId("public", "ev");
      WatermarkBook.Watermark watermark =
          sync.db().watermarks().watermark(sync.id(), table).orElseThrow();
      assertThat(watermark.exported()).contains(bound);
      assertThat(watermark.landed()).contains(bound);
      List<WatermarkBook.Advance> history = sync.db().watermarks().history(sync.id(), table);
      assertThat(history).hasSize(2);
      assertThat(history.get(1).newValue()).isEqualTo(bound);
      assertThat(history.get(1).rows()).isZero();
      assertThat(sync.lakeRows("ev")).isEqualTo(10);
    }
  }

  /** Case S30: a full export has edges, and replaces its predecessor. */
  @Test
  void aFullExportThatLosesRowsShowsOnlyTheNewState() {
    try (TestingSync sync = stack.sync("full")) {
      sync.sql(
              """
              CREATE TABLE ref (code text, name text);
              INSERT INTO ref VALUES ('a', 'A'), ('b', 'B');
              """)
          .start();
      Run first = sync.run();
      assertThat(sync.lakeRows("ref")).isEqualTo(2);
      sync.sql("DELETE FROM ref WHERE code = 'a'");
      Run second = sync.run();

      assertThat(sync.lakeRows("ref")).isEqualTo(1);
      assertThat(sync.lake("ref", "SELECT min(code) FROM lake")).isEqualTo("b");
      assertThat(sync.rowsByJob("ref"))
          .containsOnlyKeys(sync.job(first, "ref").jobId(), sync.job(second, "ref").jobId());
      assertThat(sync.offset("ref").path("exported_at").asText()).isNotEmpty();
      assertThat(sync.offset("ref").path("rows").asLong()).isEqualTo(1);
      sync.sql("DELETE FROM ref");
      sync.run();
      assertThat(sync.lakeRows("ref")).isZero();
    }
  }

  @Test
  void theSinkMayBePostedBeforeAnyTopicExists() {
    try (TestingSync sync = stack.sync("early")) {
      sync.sql(
              """
              CREATE TABLE ev (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
              INSERT INTO ev SELECT g FROM generate_series(1, 25) g;
              """)
          .source("incremental.tables", "public.ev:at:timestamp")
          .startSink();
      Awaitility.await()
          .atMost(TestingSync.PATIENCE)
          .ignoreExceptions()
          .until(
              () ->
                  sync.rest()
                      .status(sync.sinkName())
                      .path("connector")
                      .path("state")
                      .asText()
                      .equals("RUNNING"));
      sync.startSource();
      sync.run();
      assertThat(sync.lakeRows("ev")).isEqualTo(25);
    }
  }

  /** Case S31: the record key is the primary key. */
  @Test
  void recordsAreKeyedByThePrimaryKey() {
    try (TestingSync sync = stack.sync("keys")) {
      sync.sql(
              """
              CREATE TABLE k (a int, b text, at timestamp DEFAULT (now() AT TIME ZONE 'UTC'), PRIMARY KEY (a, b));
              INSERT INTO k VALUES (1, 'x'), (1, 'y');
              """)
          .source("incremental.tables", "public.k:at:timestamp")
          .start();
      sync.run();
      assertThat(sync.topic("k"))
          .extracting(row -> row.key().toString())
          .containsExactlyInAnyOrder("{\"a\":1,\"b\":\"x\"}", "{\"a\":1,\"b\":\"y\"}");
    }
  }

  /** Case S27: one table is read again, the others are left alone; nonsense is refused. */
  @Test
  void aTableIsRewoundOverRest() {
    try (TestingSync sync = stack.sync("rewind")) {
      sync.sql(
              """
              CREATE TABLE ev (id int PRIMARY KEY, at timestamptz NOT NULL);
              CREATE TABLE day (id int PRIMARY KEY, d date NOT NULL);
              CREATE TABLE ref (code text);
              INSERT INTO ev SELECT g, '2024-01-01Z'::timestamptz + g * interval '1 hour' FROM generate_series(1, 100) g;
              INSERT INTO day SELECT g, date '2024-01-01' + g FROM generate_series(1, 10) g;
              INSERT INTO ref VALUES ('a');
              """)
          .source("incremental.tables", "public.ev:at:timestamp,public.day:d:date:e")
          .start();
      Run first = sync.run();
      String untouched = sync.offset("day").path("last_exported_value").asText();
      stop(sync);

      assertRefused(sync, "ev", "\"2024-01-04\"", "expected the form 2026-12-01T03:30:00.123456Z");
      assertRefused(sync, "ev", "4711", "expected a text in double quotes");
      assertRefused(sync, "evv", "\"2024-01-04T00:00:00Z\"", "nearest are public.ev");
      assertRefused(sync, "ref", "\"2024-01-04\"", "it is exported in full in every run");
      assertThat(watermark(sync, "ev")).isEqualTo(sync.job(first, "ev").upper());

      alter(sync, "ev", "{\"last_exported_value\": \"2024-01-04T00:00:00Z\"}");
      assertThat(watermark(sync, "ev")).contains("2024-01-04T00:00:00Z");
      assertThat(watermark(sync, "day")).contains(untouched);
      assertThat(sync.db().watermarks().history(sync.id(), new TableId("public", "ev")))
          .last()
          .extracting(WatermarkBook.Advance::cause)
          .isEqualTo(WatermarkCause.OFFSETS_API);
      sync.rest().resume(sync.sourceName());
      Run again = sync.run();
      assertThat(sync.job(again, "ev").rows()).isEqualTo(28);
      assertThat(sync.job(again, "ev").lower()).contains("2024-01-04T00:00:00Z");
      assertThat(sync.job(again, "day").rows()).isZero();

      stop(sync);
      alter(sync, "day", "null");
      sync.rest().resume(sync.sourceName());
      Run anew = sync.run();
      assertThat(sync.job(anew, "day").mode()).isEqualTo(JobMode.FIRST_SYNC);
      assertThat(sync.job(anew, "day").rows()).isEqualTo(10);
      assertThat(sync.job(anew, "ev").rows()).isZero();
      assertThat(sync.lakeRows("day")).isEqualTo(10);

      stop(sync);
      sync.rest().resetOffsets(sync.sourceName());
      assertThat(sync.db().watermarks().watermarks(sync.id())).isEmpty();
      sync.rest().resume(sync.sourceName());
      Run all = sync.run();
      assertThat(sync.job(all, "ev").rows()).isEqualTo(100);
      assertThat(sync.job(all, "day").rows()).isEqualTo(10);
      assertThat(sync.lakeRows("ev")).isEqualTo(100);
    }
  }

  private static void stop(TestingSync sync) {
    sync.rest().stop(sync.sourceName());
    Awaitility.await()
        .atMost(TestingSync.PATIENCE)
        .until(
            () ->
                sync.rest()
                    .status(sync.sourceName())
                    .path("connector")
                    .path("state")
                    .asText()
                    .equals("STOPPED"));
  }

  private static Optional<String> watermark(TestingSync sync, String table) {
    return sync.db()
        .watermarks()
        .watermark(sync.id(), new TableId("public", table))
        .flatMap(WatermarkBook.Watermark::exported);
  }

  private static void assertRefused(TestingSync sync, String table, String value, String expected) {
    assertThatThrownBy(() -> alter(sync, table, "{\"last_exported_value\": %s}".formatted(value)))
        .isInstanceOfSatisfying(
            ConnectRestException.class, refused -> assertThat(refused.status()).isIn(400, 500))
        .hasMessageContaining("Cannot set the offset of table public." + table)
        .hasMessageContaining(expected);
  }

  /** Sets the offset of one table, given as JSON. */
  private static void alter(TestingSync sync, String table, String offset) {
    try {
      sync.rest()
          .alterOffsets(
              sync.sourceName(),
              new ObjectMapper()
                  .readTree(
                      """
                      {"offsets": [{"partition": {"sync_id": "%s", "table": "public.%s"},
                                    "offset": %s}]}
                      """
                          .formatted(sync.id(), table, offset)));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
