package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns and tables that change between windows and inside of them, on a real PostgreSQL. */
class PostgresSchemaChangeTest {
  private static final String ONE_TO_TEN =
      " SELECT g, 'v' || g, timestamp '2024-05-01 10:00:00' FROM generate_series(1,10) g";

  @TempDir Path folder;
  private PostgresTask task;

  @AfterEach
  void stop() {
    task.close();
  }

  private PostgresTask task(String spec, String... statements) {
    task = new PostgresTask(folder, spec);
    task.postgres.run(statements);
    return task;
  }

  private PostgresTask keyed() {
    return task(
        "public.t:updated_at:timestamp",
        "CREATE TABLE t (id int PRIMARY KEY, v text, updated_at timestamp)",
        "INSERT INTO t" + ONE_TO_TEN);
  }

  private PostgresTask keyless() {
    return task(
        "public.t:updated_at:timestamp",
        "CREATE TABLE t (id int, v text, updated_at timestamp)",
        "INSERT INTO t" + ONE_TO_TEN);
  }

  private void changeInsideTheWindow(String... statements) {
    task.batchRows = 4;
    task.start();
    task.until(() -> !task.topic.isEmpty());
    task.stop();
    task.postgres.run(statements);
    task.start();
    task.firstRun();
  }

  private List<SourceRecord> sentBy(Object job) {
    return task.topic.stream()
        .filter(record -> !record.topic().endsWith(".runs"))
        .filter(record -> record.headers().lastWithName("lakexpress.job").value().equals(job))
        .toList();
  }

  private List<Integer> idsOfTheLastAttempt() {
    List<Object> jobs = task.jobs();
    return PostgresTask.ids(sentBy(jobs.get(jobs.size() - 1)));
  }

  private static List<String> fields(Struct row) {
    return row.schema().fields().stream().map(Field::name).toList();
  }

  private static Integer[] oneTo(int last) {
    return IntStream.rangeClosed(1, last).boxed().toArray(Integer[]::new);
  }

  @Test
  void columnsChangedBetweenWindowsChangeTheRecordsFromThenOn() {
    keyed().start().firstRun();
    Schema before = task.rows().get(0).schema();

    task.boundedBy("2025-02-01T00:00:00Z");
    task.postgres.run(
        "ALTER TABLE t ADD COLUMN w int DEFAULT 7", "INSERT INTO t VALUES (11,'x','2025-01-02',8)");
    Struct added = PostgresTask.rows(task.run()).get(0);
    assertThat(fields(added)).containsExactly("id", "v", "updated_at", "w");
    assertThat(added.get("w")).isEqualTo(8);
    assertThat(added.schema().version()).isNotEqualTo(before.version());

    task.boundedBy("2025-03-01T00:00:00Z");
    task.postgres.run("ALTER TABLE t DROP COLUMN v", "INSERT INTO t VALUES (12,'2025-02-02',9)");
    Struct dropped = PostgresTask.rows(task.run()).get(0);
    assertThat(fields(dropped)).containsExactly("id", "updated_at", "w");

    task.boundedBy("2025-04-01T00:00:00Z");
    task.postgres.run(
        "ALTER TABLE t ALTER COLUMN w TYPE text", "INSERT INTO t VALUES (13,'2025-03-02','ten')");
    List<Struct> retyped = PostgresTask.rows(task.run());
    assertThat(retyped).extracting(row -> row.get("w")).containsExactly("ten");
    assertThat(retyped.get(0).schema().version()).isNotEqualTo(dropped.schema().version());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE t ADD COLUMN w int DEFAULT 7",
        "ALTER TABLE t DROP COLUMN v",
        "ALTER TABLE t ALTER COLUMN v TYPE varchar(10)"
      })
  void aChangedColumnInsideTheWindowOfAKeyedTableCostsNoRow(String change) {
    keyed();
    changeInsideTheWindow(change);

    assertThat(PostgresTask.ids(task.topic)).containsExactly(oneTo(10));
    assertThat(task.jobs()).hasSize(1);
  }

  /** The order by row hashes is not that of the rows handed over any more. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE t ADD COLUMN w int DEFAULT 7",
        "ALTER TABLE t DROP COLUMN v",
        "ALTER TABLE t ALTER COLUMN v TYPE varchar(10)"
      })
  void aChangedColumnInsideTheWindowOfAKeylessTableBeginsItAnew(String change) {
    keyless();
    changeInsideTheWindow(change);

    assertThat(task.jobs()).hasSize(2);
    assertThat(idsOfTheLastAttempt()).containsExactlyInAnyOrder(oneTo(10));
  }

  /** As texts 10 stands before 4, so going on behind 4 would pass it over. */
  @Test
  void aRetypedKeyInsideTheWindowBeginsItAnew() {
    keyed();
    changeInsideTheWindow("ALTER TABLE t ALTER COLUMN id TYPE varchar(10)");

    assertThat(task.jobs()).hasSize(2);
    assertThat(sentBy(task.jobs().get(1)))
        .extracting(record -> ((Struct) record.value()).get("id"))
        .containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
  }

  /** Rounded to seconds, all rows stand at or before the last one that was handed over. */
  @Test
  void aCoarserWatermarkInsideTheWindowBeginsItAnew() {
    task(
        "public.t:updated_at:timestamp",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
        "INSERT INTO t SELECT g, timestamp '2024-05-01 10:00:00' + g * interval '1 ms'"
            + " FROM generate_series(1,10) g");
    changeInsideTheWindow("ALTER TABLE t ALTER COLUMN updated_at TYPE timestamp(0)");

    assertThat(task.jobs()).hasSize(2);
    assertThat(idsOfTheLastAttempt()).containsExactly(oneTo(10));
  }

  @Test
  void aWatermarkColumnDroppedBetweenWindowsFailsItsTableOnly() {
    task(
        "public.t:updated_at:timestamp,public.u:updated_at:timestamp",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
        "CREATE TABLE u (id int PRIMARY KEY, updated_at timestamp)",
        "INSERT INTO t VALUES (1,'2024-05-01')");
    task.start().firstRun();

    task.postgres.run(
        "ALTER TABLE t DROP COLUMN updated_at", "INSERT INTO u VALUES (2,'2024-05-01')");
    task.postgres.run("UPDATE u SET updated_at = '2025-01-02'");
    task.boundedBy("2025-01-03T00:00:00Z");
    assertThat(PostgresTask.ids(task.run())).containsExactly(2);
    assertFailed("t", "Cannot track table public.t: it has no column updated_at; there are ");

    task.postgres.run(
        "ALTER TABLE t ADD COLUMN updated_at timestamp", "INSERT INTO t VALUES (3,'2025-01-03')");
    task.boundedBy("2025-01-04T00:00:00Z");
    assertThat(PostgresTask.ids(task.run())).as("behind the watermark it had").containsExactly(3);
  }

  @Test
  void aWatermarkColumnDroppedInsideAWindowFailsItsTableOnly() {
    task(
        "public.t:updated_at:timestamp,public.u:updated_at:timestamp",
        "CREATE TABLE t (id int PRIMARY KEY, v text, updated_at timestamp)",
        "CREATE TABLE u (id int PRIMARY KEY, updated_at timestamp)",
        "INSERT INTO t" + ONE_TO_TEN,
        "INSERT INTO u VALUES (99,'2024-05-01')");
    changeInsideTheWindow("ALTER TABLE t DROP COLUMN updated_at");

    assertThat(PostgresTask.ids(task.topic)).contains(99);
    assertFailed("t", "Cannot track table public.t: it has no column updated_at; there are ");
    assertThat(task.latestJobs().get("u").status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void aWatermarkOfAnotherKindFailsItsTableAndSaysWhatToDo() {
    keyed().start().firstRun();
    task.postgres.run("ALTER TABLE t ALTER COLUMN updated_at TYPE timestamptz");

    task.run();

    assertFailed("t", "2024-12-31T23:58:59.999999", "last_exported_value through the offsets API");
  }

  private void assertFailed(String table, String... parts) {
    Job job = task.latestJobs().get(table);
    assertThat(job.status()).isEqualTo(Status.FAILED);
    assertThat(job.error()).contains(parts);
  }

  /** Case S29: partitions are one table; a new or detached one needs no action. */
  @Test
  void partitionsAreOneTableWhicheverComeAndGo() {
    task(
        "public.pt:updated_at:timestamp",
        "CREATE TABLE pt(id int, updated_at timestamp) PARTITION BY RANGE(updated_at)",
        "CREATE TABLE pt1 PARTITION OF pt FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')",
        "INSERT INTO pt VALUES (1,'2024-06-01')");
    task.start().firstRun();
    assertThat(PostgresTask.ids(task.topic)).containsExactly(1);
    assertThat(task.latestJobs()).containsOnlyKeys("pt");

    task.postgres.run(
        "CREATE TABLE pt2 PARTITION OF pt FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')",
        "INSERT INTO pt VALUES (2,'2025-06-01')");
    task.boundedBy("2025-07-01T00:00:00Z");
    List<SourceRecord> second = task.run();
    assertThat(PostgresTask.ids(second)).containsExactly(2);
    assertThat(task.latestJobs()).containsOnlyKeys("pt");

    // On its own it is a table as any other.
    task.postgres.run(
        "ALTER TABLE pt DETACH PARTITION pt1", "INSERT INTO pt VALUES (3,'2025-07-02')");
    task.boundedBy("2025-08-01T00:00:00Z");
    task.include = List.of("pt");
    task.restart();
    assertThat(PostgresTask.ids(task.run())).containsExactly(3);
    assertThat(task.latestJobs()).containsOnlyKeys("pt");
    assertThat(task.offset(new TableId("public", "pt"))).isNotNull();
  }

  /** Case S29: a key inside the partitions is the parent's key, so restarts inside are exact. */
  @Test
  void aWindowOverSeveralPartitionsGoesOnWhereItStopped() {
    task(
        "public.pt:updated_at:timestamp",
        "CREATE TABLE pt(id int, updated_at timestamp, PRIMARY KEY (id, updated_at))"
            + " PARTITION BY RANGE(updated_at)",
        "CREATE TABLE pt1 PARTITION OF pt FOR VALUES FROM ('2024-01-01') TO ('2024-01-06')",
        "CREATE TABLE pt2 PARTITION OF pt FOR VALUES FROM ('2024-01-06') TO ('2025-01-01')",
        "INSERT INTO pt SELECT g, date '2024-01-01' + g FROM generate_series(1,10) g");
    changeInsideTheWindow(
        "CREATE TABLE pt3 PARTITION OF pt FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')");

    assertThat(PostgresTask.ids(task.topic)).containsExactly(oneTo(10));
    assertThat(task.jobs()).hasSize(1);
  }
}
