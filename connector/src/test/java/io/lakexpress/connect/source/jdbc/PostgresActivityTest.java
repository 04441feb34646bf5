package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.TestingPostgres;
import io.lakexpress.connect.source.read.Activity;
import io.lakexpress.connect.source.read.OpenTransaction;
import io.lakexpress.connect.source.read.OpenTransaction.Work;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What PostgreSQL shows of its open transactions. */
class PostgresActivityTest {
  private static final TestingPostgres POSTGRES = TestingPostgres.createDatabase();
  private static final String WRITER = "writer_" + POSTGRES.name();
  private static final String PLAIN = "plain_" + POSTGRES.name();

  @BeforeAll
  static void createRoles() {
    POSTGRES.run(
        "CREATE ROLE " + WRITER + " LOGIN",
        "CREATE ROLE " + PLAIN + " LOGIN",
        "CREATE TABLE t(id int)",
        "GRANT INSERT, SELECT ON t TO " + WRITER);
  }

  @AfterAll
  static void dropRoles() {
    POSTGRES.run("DROP OWNED BY " + WRITER, "DROP ROLE " + WRITER, "DROP ROLE " + PLAIN);
  }

  private static JdbcSource source(String url, String user) {
    return JdbcSource.open(
        new SourceTarget(url, user, null, Map.of(), "shop"), ReadSettings.defaults());
  }

  private static Activity.Seen seenBy(String user) {
    try (JdbcSource source = source(POSTGRES.url(), user)) {
      return (Activity.Seen) source.activity();
    }
  }

  private static Optional<OpenTransaction> written(String user) {
    return seenBy(user).open().stream().filter(one -> one.who().contains(WRITER)).findFirst();
  }

  private interface Inside {
    void run(Statement statement) throws SQLException;
  }

  private static void inTransaction(String application, Inside inside) throws SQLException {
    String url = POSTGRES.url() + "?ApplicationName=" + application;
    try (Connection connection = DriverManager.getConnection(url, WRITER, "");
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      inside.run(statement);
      statement.execute("ROLLBACK");
    }
  }

  @Test
  void aPlainRoleSeesWhoseTransactionsAreOpenAndWhetherTheyHaveWritten() throws SQLException {
    inTransaction(
        "orders",
        statement -> {
          OpenTransaction reading = written(PLAIN).orElseThrow();
          assertThat(reading.work()).isEqualTo(Work.READ);
          assertThat(reading.who()).matches("pid [0-9]+ \\(user " + WRITER + ", orders\\)");

          statement.execute("INSERT INTO t VALUES (1)");

          OpenTransaction writing = written(PLAIN).orElseThrow();
          assertThat(writing.work()).isEqualTo(Work.WRITTEN);
          assertThat(writing.began()).isNull();
          assertThat(writing.names()).hasSize(2).containsAll(reading.names());
        });
    assertThat(written(PLAIN)).isEmpty();
  }

  @Test
  void aRoleWithRightsSeesWhenTheyBeganAndThatTheyIdle() throws SQLException {
    inTransaction(
        "orders",
        statement -> {
          OpenTransaction seen = written(POSTGRES.user()).orElseThrow();
          assertThat(seen.began()).isNotNull();
          assertThat(seen.who()).endsWith("(user " + WRITER + ", orders, idle in transaction)");
        });
  }

  @Test
  void readersOfOursAreKnownByTheirName() throws SQLException {
    inTransaction(
        "lakexpress-shop",
        statement -> assertThat(written(PLAIN)).map(OpenTransaction::work).contains(Work.OURS));
  }

  @Test
  void aPreparedTransactionKeepsTheNamesOfItsSession() throws SQLException {
    String name = "kept_" + POSTGRES.name();
    inTransaction(
        "orders",
        statement -> {
          statement.execute("INSERT INTO t VALUES (1)");
          OpenTransaction before = written(PLAIN).orElseThrow();
          statement.execute("PREPARE TRANSACTION '" + name + "'");
          OpenTransaction after = written(PLAIN).orElseThrow();
          statement.execute("ROLLBACK PREPARED '" + name + "'");

          assertThat(after.work()).isEqualTo(Work.WRITTEN);
          assertThat(after.who())
              .isEqualTo("prepared transaction '" + name + "' (user " + WRITER + ")");
          assertThat(after.names()).containsExactlyInAnyOrderElementsOf(before.names());
        });
  }

  @Test
  void itsOwnConnectionIsNotAmongThem() {
    assertThat(seenBy(PLAIN).open()).noneMatch(one -> one.who().contains(PLAIN));
  }

  @Test
  void placesTellDatabasesApart() {
    try (JdbcSource other = source(TestingPostgres.createDatabase().url(), POSTGRES.user())) {
      assertThat(((Activity.Seen) other.activity()).place()).isNotEqualTo(seenBy(PLAIN).place());
    }
    assertThat(seenBy(PLAIN).place()).isEqualTo(seenBy(POSTGRES.user()).place());
  }

  /** Prepared transactions outlive the server, their sessions' names do not. */
  @Test
  void aRestartedServerKnowsPreparedTransactionsByTheirNumberAndAStandbyKnowsNone(
      @TempDir Path folder) throws IOException, SQLException {
    Path data = folder.resolve("data");
    try (EmbeddedPostgres first = server(data);
        Connection connection = first.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t(id int)");
      statement.execute("BEGIN");
      statement.execute("INSERT INTO t VALUES (1)");
      statement.execute("PREPARE TRANSACTION 'survivor'");
    }
    try (EmbeddedPostgres restarted = server(data);
        JdbcSource source = source(url(restarted), "postgres")) {
      assertThat(((Activity.Seen) source.activity()).open())
          .filteredOn(one -> one.who().startsWith("prepared transaction 'survivor'"))
          .singleElement()
          .satisfies(
              one -> {
                assertThat(one.work()).isEqualTo(Work.DETACHED);
                assertThat(one.names()).hasSize(1);
              });
    }
    Files.createFile(data.resolve("standby.signal"));
    try (EmbeddedPostgres standby = server(data);
        JdbcSource source = source(url(standby), "postgres")) {
      assertThat(source.activity())
          .isInstanceOfSatisfying(
              Activity.Hidden.class,
              hidden -> assertThat(hidden.reason()).contains("the server is a standby"));
    }
  }

  private static EmbeddedPostgres server(Path data) throws IOException {
    return EmbeddedPostgres.builder()
        .setDataDirectory(data)
        .setCleanDataDirectory(false)
        .setServerConfig("max_prepared_transactions", "10")
        .start();
  }

  private static String url(EmbeddedPostgres server) {
    return "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
  }
}
