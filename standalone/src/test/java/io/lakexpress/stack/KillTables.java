package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * The tables whose readers are killed: with a key, without one and with duplicates, with all rows
 * of a window on one watermark value, and one that is exported in full.
 */
final class KillTables {
  private static final RowLines KEYED = RowLines.of("keyed", "id", "updated_at", "v");
  private static final RowLines KEYLESS = RowLines.of("keyless", "n", "updated_at", "v");
  private static final RowLines TIED = RowLines.of("tied", "id", "updated_at", "v");
  private static final RowLines WHOLE = RowLines.of("whole", "id", "v");
  private static final List<RowLines> WINDOWED = List.of(KEYED, KEYLESS, TIED);
  private static final List<RowLines> ALL = List.of(KEYED, KEYLESS, TIED, WHOLE);

  private final TestingSync sync;

  KillTables(TestingSync sync) {
    this.sync = sync;
    sync.sql(
            """
            CREATE TABLE keyed (id bigserial PRIMARY KEY, updated_at timestamptz NOT NULL, v text);
            CREATE TABLE keyless (n int, updated_at timestamptz NOT NULL, v text);
            CREATE TABLE tied (id bigserial PRIMARY KEY, updated_at timestamptz NOT NULL, v text);
            CREATE TABLE whole (id bigserial PRIMARY KEY, v text);
            CREATE INDEX ON keyed (updated_at, id);
            """)
        .source(
            "incremental.tables",
            "public.keyed:updated_at:timestamp,public.keyless:updated_at:timestamp,"
                + "public.tied:updated_at:timestamp")
        // Many small batches: a kill finds a task between any two of them.
        .source("batch.max.rows", "50");
  }

  /** Inserts so many rows into each windowed table, and a third of it into the other. */
  void add(int rows) {
    sync.sql(
        """
        INSERT INTO keyed (updated_at, v)
          SELECT now() - (g %% 100) * interval '1 microsecond', repeat('x', 40)
          FROM generate_series(1, %1$d) g;
        INSERT INTO keyless
          SELECT g / 3, now() - (g %% 5) * interval '1 microsecond', 'same'
          FROM generate_series(1, %1$d) g;
        INSERT INTO tied (updated_at, v) SELECT now(), 'tied' FROM generate_series(1, %1$d) g;
        INSERT INTO whole (v) SELECT 'whole' FROM generate_series(1, %1$d / 3) g;
        """
            .formatted(rows));
  }

  /** Every row of every windowed table is in its topic once, each under the job of its window. */
  void assertTopicsExact() {
    for (RowLines lines : WINDOWED) {
      Bag table = lines.database(sync);
      Bag topic = lines.topic(sync);
      assertThat(topic.beyond(table)).as("doubled in the topic of " + lines.table()).isEmpty();
      assertThat(table.beyond(topic)).as("lost in the topic of " + lines.table()).isEmpty();
      assertThat(sync.rowsByJob(lines.table()))
          .as("rows by job of " + lines.table())
          .isEqualTo(announced(lines.table()));
    }
  }

  /**
   * Each delivered run of the full export has one attempt that a closing record names, and that one
   * is whole; all others are told from it by their job ids.
   *
   * @return how many broken attempts the topic holds
   */
  int assertExportsExact() {
    Map<String, Bag> attempts = WHOLE.topicByJob(sync);
    Map<String, Long> announced = announced(WHOLE.table());
    assertThat(announced).isNotEmpty();
    announced.forEach(
        (job, rows) -> {
          assertThat(attempts.get(job).size()).as("rows of attempt " + job).isEqualTo(rows);
          assertThat(attempts.get(job).doubled()).as("doubled in attempt " + job).isEmpty();
        });
    Set<String> closedRuns =
        sync.closings(WHOLE.table()).stream()
            .map(closing -> closing.path("run_id").asText())
            .collect(Collectors.toSet());
    assertThat(announced).as("one whole attempt per run").hasSameSizeAs(closedRuns);
    return attempts.size() - announced.size();
  }

  /** What the closing records say that each job has. Jobs without a row are left out. */
  private Map<String, Long> announced(String table) {
    Map<String, Long> announced = new TreeMap<>();
    for (JsonNode closing : sync.closings(table)) {
      long rows = closing.path("rows").asLong();
      if (rows > 0) {
        Long before = announced.put(closing.path("job_id").asText(), rows);
        assertThat(before).as("closed before: " + closing).isNull();
      }
    }
    return announced;
  }

  /** The lake is the database, row for row. */
  void assertLakeExact() {
    for (RowLines lines : ALL) {
      Bag table = lines.database(sync);
      Bag lake = lines.lake(sync);
      assertThat(lake.beyond(table)).as("doubled in the lake's " + lines.table()).isEmpty();
      assertThat(table.beyond(lake)).as("lost in the lake's " + lines.table()).isEmpty();
      Awaitility.await("what broken attempts staged is swept")
          .atMost(TestingSync.PATIENCE)
          .until(() -> sync.visible(lines.table()).equals(sync.names(lines.table())));
    }
  }
}
