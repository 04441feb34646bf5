package io.lakexpress.standalone;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A real PostgreSQL server on the loopback address, in time zone UTC, with the superuser {@value
 * #USER} (password the same) and the databases {@value #SOURCE_DATABASE} and {@value
 * #LAKEXPRESS_DATABASE}.
 *
 * <p>The server is a process of its own and outlives a killed JVM; the next start on the same
 * directory stops what was left and goes on with its data. It runs as root and as an ordinary user.
 */
public final class EmbeddedDatabase implements AutoCloseable {
  public static final String USER = "lakexpress";
  public static final String PASSWORD = "lakexpress";
  public static final String SOURCE_DATABASE = "tpch";
  public static final String LAKEXPRESS_DATABASE = "lakexpress";

  /** Unlike the library's default, what a lasting directory holds survives a power cut. */
  private static final Map<String, String> SERVER_SETTINGS =
      Map.of(
          "fsync", "on",
          "timezone", "UTC",
          "log_timezone", "UTC",
          "listen_addresses", "localhost",
          // Nobody connects that way, and a socket in /tmp could clash with another server's.
          "unix_socket_directories", "");

  /** The library looks in as postgres; everybody else shows the password. */
  private static final List<String> HOST_RULES =
      List.of(
          "host all postgres 127.0.0.1/32 trust",
          "host all postgres ::1/128 trust",
          "host all all 127.0.0.1/32 scram-sha-256",
          "host all all ::1/128 scram-sha-256");

  private final EmbeddedPostgres server;
  private final DirectoryLock lock;
  private final int port;

  private EmbeddedDatabase(EmbeddedPostgres server, DirectoryLock lock, int port) {
    this.server = server;
    this.lock = lock;
    this.port = port;
  }

  /** Starts a server on any free port. */
  public static EmbeddedDatabase start(Path dataDirectory) {
    return start(dataDirectory, ListenPorts.free(), Map.of());
  }

  /**
   * Starts a server and returns when it serves requests.
   *
   * @param overrides server settings that win over the stack's own, as {@code postgres -c} takes
   *     them
   */
  public static EmbeddedDatabase start(
      Path dataDirectory, int port, Map<String, String> overrides) {
    DirectoryLock lock = DirectoryLock.acquire(dataDirectory);
    try {
      DatabaseCluster cluster = new DatabaseCluster(dataDirectory);
      cluster.stopLeftover();
      ListenPorts.requireFree(port, "--postgres-port");
      cluster.discardUnfinished();
      EmbeddedPostgres server = startServer(cluster, port, overrides);
      finish(cluster, server);
      return new EmbeddedDatabase(server, lock, port);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static EmbeddedPostgres startServer(
      DatabaseCluster cluster, int port, Map<String, String> overrides) {
    Map<String, String> settings = new HashMap<>(SERVER_SETTINGS);
    settings.putAll(overrides);
    Redirect log = Redirect.appendTo(cluster.log().toFile());
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(cluster.directory())
            .setCleanDataDirectory(false)
            .setDataDirectoryCustomizer(EmbeddedDatabase::writeHostRules)
            .setPort(port)
            .setPGStartupWait(Duration.ofMinutes(1))
            .setOutputRedirector(log)
            .setErrorRedirector(log);
    settings.forEach(builder::setServerConfig);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new StackException(
          "Cannot start PostgreSQL: " + e.getMessage() + "; see " + cluster.log(), e);
    }
  }

  private static void writeHostRules(File directory) {
    try {
      Files.write(directory.toPath().resolve("pg_hba.conf"), HOST_RULES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A cluster's first start gives it what everybody finds there. */
  private static void finish(DatabaseCluster cluster, EmbeddedPostgres server) {
    if (cluster.isFinished()) {
      return;
    }
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE " + USER + " SUPERUSER LOGIN PASSWORD '" + PASSWORD + "'");
      statement.execute("CREATE DATABASE " + SOURCE_DATABASE + " OWNER " + USER);
      statement.execute("CREATE DATABASE " + LAKEXPRESS_DATABASE + " OWNER " + USER);
    } catch (SQLException e) {
      stop(server);
      throw new StackException("Cannot prepare PostgreSQL: " + e.getMessage(), e);
    }
    cluster.markFinished();
  }

  private static void stop(EmbeddedPostgres server) {
    try {
      server.close();
    } catch (IOException e) {
      throw new StackException("Cannot stop PostgreSQL: " + e.getMessage(), e);
    }
  }

  public int port() {
    return port;
  }

  /** The JDBC URL of a database, without user and password. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:" + port + "/" + database;
  }

  /** The URI of a database as {@code psql} takes it, with user and password. */
  public String uri(String database) {
    return "postgresql://" + USER + ":" + PASSWORD + "@localhost:" + port + "/" + database;
  }

  /** A new connection as the superuser. */
  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database), USER, PASSWORD);
  }

  /** Stops the server without waiting for its clients, and waits for it. */
  @Override
  public void close() {
    try {
      stop(server);
    } finally {
      lock.close();
    }
  }
}
