package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Case S25: a table, a right, a column or the whole database goes away. It shows, the other tables
 * go on, and the next run catches up without a restart.
 */
class PostgresTableGoneTest {
  @TempDir Path folder;
  private PostgresTask task;
  private String reader;

  @BeforeEach
  void twoTables() {
    task = new PostgresTask(folder, "public.ev:updated_at:timestamp,public.ok:at:timestamp");
    reader = "reader_" + task.postgres.name();
    task.user = reader;
    task.postgres.run(
        "CREATE ROLE " + reader + " LOGIN",
        "CREATE TABLE ev(id bigserial PRIMARY KEY, updated_at timestamptz NOT NULL, v text)",
        "CREATE TABLE ok(id int PRIMARY KEY, at timestamptz NOT NULL)",
        "GRANT SELECT ON ev, ok TO " + reader,
        "INSERT INTO ev(updated_at) VALUES ('2024-05-01Z')",
        "INSERT INTO ok VALUES (101, '2024-05-01Z')");
    task.boundedBy("2024-06-01T00:00:00Z").start().firstRun();
    assertThat(PostgresTask.ids(task.topic)).containsExactlyInAnyOrder(1, 101);
    task.postgres.run(
        "INSERT INTO ev(updated_at) VALUES ('2024-06-02Z')",
        "INSERT INTO ok VALUES (102, '2024-06-02Z')");
    task.boundedBy("2024-07-01T00:00:00Z");
  }

  @AfterEach
  void stop() {
    task.close();
  }

  private void theNextRunFailsOnly(String error) {
    List<SourceRecord> sent = task.run();

    assertThat(PostgresTask.ids(sent)).as("the other table goes on").containsExactly(102);
    Job failed = task.latestJobs().get("ev");
    assertThat(failed.status()).isEqualTo(Status.FAILED);
    assertThat(failed.error()).startsWith(error);
    Run run = task.db.runs().latestRun(PostgresTask.SYNC).orElseThrow();
    assertThat(run.status()).isEqualTo(Status.FAILED);
    assertThat(task.latestJobs().get("ok").status()).isEqualTo(Status.DELIVERED);
  }

  private void theOneAfterCatchesUp() {
    assertThat(PostgresTask.ids(task.run())).containsExactly(2);
    assertThat(task.latestJobs().get("ev").status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void aDroppedTableFailsWithAClearTextAndCatchesUpWhenItIsBack() {
    task.postgres.run("CREATE TABLE kept AS TABLE ev", "DROP TABLE ev");
    theNextRunFailsOnly(
        "Cannot read table public.ev: it does not exist or may not be seen; nearest are"
            + " public.ok, public.kept");

    task.postgres.run(
        "ALTER TABLE kept RENAME TO ev",
        "ALTER TABLE ev ADD PRIMARY KEY (id)",
        "GRANT SELECT ON ev TO " + reader);
    theOneAfterCatchesUp();
  }

  @Test
  void aRevokedRightFailsWithAClearTextAndCatchesUpWhenItIsGranted() {
    task.postgres.run("REVOKE SELECT ON ev FROM " + reader);
    theNextRunFailsOnly("Cannot read public.ev: permission denied for table ev");

    task.postgres.run("GRANT SELECT ON ev TO " + reader);
    theOneAfterCatchesUp();
  }

  @Test
  void aRenamedColumnFailsWithAClearTextAndCatchesUpWhenItIsBack() {
    task.postgres.run("ALTER TABLE ev RENAME COLUMN updated_at TO changed_at");
    theNextRunFailsOnly(
        "Cannot track table public.ev: it has no column updated_at; there are 3, such as"
            + " changed_at, id, v");

    task.postgres.run("ALTER TABLE ev RENAME COLUMN changed_at TO updated_at");
    theOneAfterCatchesUp();
  }

  @Test
  void anOutageOfTheDatabaseIsSatOut() {
    task.postgres.run(
        "ALTER DATABASE " + task.postgres.name() + " CONNECTION LIMIT 0",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + reader + "'");
    task.db.syncs().requestRun(PostgresTask.SYNC, "requested");
    long until = System.nanoTime() + 1_000_000_000L;
    task.until(() -> System.nanoTime() > until);
    assertThat(PostgresTask.ids(task.topic)).hasSize(2);

    task.postgres.run("ALTER DATABASE " + task.postgres.name() + " CONNECTION LIMIT -1");
    task.until(() -> PostgresTask.ids(task.topic).size() == 4);

    assertThat(PostgresTask.ids(task.topic)).containsExactlyInAnyOrder(1, 2, 101, 102);
  }
}
