package io.lakexpress.lxdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.lakexpress.lxdb.FileLedger.Column;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.TestBooks;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How the LakeXpress DB is opened, migrated and awaited, and what is said when it cannot be. */
final class OpeningTest {
  static List<DatabaseTarget> emptyDatabases() {
    return List.of(TestingPostgres.newDatabase(), TestingSqlite.newDatabase());
  }

  private static LakexpressDbException failure(LakexpressDb db) {
    return catchThrowableOfType(LakexpressDbException.class, () -> db.runs().now());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @ParameterizedTest
  @MethodSource("emptyDatabases")
  void secondOpeningFindsWhatTheFirstLeft(DatabaseTarget target) {
    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      db.syncs().save("shop", "prod", "{}");
    }
    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      assertThat(db.syncs().find("shop")).isPresent();
    }
  }

  @ParameterizedTest
  @MethodSource("emptyDatabases")
  void severalMayMigrateAtOnce(DatabaseTarget target) throws Exception {
    int openers = 4;
    CyclicBarrier start = new CyclicBarrier(openers);
    Callable<Boolean> opener =
        () -> {
          try (LakexpressDb db = LakexpressDatabases.open(target)) {
            start.await();
            db.syncs().save("shop", "prod", "{}");
            return db.syncs().find("shop").isPresent();
          }
        };
    ExecutorService threads = Executors.newFixedThreadPool(openers);
    try {
      for (Future<Boolean> done : threads.invokeAll(List.of(opener, opener, opener, opener))) {
        assertThat(done.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @MethodSource("emptyDatabases")
  void severalProcessesWriteAtOnce(DatabaseTarget target) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    Callable<Boolean> writer =
        () -> {
          try (LakexpressDb db = LakexpressDatabases.open(target)) {
            for (int i = 0; i < 20; i++) {
              db.log().write("INFO", "shop", "", "", "event");
            }
          }
          return true;
        };
    try {
      for (Future<Boolean> done : threads.invokeAll(List.of(writer, writer, writer))) {
        assertThat(done.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      assertThat(db.log().events("shop", 100)).hasSize(60);
    }
  }

  @ParameterizedTest
  @MethodSource("emptyDatabases")
  void whoOnlyWaitsChangesNothingAndSaysWhatToDo(DatabaseTarget target) {
    try (LakexpressDb waiting = LakexpressDatabases.openAndWait(target, Duration.ofMillis(300))) {
      assertThat(failure(waiting))
          .hasMessage(
              "Cannot use the LakeXpress DB: its schema is at version none and was not migrated"
                  + " within 0 s; start the connector, or run 'LakeXpress lxdb init'")
          .matches(LakexpressDbException::isRetriable);

      try (LakexpressDb db = LakexpressDatabases.open(target)) {
        db.syncs().save("shop", "prod", "{}");
      }
      assertThat(waiting.syncs().find("shop")).isPresent();
    }
  }

  @Test
  void closingEndsTheWait() throws Exception {
    LakexpressDb waiting =
        LakexpressDatabases.openAndWait(TestingSqlite.newDatabase(), Duration.ofHours(1));
    AtomicReference<LakexpressDbException> failure = new AtomicReference<>();
    Thread waiter = new Thread(() -> failure.set(failure(waiting)), "waits-for-the-schema");
    waiter.start();
    await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);

    waiting.close();

    waiter.join(30_000);
    assertThat(failure.get()).hasMessageStartingWith("Cannot use the LakeXpress DB: its schema");
  }

  @ParameterizedTest
  @MethodSource("emptyDatabases")
  void emptiedTablesStayAndDroppedOnesGo(DatabaseTarget target) {
    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      Run run = db.runs().open(TestBooks.newRun("shop", TestBooks.export(TestBooks.ORDERS)));
      db.runs().open(TestBooks.newRun("other", TestBooks.export(TestBooks.ORDERS)));
      String job = TestBooks.jobOf(db, run, TestBooks.ORDERS).jobId();
      db.ledger().recordColumns(job, List.of(new Column("id", 1, "bigint", "INT64", "INT64")));

      LakexpressDatabases.truncate(target, "shop");
      assertThat(db.syncs().find("shop")).isEmpty();
      assertThat(db.ledger().columns(job)).isEmpty();
      assertThat(db.runs().openRun("other")).isPresent();

      LakexpressDatabases.truncate(target);
      assertThat(db.syncs().list()).isEmpty();
      assertThat(db.runs().runs("shop", 9)).isEmpty();
    }

    LakexpressDatabases.drop(target);
    LakexpressDatabases.drop(target);

    try (LakexpressDb waiting = LakexpressDatabases.openAndWait(target, Duration.ZERO)) {
      assertThat(failure(waiting)).hasMessageContaining("its schema is at version none");
    }
    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      assertThat(db.syncs().list()).isEmpty();
    }
  }

  @Test
  void tablesOfOthersInTheSchemaAreLeftAlone() {
    DatabaseTarget target = TestingPostgres.newDatabase();
    String database = target.url().substring(target.url().lastIndexOf('/') + 1);
    TestingPostgres.run(database, "CREATE TABLE orders (id int)", "INSERT INTO orders VALUES (1)");

    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      db.syncs().save("shop", "prod", "{}");
    }

    TestingPostgres.run(database, "SELECT 1 / count(*) FROM orders");
    TestingPostgres.run(database, "SELECT 1 / count(*) FROM lakexpress_schema_history");
  }

  @Test
  void schemaOfANewerVersionIsRefused() {
    DatabaseTarget target = TestingPostgres.newDatabase();
    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      assertThat(db.syncs().list()).isEmpty();
    }
    TestingPostgres.run(
        target.url().substring(target.url().lastIndexOf('/') + 1),
        "INSERT INTO lakexpress_schema_history (installed_rank, version, description, type, script,"
            + " installed_by, execution_time, success)"
            + " VALUES (99, '99', 'later', 'SQL', 'V99__later.sql', 'x', 1, true)");

    for (LakexpressDb db :
        List.of(
            LakexpressDatabases.open(target),
            LakexpressDatabases.openAndWait(target, Duration.ZERO))) {
      try (db) {
        assertThat(failure(db))
            .hasMessageContaining("its schema is at version 99, which a newer LakeXpress Connect")
            .matches(e -> !e.isRetriable());
      }
    }
  }

  @Test
  void databaseThatIsDownIsUsedOnceItIsUp() throws Exception {
    int port = freePort();
    DatabaseTarget target =
        new DatabaseTarget("jdbc:postgresql://localhost:" + port + "/postgres", "postgres", "");
    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      assertThat(failure(db))
          .hasMessageStartingWith("Cannot open the LakeXpress DB: ")
          .matches(LakexpressDbException::isRetriable);

      try (EmbeddedPostgres server = EmbeddedPostgres.builder().setPort(port).start()) {
        assertThat(server.getPort()).isEqualTo(port);
        db.syncs().save("shop", "prod", "{}");
        assertThat(db.syncs().find("shop")).isPresent();
      }

      assertThat(failure(db)).matches(LakexpressDbException::isRetriable);
    }
  }

  @Test
  void wrongPasswordIsSaidWithoutThePassword() {
    TestingPostgres.run(
        "postgres",
        "CREATE ROLE locked LOGIN PASSWORD 'right-one'",
        "DO $$ BEGIN EXECUTE format('COPY (VALUES (''host all locked all scram-sha-256''),"
            + " (''host all all all trust''), (''local all all trust'')) TO %L',"
            + " current_setting('hba_file')); END $$",
        "SELECT pg_reload_conf()");
    String url = TestingPostgres.newDatabase().url();
    DatabaseTarget target = new DatabaseTarget(url, "locked", "wr0ng-s3cret");

    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      assertThat(failure(db))
          .hasMessageContaining("password authentication failed for user \"locked\"")
          .matches(e -> !e.isRetriable())
          .satisfies(e -> assertThat(e).hasMessageNotContaining("wr0ng-s3cret"));
      assertThat(db.toString()).doesNotContain("wr0ng-s3cret");
    }
  }

  @Test
  void targetHidesItsSecrets() {
    assertThat(
            new DatabaseTarget(
                "jdbc:postgresql://db/x", "u", "s3cret", Map.of("sslpassword", "t0p")))
        .hasToString(
            "DatabaseTarget[url=jdbc:postgresql://db/x, user=u, properties=[sslpassword]]");
  }

  @Test
  void unknownDatabasesAreRefused() {
    assertThatThrownBy(
            () -> LakexpressDatabases.open(new DatabaseTarget("jdbc:mysql://db/x", "", "")))
        .hasMessage(
            "Invalid LakeXpress DB URL: expected one that starts with jdbc:postgresql:,"
                + " jdbc:sqlserver:, jdbc:sqlite:");
    assertThatThrownBy(
            () -> LakexpressDatabases.open(new DatabaseTarget("jdbc:sqlite::memory:", "", "")))
        .hasMessageStartingWith("Invalid LakeXpress DB URL 'jdbc:sqlite::memory:'");
  }

  @Test
  void sqliteFileInAMissingFolderIsALastingFailure(@TempDir Path folder) {
    Path file = folder.resolve("missing").resolve("lakexpress.db");
    try (LakexpressDb db =
        LakexpressDatabases.open(new DatabaseTarget("jdbc:sqlite:" + file, "", ""))) {
      assertThat(failure(db))
          .hasMessageContaining(folder.resolve("missing").toString())
          .matches(e -> !e.isRetriable());
    }
  }

  @Test
  void sqliteKeepsTimesAsReadableText(@TempDir Path folder) throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("lakexpress.db");
    try (LakexpressDb db = LakexpressDatabases.open(new DatabaseTarget(url, "", ""))) {
      db.syncs().save("shop", "prod", "{}");
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement();
          var rows =
              statement.executeQuery(
                  "SELECT created_at, (SELECT journal_mode FROM pragma_journal_mode) AS mode"
                      + " FROM sync_configurations")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString("created_at"))
            .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
        assertThat(rows.getString("mode")).isEqualTo("wal");
      }
    }
  }

  @Test
  void closedDatabaseSaysSo() {
    LakexpressDb db = LakexpressDatabases.open(TestingSqlite.newDatabase());
    db.close();

    assertThat(failure(db)).hasMessage("Cannot use the LakeXpress DB: it was closed");
  }

  /** Every lease ends in a long outage, also those of readers that are well. */
  @Test
  void whoeverSawAnOutageGivesLeasesTimeToBeRenewed() throws SQLException {
    DatabaseTarget target = TestingSqlite.newDatabase();
    DatabaseTarget impatient =
        new DatabaseTarget(target.url(), "", "", Map.of("busy_timeout", "20"));
    try (LakexpressDb witness = LakexpressDatabases.open(impatient);
        LakexpressDb other = LakexpressDatabases.open(target)) {
      Run run = witness.runs().open(TestBooks.newRun("shop", TestBooks.export(TestBooks.ORDERS)));
      witness.runs().claimNext(run.runId(), "task-0", TestBooks.DEAD);
      try (Connection blocker = DriverManager.getConnection(target.url());
          Statement statement = blocker.createStatement()) {
        statement.execute("BEGIN IMMEDIATE");
        assertThatThrownBy(() -> witness.syncs().requestRun("shop", "test"))
            .isInstanceOf(LakexpressDbException.class);
        statement.execute("ROLLBACK");
      }

      assertThat(witness.runs().failAbandoned("shop")).isEmpty();
      assertThat(other.runs().failAbandoned("shop")).hasSize(1);
    }
  }
}
