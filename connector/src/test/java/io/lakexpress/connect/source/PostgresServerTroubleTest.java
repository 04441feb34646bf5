package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.ReaderSettings;
import io.lakexpress.connect.source.read.Timing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Struct;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to a whole server while its table is read. */
class PostgresServerTroubleTest {
  private static final int ROWS = 5000;
  private static final String TABLE = "public.t";

  @TempDir Path folder;
  private OwnPostgres server;
  private PostgresTask task;

  @BeforeEach
  void aTable() throws IOException {
    server = OwnPostgres.create(folder.resolve("primary"));
    server.run(
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp NOT NULL, v text)",
        "INSERT INTO t SELECT g, '2024-05-01', 'x' FROM generate_series(1, " + ROWS + ") g");
    task = new PostgresTask(folder, TABLE + ":updated_at:timestamp");
    task.target = server.target();
    task.adjusted = PostgresServerTroubleTest::patient;
  }

  @AfterEach
  void close() throws IOException {
    task.close();
    server.close();
  }

  private static ReaderSettings patient(ReaderSettings settings) {
    Timing timing = settings.timing();
    return new ReaderSettings(
        settings.identity(),
        settings.runs(),
        settings.selection(),
        settings.specs(),
        settings.records(),
        new Timing(
            timing.lease(),
            timing.renewal(),
            timing.pause(),
            timing.look(),
            timing.poll(),
            timing.firstRetry(),
            timing.lastRetry(),
            1000));
  }

  private List<Integer> ids() {
    return task.topic.stream()
        .filter(record -> record.topic().equals(TABLE))
        .map(record -> ((Struct) record.value()).getInt32("id"))
        .toList();
  }

  private void assertThatAllRowsCameOnce() {
    assertThat(ids()).isEqualTo(IntStream.rangeClosed(1, ROWS).boxed().toList());
    assertThat((Long) figure("Retries")).isPositive();
    assertThat(figure("LastError")).isEqualTo("");
  }

  private static Object figure(String attribute) {
    return Beans.ofTable(PostgresTask.SYNC, TABLE, attribute);
  }

  @Test
  void aRestartOfTheServerInsideAWindowCostsNoRow() throws IOException {
    task.start();
    task.until(() -> !ids().isEmpty());

    server.close();
    task.until(() -> "waiting".equals(figure("State")));
    assertThat((String) figure("LastError")).startsWith("Cannot read ");
    assertThat(ids()).hasSizeLessThan(ROWS);
    server.start();
    task.firstRun();

    assertThatAllRowsCameOnce();
  }

  @Test
  void aConflictWithWhatAStandbyReplaysCostsNoRow() throws IOException {
    try (OwnPostgres standby = server.standby(folder.resolve("standby"))) {
      assertThat(standby.has("SELECT 1 WHERE pg_is_in_recovery()")).isTrue();
      task.target = standby.target();
      task.start();
      task.until(() -> !ids().isEmpty());

      // The reader holds a lock on the table between its fetches.
      server.run(
          "BEGIN; LOCK TABLE t IN ACCESS EXCLUSIVE MODE; SELECT pg_current_xact_id(); COMMIT");
      Awaitility.await()
          .until(
              () ->
                  !standby.has(
                      "SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'lakexpress%'"
                          + " AND xact_start IS NOT NULL"));
      assertThat(ids()).hasSizeLessThan(ROWS);
      task.firstRun();

      assertThatAllRowsCameOnce();
      task.stop();
    }
  }
}
