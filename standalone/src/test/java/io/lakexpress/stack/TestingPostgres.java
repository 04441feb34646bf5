package io.lakexpress.stack;

import io.lakexpress.standalone.EmbeddedDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL server. Embedded, or Testcontainers' with -Ptestcontainers. */
final class TestingPostgres implements AutoCloseable {
  private final String urlPrefix;
  private final String user;
  private final String password;
  private final AutoCloseable server;

  private TestingPostgres(String urlPrefix, String user, String password, AutoCloseable server) {
    this.urlPrefix = urlPrefix;
    this.user = user;
    this.password = password;
    this.server = server;
  }

  static TestingPostgres start(Path directory) {
    if (Containers.wanted()) {
      var postgres = Containers.postgres();
      String url =
          "jdbc:postgresql://" + postgres.getHost() + ":" + postgres.getMappedPort(5432) + "/";
      return new TestingPostgres(
          url, postgres.getUsername(), postgres.getPassword(), postgres::stop);
    }
    return of(EmbeddedDatabase.start(directory));
  }

  static TestingPostgres of(EmbeddedDatabase database) {
    return new TestingPostgres(
        database.jdbcUrl(""), EmbeddedDatabase.USER, EmbeddedDatabase.PASSWORD, database);
  }

  String url(String database) {
    return urlPrefix + database;
  }

  String user() {
    return user;
  }

  String password() {
    return password;
  }

  void createDatabase(String name) {
    execute("postgres", "CREATE DATABASE \"" + name + "\"");
  }

  void execute(String database, String sql) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database), user, password);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (Exception e) {
      throw new IllegalStateException("Cannot stop PostgreSQL", e);
    }
  }
}
