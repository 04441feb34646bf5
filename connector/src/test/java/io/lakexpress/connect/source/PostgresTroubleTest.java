package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.jdbc.SourceTarget;
import io.lakexpress.connect.source.read.ReaderSettings;
import io.lakexpress.connect.source.read.ReaderSettings.ErrorAction;
import io.lakexpress.connect.source.read.Timing;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Run;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.ConnectException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to one table on a real PostgreSQL, while table calm goes on undisturbed. */
class PostgresTroubleTest {
  private static final String OURS =
      "application_name LIKE 'lakexpress%' AND datname = current_database()";

  @TempDir Path folder;
  private PostgresTask task;
  private String read;
  private String reader;

  @AfterEach
  void close() {
    task.close();
  }

  private void task(String table, String... statements) {
    read = table;
    task = new PostgresTask(folder, "public." + table + ":updated_at:timestamp");
    task.postgres.run("CREATE SCHEMA deep");
    task.postgres.run(statements);
    task.postgres.run("CREATE TABLE calm (id int)", "INSERT INTO calm VALUES (1), (2)");
  }

  private void tableWith(int rows) {
    task(
        "t",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp NOT NULL, v text)",
        "INSERT INTO t SELECT g, '2024-05-01', 'x' FROM generate_series(1, " + rows + ") g");
  }

  /** The task reads as somebody who may read every table there is now, and no more. */
  private void asReader() {
    reader = "reader_" + task.postgres.name();
    task.postgres.run(
        "CREATE ROLE " + reader + " LOGIN",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + reader);
    task.target = new SourceTarget(task.postgres.url(), reader, null, Map.of(), PostgresTask.SYNC);
  }

  private void withServerOptions(String options) {
    task.target =
        new SourceTarget(
            task.postgres.url(),
            task.postgres.user(),
            null,
            Map.of("options", options),
            PostgresTask.SYNC);
  }

  private void patiently() {
    task.adjusted = with(timing -> timing(timing, timing.pause(), 1000));
  }

  private static UnaryOperator<ReaderSettings> with(UnaryOperator<Timing> change) {
    return settings ->
        new ReaderSettings(
            settings.identity(),
            settings.runs(),
            settings.selection(),
            settings.specs(),
            settings.records(),
            change.apply(settings.timing()));
  }

  private static Timing timing(Timing was, Duration pause, int tries) {
    return new Timing(
        was.lease(),
        was.renewal(),
        pause,
        was.look(),
        was.poll(),
        was.firstRetry(),
        was.lastRetry(),
        tries);
  }

  private void errorAction(ErrorAction action) {
    task.adjusted =
        settings ->
            new ReaderSettings(
                settings.identity(),
                new ReaderSettings.Runs(
                    settings.runs().mode(),
                    settings.runs().schedule(),
                    settings.runs().safetyLag(),
                    settings.runs().zones(),
                    settings.runs().nullPolicy(),
                    action,
                    settings.runs().retention()),
                settings.selection(),
                settings.specs(),
                settings.records(),
                settings.timing());
  }

  private Job job(String table) {
    Run latest = task.db.runs().latestRun(PostgresTask.SYNC).orElseThrow();
    return task.db.runs().jobs(latest.runId()).stream()
        .filter(job -> job.table().table().equals(table))
        .findFirst()
        .orElseThrow();
  }

  private boolean isDelivered(String table) {
    return task.db.runs().latestRun(PostgresTask.SYNC).isPresent()
        && job(table).deliveredAt() != null;
  }

  private List<Integer> ids() {
    return task.topic.stream()
        .filter(record -> record.topic().equals("public." + read))
        .map(record -> ((Struct) record.value()).getInt32("id"))
        .toList();
  }

  private static List<Integer> upTo(int last) {
    return IntStream.rangeClosed(1, last).boxed().toList();
  }

  private Object figure(String table, String attribute) {
    return Beans.ofTable(PostgresTask.SYNC, "public." + table, attribute);
  }

  private void untilTheLastErrorOf(String table, String says) {
    task.until(() -> String.valueOf(figure(table, "LastError")).contains(says));
  }

  private long sessions(String condition) {
    try (Connection connection = task.postgres.connect();
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE " + OURS + " AND " + condition)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Case S25. */
  @Test
  void aDroppedTableFailsAloneAndComesBackWithTheTable() {
    tableWith(3);
    task.start().firstRun();

    task.postgres.run("ALTER TABLE t RENAME TO tt");
    task.run();
    assertThat(job("t").error())
        .isEqualTo(
            "Cannot read table public.t: it does not exist or may not be seen; nearest are"
                + " public.tt");
    assertThat(isDelivered("calm")).isTrue();
    assertThat(figure("t", "State")).isEqualTo("failed");

    task.postgres.run("ALTER TABLE tt RENAME TO t", "INSERT INTO t VALUES (4, '2025-01-15')");
    task.windowsEndAt("2025-02-01T00:00:00Z").run();
    assertThat(ids()).isEqualTo(upTo(4));
    assertThat(figure("t", "State")).isEqualTo("idle");
    assertThat(figure("t", "LastError")).isEqualTo("");
  }

  /** Case S25: a table dropped between two batches. */
  @Test
  void aTableDroppedInsideItsWindowFailsAlone() {
    tableWith(5000);
    task.start();
    task.until(() -> !ids().isEmpty());
    task.postgres.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE " + OURS, "DROP TABLE t");

    task.firstRun();

    assertThat(job("t").error()).startsWith("Cannot read table public.t: it does not exist");
    assertThat(isDelivered("calm")).isTrue();
  }

  /** Case S25. */
  @Test
  void aRevokedRightFailsItsTableAndTheNextRunTriesAgain() {
    tableWith(3);
    asReader();
    task.postgres.run("REVOKE SELECT ON t FROM " + reader);

    task.start().firstRun();

    assertThat(job("t").error())
        .isEqualTo(
            "Cannot read public.t: permission denied for table t; grant USAGE on schema"
                + " \"public\" and SELECT on \"public\".\"t\" to \""
                + reader
                + "\"");
    assertThat(isDelivered("calm")).isTrue();

    task.postgres.run("GRANT SELECT ON t TO " + reader);
    task.run();
    assertThat(ids()).isEqualTo(upTo(3));
  }

  @Test
  void errorActionSkipLeavesTheTableOutUntilTheRestart() {
    tableWith(3);
    asReader();
    errorAction(ErrorAction.SKIP);
    task.postgres.run("REVOKE SELECT ON t FROM " + reader);
    task.start().firstRun();
    task.postgres.run("GRANT SELECT ON t TO " + reader);

    task.run();
    assertThat(job("t").error())
        .startsWith("Skipped until the connector is restarted, since it failed: Cannot read")
        .contains("permission denied");
    assertThat(figure("t", "State")).isEqualTo("skipped");
    assertThat(isDelivered("calm")).isTrue();

    task.restart();
    task.run();
    assertThat(ids()).isEqualTo(upTo(3));
  }

  @Test
  void errorActionFailFailsTheTaskWithWhatToDo() {
    tableWith(3);
    asReader();
    errorAction(ErrorAction.FAIL);
    task.postgres.run("REVOKE SELECT ON t FROM " + reader);
    task.start();

    assertThatThrownBy(() -> task.until(() -> false))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("Cannot read public.t: permission denied for table t; grant");
  }

  @Test
  void aDeadlockIsTriedAgain() throws SQLException {
    task(
        "v",
        "CREATE TABLE deep.a (id int PRIMARY KEY, updated_at timestamp NOT NULL)",
        "CREATE TABLE deep.b (id int PRIMARY KEY)",
        "CREATE VIEW v AS SELECT id, updated_at FROM deep.a JOIN deep.b USING (id)",
        "INSERT INTO deep.b SELECT generate_series(1, 3)",
        "INSERT INTO deep.a SELECT id, '2024-05-01' FROM deep.b");
    withServerOptions("-c deadlock_timeout=1s -c lock_timeout=1min");
    patiently();

    try (Connection other = task.postgres.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SET deadlock_timeout = '1min'");
      statement.execute("LOCK TABLE deep.b");
      task.start();
      task.until(() -> sessions("wait_event_type = 'Lock'") == 1);
      // Returns once the reader, who holds the first table and waits for the second, was chosen.
      statement.execute("LOCK TABLE deep.a");
      untilTheLastErrorOf("v", "deadlock detected");
      other.rollback();
    }
    task.firstRun();

    assertThat(ids()).containsExactlyInAnyOrder(1, 2, 3);
    assertThat((Long) figure("v", "Retries")).isPositive();
  }

  @Test
  void aStatementTimeoutIsTriedAFewTimesAndThenSaysWhatToDo() {
    task(
        "slow",
        "CREATE VIEW slow AS SELECT 1 AS id, '2024-05-01'::timestamp AS updated_at,"
            + " pg_sleep(20)::text AS v");
    withServerOptions("-c statement_timeout=250");

    task.start().firstRun();

    assertThat(job("slow").error())
        .isEqualTo(
            "Cannot read public.slow: canceling statement due to statement timeout; raise"
                + " statement_timeout for the user that reads, or create an index that begins with"
                + " the watermark and the key (5 tries without progress)");
    assertThat(figure("slow", "Retries")).isEqualTo(4L);
    assertThat(isDelivered("calm")).isTrue();
  }

  @Test
  void aLockedTableWaitsForItsLockWhileTheOthersGoOn() throws SQLException {
    tableWith(3);
    withServerOptions("-c lock_timeout=100");
    patiently();

    try (Connection other = task.postgres.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE");
      task.start();
      untilTheLastErrorOf("t", "lock timeout; somebody else locks it");
      task.until(() -> isDelivered("calm"));
      assertThat(figure("t", "State")).isIn("waiting", "reading");
      other.rollback();
    }
    task.firstRun();

    assertThat(ids()).isEqualTo(upTo(3));
  }

  @Test
  void aServerThatEndsIdleTransactionsCostsNoRow() {
    tableWith(5000);
    withServerOptions("-c idle_in_transaction_session_timeout=300");
    task.start();
    task.until(() -> !ids().isEmpty());
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> sessions("true") == 0);

    task.firstRun();

    assertThat(ids()).isEqualTo(upTo(5000));
    assertThat((Long) figure("t", "Retries")).isPositive();
  }

  @Test
  void tooManyConnectionsAreWaitedOut() {
    tableWith(3);
    asReader();
    task.postgres.run("ALTER ROLE " + reader + " CONNECTION LIMIT 0");
    task.start();
    task.until(() -> (Long) Beans.ofSync(PostgresTask.SYNC, "SourceDownSeconds") > 0);

    task.postgres.run("ALTER ROLE " + reader + " CONNECTION LIMIT -1");
    task.firstRun();

    assertThat(ids()).isEqualTo(upTo(3));
    assertThat(Beans.ofSync(PostgresTask.SYNC, "SourceDownSeconds")).isEqualTo(0L);
  }

  @Test
  void aFullDiskOfTheServerIsWaitedOut() {
    task(
        "v",
        "CREATE TABLE deep.disk AS SELECT true AS is_full",
        "CREATE FUNCTION deep.spill() RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
            + " IF (SELECT is_full FROM deep.disk) THEN"
            + " RAISE 'could not write to file: No space left on device' USING ERRCODE = '53100';"
            + " END IF; RETURN 'x'; END $$",
        "CREATE VIEW v AS SELECT g AS id, '2024-05-01'::timestamp AS updated_at, deep.spill() AS v"
            + " FROM generate_series(1, 3) g");
    patiently();
    task.start();
    untilTheLastErrorOf("v", "No space left on device; free space on the server's disk");
    task.until(() -> isDelivered("calm"));

    task.postgres.run("UPDATE deep.disk SET is_full = false");
    task.firstRun();

    assertThat(ids()).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void aViewThatWritesFailsAtOnceAndSaysWhy() {
    task(
        "v",
        "CREATE TABLE deep.audit (at timestamp)",
        "CREATE FUNCTION deep.note() RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
            + " INSERT INTO deep.audit VALUES (now()); RETURN 'x'; END $$",
        "CREATE VIEW v AS SELECT 1 AS id, '2024-05-01'::timestamp AS updated_at,"
            + " deep.note() AS v");

    task.start().firstRun();

    assertThat(job("v").error())
        .isEqualTo(
            "Cannot read public.v: cannot execute INSERT in a read-only transaction; it writes,"
                + " and the source is only ever read: take a table or view that does not write");
    assertThat(figure("v", "Retries")).isEqualTo(0L);
    assertThat(isDelivered("calm")).isTrue();
  }

  @Test
  void stopCancelsARunningStatementWithinASecond() {
    task(
        "slow",
        "CREATE VIEW slow AS SELECT 1 AS id, '2024-05-01'::timestamp AS updated_at,"
            + " pg_sleep(600)::text AS v");
    task.start();
    task.until(() -> sessions("wait_event = 'PgSleep'") == 1);

    long begun = System.nanoTime();
    task.stop();

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
    assertThat(sessions("state = 'active'")).isZero();
  }

  @Test
  void aPausedTaskHoldsNoCursorAndNoTransaction() {
    tableWith(5000);
    task.postgres.run("INSERT INTO calm SELECT generate_series(3, 2000)");
    task.adjusted = with(timing -> timing(timing, Duration.ofMillis(400), timing.tries()));
    task.start();
    task.until(() -> !ids().isEmpty());
    assertThat(sessions("xact_start IS NOT NULL")).as("while it is polled").isPositive();

    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> sessions("xact_start IS NOT NULL") == 0);
    task.firstRun();

    assertThat(ids()).isEqualTo(upTo(5000));
  }
}
