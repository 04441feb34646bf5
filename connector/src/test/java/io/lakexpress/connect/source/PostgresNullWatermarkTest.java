package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.LogLines;
import io.lakexpress.connect.source.read.ReaderSettings.NullPolicy;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case S12: rows whose watermark is NULL, on a real PostgreSQL. */
class PostgresNullWatermarkTest {
  private static final TableId T = new TableId("public", "t");
  private static final String READER = "io.lakexpress.connect.source.read";

  @TempDir Path folder;
  private PostgresTask task;

  @AfterEach
  void stop() {
    task.close();
  }

  private PostgresTask task(NullPolicy policy) {
    task = new PostgresTask(folder, "public.t:updated_at:timestamp");
    task.nullPolicy = policy;
    task.postgres.run(
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp(6))",
        "INSERT INTO t VALUES (1,NULL),(2,'2024-01-01')");
    return task;
  }

  private void theRowComesOnceItsColumnIsSet() {
    task.postgres.run("UPDATE t SET updated_at = '2025-01-02' WHERE id = 1");
    task.boundedBy("2025-01-03T00:00:00Z");
    assertThat(PostgresTask.ids(task.run())).containsExactly(1);
    assertThat(PostgresTask.ids(task.run())).isEmpty();
  }

  @Test
  void skippedRowsAreCountedAndComeOnceTheirColumnIsSet() {
    try (LogLines log = LogLines.of(READER)) {
      task(NullPolicy.SKIP).start().firstRun();

      assertThat(PostgresTask.ids(task.topic)).containsExactly(2);
      assertThat(log.warnings())
          .contains("1 rows of table public.t have no updated_at (it is NULL): they are left out");
    }
    theRowComesOnceItsColumnIsSet();
  }

  @Test
  void firstSyncSendsThemOnceAndNeverAgainUntilTheirColumnIsSet() {
    try (LogLines log = LogLines.of(READER)) {
      task(NullPolicy.FIRST_SYNC).start().firstRun();

      assertThat(PostgresTask.ids(task.topic)).containsExactly(1, 2);
      assertThat(log.all()).anyMatch(line -> line.startsWith("INFO 1 rows of table public.t"));
    }
    task.postgres.run("INSERT INTO t VALUES (3,NULL)");
    assertThat(PostgresTask.ids(task.run())).as("later windows").isEmpty();
    task.restart();
    assertThat(PostgresTask.ids(task.run())).as("after a restart").isEmpty();
    theRowComesOnceItsColumnIsSet();
  }

  @Test
  void firstSyncSendsThemAgainWhenTheTableStartsAnew() {
    task(NullPolicy.FIRST_SYNC).start().firstRun();
    task.stop();
    task.offsets().clear();
    task.db.watermarks().clear(PostgresTask.SYNC, T, WatermarkCause.OFFSETS_API);

    task.start();
    assertThat(PostgresTask.ids(task.run())).containsExactly(1, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"id int PRIMARY KEY", "id int"})
  void aRestartInsideThemGoesOnAtTheNextRow(String id) {
    task = new PostgresTask(folder, "public.t:updated_at:timestamp");
    task.nullPolicy = NullPolicy.FIRST_SYNC;
    task.batchRows = 4;
    task.postgres.run(
        "CREATE TABLE t (" + id + ", updated_at timestamp(6))",
        "INSERT INTO t SELECT g, NULL FROM generate_series(1,6) g",
        "INSERT INTO t SELECT g, '2024-01-01' FROM generate_series(7,12) g");
    task.start();
    task.until(() -> !task.topic.isEmpty());
    assertThat(task.offset(T)).containsEntry("cursor_value", "null");
    task.restart();
    task.firstRun();

    assertThat(PostgresTask.ids(task.topic))
        .containsExactlyInAnyOrder(IntStream.rangeClosed(1, 12).boxed().toArray(Integer[]::new));
    assertThat(task.jobs()).hasSize(1);
  }

  @Test
  void failEndsTheJobWithTheCountAndTheWatermarkStays() {
    task(NullPolicy.FAIL).start().firstRun();

    assertThat(PostgresTask.ids(task.topic)).isEmpty();
    assertThat(task.latestJobs().get("t").status()).isEqualTo(Status.FAILED);
    assertThat(task.latestJobs().get("t").error()).contains("1 rows", "updated_at", "NULL");
    assertThat(task.offset(T)).isNull();
  }

  /** Case S35: infinity never becomes the watermark; what lies above every window is told. */
  @Test
  void infinityIsNeverTheWatermarkAndIsTold() {
    task = new PostgresTask(folder, "public.f:updated_at:timestamp");
    task.postgres.run(
        "CREATE TABLE f(id int PRIMARY KEY, updated_at timestamptz)",
        "INSERT INTO f VALUES (1,'-infinity'),(2,'2024-01-01Z'),(3,'infinity'),(9,'9999-12-31Z')");
    try (LogLines log = LogLines.of(READER)) {
      task.boundedBy("2025-01-01T00:00:00Z").start().firstRun();

      assertThat(PostgresTask.ids(task.topic)).containsExactly(1, 2);
      assertThat(task.rows().get(0).getInt64("updated_at")).isEqualTo(Long.MIN_VALUE);
      assertThat(task.offsetValue(new TableId("public", "f")))
          .isEqualTo("2024-12-31T23:59:59.999999Z");
      assertThat(log.warnings())
          .anyMatch(
              line -> line.startsWith("2 rows of table public.f have a updated_at later than"))
          .anyMatch(line -> line.startsWith("Table public.f has 1 infinite"));
    }
    task.postgres.run("INSERT INTO f VALUES (4,'2025-01-02Z')");
    task.boundedBy("2025-01-03T00:00:00Z");
    assertThat(PostgresTask.ids(task.run())).containsExactly(4);
  }
}
