package io.lakexpress.connect;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** One PostgreSQL server for all tests of a JVM; every test takes a database of its own. */
public final class TestingPostgres {
  private static final String USER = "postgres";
  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static EmbeddedPostgres server;

  private final String database;

  private TestingPostgres(String database) {
    this.database = database;
  }

  /** A new, empty database; starts the server on the first call. */
  public static synchronized TestingPostgres createDatabase() {
    try {
      if (server == null) {
        server =
            EmbeddedPostgres.builder().setServerConfig("max_prepared_transactions", "10").start();
      }
      TestingPostgres created = new TestingPostgres("test" + DATABASES.incrementAndGet());
      new TestingPostgres("postgres").run("CREATE DATABASE " + created.database);
      return created;
    } catch (IOException e) {
      throw new IllegalStateException("Cannot start PostgreSQL for tests: " + e.getMessage(), e);
    }
  }

  /** The JDBC URL, without user. */
  public String url() {
    return "jdbc:postgresql://localhost:" + server.getPort() + "/" + database;
  }

  /** A superuser, who needs no password. */
  public String user() {
    return USER;
  }

  public String name() {
    return database;
  }

  /** A connection of the caller's own. */
  public Connection connect() {
    try {
      return DriverManager.getConnection(url(), USER, "");
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot connect to " + url() + ": " + e.getMessage(), e);
    }
  }

  /** Runs statements, each in a transaction of its own. */
  public TestingPostgres run(String... statements) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      return this;
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot run test SQL: " + e.getMessage(), e);
    }
  }
}
