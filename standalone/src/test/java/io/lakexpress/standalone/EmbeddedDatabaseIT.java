package io.lakexpress.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedDatabaseIT {
  private static final Map<String, String> FAST = Map.of("fsync", "off");

  @TempDir Path directory;

  @Test
  void theServerLeftByAKilledProcessGivesWayAndItsDataStays() throws Exception {
    Path data = directory.resolve("postgres");
    int port = ListenPorts.free();
    try (ChildProcess killed = ChildProcess.database(data, port, FAST, directory.resolve("logs"))) {
      assertThat(killed.awaitReady(Duration.ofMinutes(1)))
          .isEqualTo(
              "ready: postgres=postgresql://lakexpress:lakexpress@localhost:" + port + "/tpch");
      execute(port, "CREATE TABLE kept AS SELECT 42 AS answer");
      killed.kill();
      assertThat(query(port, "SELECT answer FROM kept")).isEqualTo("42");
    }

    try (EmbeddedDatabase next = EmbeddedDatabase.start(data, port, FAST)) {
      assertThat(query(next.port(), "SELECT answer FROM kept")).isEqualTo("42");
    }
  }

  @Test
  void aClusterWhoseMakingWasCutShortIsMadeAnew() throws Exception {
    Path data = directory.resolve("postgres");
    Files.createDirectories(data.resolve("cluster").resolve("base"));
    Files.writeString(data.resolve("cluster").resolve("postgresql.conf"), "half");

    try (EmbeddedDatabase database = EmbeddedDatabase.start(data, ListenPorts.free(), FAST)) {
      assertThat(query(database.port(), "SELECT current_user")).isEqualTo("lakexpress");
    }
  }

  @Test
  void theServerStandsInUtcAsksForThePasswordAndHasBothDatabases() throws Exception {
    try (EmbeddedDatabase database =
        EmbeddedDatabase.start(directory.resolve("postgres"), ListenPorts.free(), FAST)) {
      assertThat(query(database.port(), "SHOW server_version")).startsWith("18.");
      // A session stands in the zone of its JVM; what the server was started with is in this file.
      assertThat(directory.resolve("postgres/cluster/postmaster.opts"))
          .content()
          .contains("timezone=UTC");
      assertThat(
              query(
                  database.port(),
                  "SELECT string_agg(datname, ' ' ORDER BY datname) FROM pg_database"
                      + " WHERE datname IN ('tpch', 'lakexpress')"))
          .isEqualTo("lakexpress tpch");
      assertThatThrownBy(
              () -> DriverManager.getConnection(database.jdbcUrl("tpch"), "lakexpress", "wrong"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("password authentication failed");
    }
  }

  private static void execute(int port, String sql) throws SQLException {
    try (Connection connection = connect(port);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(int port, String sql) throws SQLException {
    try (Connection connection = connect(port);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }

  private static Connection connect(int port) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://localhost:" + port + "/tpch", "lakexpress", "lakexpress");
  }
}
