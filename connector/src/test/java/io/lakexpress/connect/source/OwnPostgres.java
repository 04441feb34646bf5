package io.lakexpress.connect.source;

import io.lakexpress.connect.source.jdbc.SourceTarget;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A PostgreSQL server that a test may stop, start again, and give a standby. */
final class OwnPostgres implements AutoCloseable {
  private final Path data;
  private final int port;
  private final Map<String, String> settings;
  private EmbeddedPostgres server;

  private OwnPostgres(Path data, Map<String, String> settings) throws IOException {
    this.data = data;
    this.settings = settings;
    try (ServerSocket free = new ServerSocket(0)) {
      this.port = free.getLocalPort();
    }
  }

  /** A new, running server with its data in a folder that does not exist yet. */
  static OwnPostgres create(Path data) throws IOException {
    OwnPostgres created = new OwnPostgres(data, Map.of());
    created.start();
    return created;
  }

  /** A standby of this server, which is down for a moment. It never waits with what it replays. */
  OwnPostgres standby(Path copy) throws IOException {
    close();
    copyTo(copy);
    Files.createFile(copy.resolve("standby.signal"));
    Files.writeString(
        copy.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=localhost port=" + port + " user=postgres'\n",
        StandardOpenOption.APPEND);
    start();
    OwnPostgres standby = new OwnPostgres(copy, Map.of("max_standby_streaming_delay", "0"));
    standby.start();
    return standby;
  }

  private void copyTo(Path copy) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(data)) {
      all = found.toList();
    }
    for (Path one : all) {
      if (!one.endsWith("postmaster.pid")) {
        Path to = copy.resolve(data.relativize(one).toString());
        Files.copy(one, to, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  void start() throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setPort(port);
    settings.forEach(builder::setServerConfig);
    server = builder.start();
  }

  SourceTarget target() {
    return new SourceTarget(url(), "postgres", null, Map.of(), PostgresTask.SYNC);
  }

  private String url() {
    return "jdbc:postgresql://localhost:" + port + "/postgres";
  }

  /** Runs statements, each in a transaction of its own. */
  void run(String... statements) {
    try (Connection connection = DriverManager.getConnection(url(), "postgres", "");
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot run test SQL: " + e.getMessage(), e);
    }
  }

  /** Whether a query has an answer. */
  boolean has(String query) {
    try (Connection connection = DriverManager.getConnection(url(), "postgres", "");
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      return rows.next();
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot run test SQL: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    if (server != null) {
      server.close();
      server = null;
    }
  }
}
