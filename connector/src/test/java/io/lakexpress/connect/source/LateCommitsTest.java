package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakexpress.connect.TestingPostgres;
import io.lakexpress.connect.source.read.GuardRule;
import io.lakexpress.lxdb.Run;
import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.stream.LongStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows that are committed after a run has passed the time or the number they carry, on a real
 * PostgreSQL, without any safety lag.
 */
class LateCommitsTest {
  private static final TableId EV = new TableId("public", "ev");
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final Duration HOLD = Duration.ofMinutes(15);
  private static final String TABLE =
      "CREATE TABLE ev(id bigserial PRIMARY KEY, updated_at timestamptz NOT NULL DEFAULT now(),"
          + " v text)";

  /** What the role that reads may see. */
  enum Reader {
    PLAIN,
    STATISTICS
  }

  @TempDir Path folder;
  private PostgresTask task;
  private String writer;

  @AfterEach
  void stop() {
    task.close();
    // Roles and prepared transactions belong to the server that all tests share.
    task.postgres.run("DROP OWNED BY " + task.user, "DROP ROLE " + task.user);
    task.postgres.run("DROP OWNED BY " + writer, "DROP ROLE " + writer);
  }

  private PostgresTask task(Reader reader, String spec, GuardRule guard) {
    task = new PostgresTask(folder, "public." + spec).realClock();
    String database = task.postgres.name();
    writer = "app_" + database;
    task.user = "reader_" + database;
    task.guard = guard;
    task.postgres.run(
        TABLE,
        "CREATE ROLE " + writer + " LOGIN",
        "CREATE ROLE " + task.user + " LOGIN",
        "GRANT SELECT ON ev TO " + task.user,
        "GRANT SELECT, INSERT ON ev TO " + writer,
        "GRANT USAGE ON SEQUENCE ev_id_seq TO " + writer);
    if (reader == Reader.STATISTICS) {
      task.postgres.run("GRANT pg_read_all_stats TO " + task.user);
    }
    return task;
  }

  private PostgresTask guarded(Reader reader) {
    return task(reader, "ev:updated_at:timestamp", GuardRule.auto(SHORT, HOLD));
  }

  /** A session of the application that writes. */
  private Session session() {
    return session("orders", task.postgres);
  }

  private Session session(String application, TestingPostgres database) {
    try {
      Properties properties = new Properties();
      properties.setProperty("user", writer);
      properties.setProperty("ApplicationName", application);
      return new Session(new org.postgresql.Driver().connect(database.url(), properties));
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot connect as " + writer, e);
    }
  }

  private record Session(Connection connection) implements AutoCloseable {
    Session run(String... statements) {
      try (Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
        return this;
      } catch (SQLException e) {
        throw new IllegalStateException("Cannot run " + List.of(statements), e);
      }
    }

    @Override
    public void close() {
      try {
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException("Cannot close", e);
      }
    }
  }

  private static List<Long> ids(List<SourceRecord> sent) {
    return PostgresTask.rows(sent).stream().map(row -> row.getInt64("id")).toList();
  }

  private List<Long> ids() {
    return ids(task.topic);
  }

  private Run lastRun() {
    return task.db.runs().latestRun(PostgresTask.SYNC).orElseThrow();
  }

  /** Runs until the topic has so many rows: transactions of other tests may be seen once. */
  private void runUntilRows(int rows) {
    await()
        .pollInSameThread()
        .pollInterval(Duration.ofMillis(1))
        .untilAsserted(
            () -> {
              task.run();
              assertThat(ids()).hasSize(rows);
            });
  }

  /** Case S1. */
  @ParameterizedTest
  @EnumSource
  void rowsCommittedLateAreNotLost(Reader reader) {
    guarded(reader).start();
    task.firstRun();
    try (Session a = session();
        Session b = session()) {
      a.run("BEGIN", "INSERT INTO ev(v) VALUES('a')");
      b.run("INSERT INTO ev(v) VALUES('b')");

      assertThat(task.run()).as("rows behind the open transaction").hasSize(1);
      assertThat(lastRun().guardNote()).contains("held back").contains("user " + writer);
      a.run("COMMIT");
      task.run();
    }
    assertThat(ids()).containsExactly(1L, 2L);
  }

  /** Case S1 without the guard: the loss is real, so it is the guard that prevents it. */
  @Test
  void rowsCommittedLateAreLostWithoutTheGuard() {
    task(Reader.PLAIN, "ev:updated_at:timestamp", GuardRule.off()).start();
    task.firstRun();
    try (Session a = session();
        Session b = session()) {
      a.run("BEGIN", "INSERT INTO ev(v) VALUES('a')");
      b.run("INSERT INTO ev(v) VALUES('b')");

      task.run();
      a.run("COMMIT");
      task.run();
    }
    assertThat(ids()).containsExactly(2L);
  }

  /** The transaction takes its time when it begins, long before it has a number. */
  @ParameterizedTest
  @EnumSource
  void aTransactionThatWritesOnlyAfterTheRunIsSeenToo(Reader reader) {
    guarded(reader).start();
    task.firstRun();
    try (Session a = session();
        Session b = session()) {
      a.run("BEGIN", "SELECT now()");
      b.run("INSERT INTO ev(v) VALUES('b')");

      task.run();
      assertThat(lastRun().guardNote()).contains("held back").contains("user " + writer);
      a.run("INSERT INTO ev(v) VALUES('a')", "COMMIT");
      task.run();
    }
    assertThat(ids()).containsExactly(2L, 1L);
  }

  /** Case S3: many runs pass by while one transaction writes on. */
  @ParameterizedTest
  @EnumSource
  void aLongTransactionHoldsRunsBackAndNothingIsLost(Reader reader) {
    guarded(reader).start();
    task.firstRun();
    try (Session bulk = session();
        Session other = session()) {
      bulk.run("BEGIN", "INSERT INTO ev(v) SELECT 'x' FROM generate_series(1,1000)");
      for (int run = 1; run <= 5; run++) {
        other.run("INSERT INTO ev(v) VALUES('y')");
        task.run();
        assertThat(lastRun().guardNote()).contains("held back").contains("user " + writer);
      }
      assertThat(ids()).as("rows behind the long transaction").isEmpty();
      bulk.run("COMMIT");
      task.run();
    }
    assertThat(ids())
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 1005).boxed().toList());
    assertThat(lastRun().guardNote()).isEmpty();
  }

  /** Rows stamped before the long transaction began are not held back by it. */
  @ParameterizedTest
  @EnumSource
  void rowsBeforeALongTransactionAreRead(Reader reader) {
    guarded(reader).start();
    task.firstRun();
    try (Session bulk = session();
        Session other = session()) {
      other.run("INSERT INTO ev(v) VALUES('before')");
      runUntilRows(1);
      bulk.run("BEGIN", "INSERT INTO ev(v) VALUES('bulk')");
      other.run("INSERT INTO ev(v) VALUES('after')");
      task.run();
      assertThat(ids()).containsExactly(1L);
      bulk.run("COMMIT");
      task.run();
    }
    assertThat(ids()).containsExactly(1L, 2L, 3L);
  }

  /** A plain role has no earlier sample at the first run, so nothing is known to be safe. */
  @Test
  void aFirstSyncBehindATransactionWaitsForTheNextRun() {
    guarded(Reader.PLAIN);
    try (Session a = session();
        Session b = session()) {
      b.run("INSERT INTO ev(v) VALUES('b')");
      a.run("BEGIN", "INSERT INTO ev(v) VALUES('a')");
      task.start();
      task.firstRun();
      assertThat(task.topic).as("the closing record alone").hasSize(1);
      assertThat(task.offsetValue(EV)).isNull();
      assertThat(lastRun().upperBound()).isNull();
      assertThat(lastRun().guardNote()).startsWith("held back to the last watermark by pid ");
      a.run("COMMIT");
      task.run();
    }
    assertThat(ids()).containsExactly(1L, 2L);
  }

  @Test
  void aFirstSyncEndsWhereTheTransactionBeganIfThatIsSeen() {
    guarded(Reader.STATISTICS);
    try (Session a = session();
        Session b = session()) {
      b.run("INSERT INTO ev(v) VALUES('b')");
      a.run("BEGIN", "INSERT INTO ev(v) VALUES('a')");
      task.start();
      task.firstRun();
      assertThat(ids()).containsExactly(1L);
      a.run("COMMIT");
      task.run();
    }
    assertThat(ids()).containsExactly(1L, 2L);
  }

  /** A number is drawn early and committed late: MAX has passed it by then. */
  @ParameterizedTest
  @EnumSource
  void numbersThatBecomeVisibleOutOfOrderAreNotLost(Reader reader) {
    task(reader, "ev:id:integer", GuardRule.auto(SHORT, HOLD)).start();
    task.firstRun();
    numbersOutOfOrder();
    assertThat(ids()).containsExactly(1L, 2L);
  }

  @Test
  void numbersThatBecomeVisibleOutOfOrderAreLostWithoutTheGuard() {
    task(Reader.PLAIN, "ev:id:integer", GuardRule.off()).start();
    task.firstRun();
    numbersOutOfOrder();
    assertThat(ids()).containsExactly(2L);
  }

  private void numbersOutOfOrder() {
    try (Session a = session();
        Session b = session()) {
      a.run("BEGIN", "INSERT INTO ev(v) VALUES('a')");
      b.run("INSERT INTO ev(v) VALUES('b')");
      task.run();
      a.run("COMMIT");
      task.run();
    }
  }

  /** A prepared transaction has left its session, and may be committed much later. */
  @ParameterizedTest
  @EnumSource
  void aPreparedTransactionIsWaitedFor(Reader reader) {
    guarded(reader).start();
    task.firstRun();
    String name = "late_" + task.postgres.name();
    try (Session a = session();
        Session b = session()) {
      a.run("BEGIN", "INSERT INTO ev(v) VALUES('a')", "PREPARE TRANSACTION '" + name + "'");
      b.run("INSERT INTO ev(v) VALUES('b')");

      task.run();
      assertThat(lastRun().guardNote())
          .contains("by prepared transaction '" + name + "' (user " + writer + ")");
      a.run("COMMIT PREPARED '" + name + "'");
      task.run();
    }
    assertThat(ids()).containsExactly(1L, 2L);
  }

  /** It was an open session when a run saw it, and is a prepared transaction at the next. */
  @ParameterizedTest
  @EnumSource
  void aTransactionPreparedBetweenTwoRunsIsStillTheSame(Reader reader) {
    guarded(reader).start();
    task.firstRun();
    String name = "late_" + task.postgres.name();
    try (Session a = session();
        Session b = session()) {
      a.run("BEGIN", "SELECT now()");
      b.run("INSERT INTO ev(v) VALUES('b')");
      task.run();
      a.run("INSERT INTO ev(v) VALUES('a')", "PREPARE TRANSACTION '" + name + "'");
      task.run();
      assertThat(lastRun().guardNote()).contains("by prepared transaction");
      assertThat(ids()).isEmpty();
      a.run("COMMIT PREPARED '" + name + "'");
      task.run();
    }
    assertThat(ids()).containsExactly(2L, 1L);
  }

  /** One long report must not stop a sync for ever. */
  @ParameterizedTest
  @EnumSource
  void aTransactionThatHasOnlyReadHoldsRunsForALimitedTime(Reader reader) {
    task(reader, "ev:updated_at:timestamp", GuardRule.auto(SHORT, Duration.ofSeconds(3))).start();
    task.firstRun();
    try (Session report = session("report", task.postgres);
        Session b = session()) {
      report.run("BEGIN", "SELECT now()");
      b.run("INSERT INTO ev(v) VALUES('b')");
      task.run();
      assertThat(ids()).isEmpty();
      assertThat(lastRun().guardNote()).contains("report");

      runUntilRows(1);
      assertThat(lastRun().guardNote()).isEmpty();
    }
  }

  /** As soon as it has written, it counts however long it has been open. */
  @ParameterizedTest
  @EnumSource
  void aTransactionThatHasWrittenHoldsRunsAsLongAsItIsOpen(Reader reader) {
    task(reader, "ev:updated_at:timestamp", GuardRule.auto(SHORT, Duration.ZERO)).start();
    task.firstRun();
    try (Session a = session();
        Session b = session()) {
      a.run("BEGIN", "INSERT INTO ev(v) VALUES('a')");
      b.run("INSERT INTO ev(v) VALUES('b')");
      task.run();
      task.run();
      assertThat(ids()).isEmpty();
      a.run("COMMIT");
      task.run();
    }
    assertThat(ids()).containsExactly(1L, 2L);
  }

  @ParameterizedTest
  @EnumSource
  void transactionsOfOtherDatabasesAreLeftAlone(Reader reader) {
    guarded(reader).start();
    task.firstRun();
    TestingPostgres other = TestingPostgres.createDatabase();
    try (Session elsewhere = session("elsewhere", other);
        Session b = session()) {
      elsewhere.run("BEGIN", "CREATE TEMP TABLE t(id int)", "INSERT INTO t VALUES (1)");
      b.run("INSERT INTO ev(v) VALUES('b')");
      runUntilRows(1);
      assertThat(lastRun().guardNote()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void ourOwnReadersAreLeftAlone(Reader reader) {
    guarded(reader).start();
    task.firstRun();
    try (Session ours = session("lakexpress-other", task.postgres);
        Session b = session()) {
      ours.run("BEGIN", "SELECT count(*) FROM ev");
      b.run("INSERT INTO ev(v) VALUES('b')");
      runUntilRows(1);
      assertThat(lastRun().guardNote()).isEmpty();
    }
  }

  /** Whatever a session calls itself: once it has written, it counts. */
  @Test
  void aWriterThatCallsItselfOneOfOursIsSeen() {
    guarded(Reader.PLAIN).start();
    task.firstRun();
    try (Session disguised = session("lakexpress-other", task.postgres);
        Session b = session()) {
      disguised.run("BEGIN", "INSERT INTO ev(v) VALUES('a')");
      b.run("INSERT INTO ev(v) VALUES('b')");
      task.run();
      assertThat(lastRun().guardNote()).contains("lakexpress-other");
      disguised.run("COMMIT");
      task.run();
    }
    assertThat(ids()).containsExactly(1L, 2L);
  }

  /** A transaction in a savepoint has the number of the whole one. */
  @ParameterizedTest
  @EnumSource
  void aTransactionThatRolledBackToASavepointIsSeen(Reader reader) {
    guarded(reader).start();
    task.firstRun();
    try (Session a = session();
        Session b = session()) {
      a.run(
          "BEGIN",
          "SAVEPOINT s",
          "INSERT INTO ev(v) VALUES('gone')",
          "ROLLBACK TO s",
          "INSERT INTO ev(v) VALUES('a')");
      b.run("INSERT INTO ev(v) VALUES('b')");
      task.run();
      assertThat(ids()).isEmpty();
      a.run("COMMIT");
      task.run();
    }
    assertThat(ids()).containsExactly(2L, 3L);
  }

  /** The samples lie in the LakeXpress DB, so a restart takes nothing from them. */
  @Test
  void aRestartKeepsWhatEarlierRunsSaw() {
    guarded(Reader.PLAIN).start();
    task.firstRun();
    try (Session a = session();
        Session b = session()) {
      b.run("INSERT INTO ev(v) VALUES('b')");
      runUntilRows(1);
      a.run("BEGIN", "INSERT INTO ev(v) VALUES('a')");
      task.restart();
      task.run();
      assertThat(lastRun().upperBound()).isNotNull();
      assertThat(lastRun().guardNote()).startsWith("held back ").contains(" s by pid ");
      a.run("COMMIT");
      task.run();
    }
    assertThat(ids()).containsExactly(1L, 2L);
    assertThat(task.db.guard().samples(PostgresTask.SYNC)).hasSizeBetween(1, 20);
  }

  /** Waiting for a transaction that never ends must not keep a task from stopping. */
  @Test
  void stoppingDoesNotWaitForTransactions() {
    task(Reader.PLAIN, "ev:updated_at:timestamp", GuardRule.auto(Duration.ofMinutes(10), HOLD));
    try (Session a = session()) {
      a.run("BEGIN", "INSERT INTO ev(v) VALUES('a')");
      task.start();
      await().until(() -> isAsked(task.postgres));
      long before = System.nanoTime();
      task.stop();
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
      assertThat(task.db.runs().latestRun(PostgresTask.SYNC)).isEmpty();
    }
  }

  private boolean isAsked(TestingPostgres postgres) throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND application_name LIKE 'lakexpress-%' AND query LIKE '%pg_locks%'")) {
      rows.next();
      return rows.getInt(1) > 0;
    }
  }
}
