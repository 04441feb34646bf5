package io.lakexpress.lxdb.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** One PostgreSQL server per JVM; every caller gets an empty database of its own. */
final class TestingPostgres {
  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static final EmbeddedPostgres SERVER = start();

  private TestingPostgres() {}

  private static EmbeddedPostgres start() {
    try {
      return EmbeddedPostgres.builder().start();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start PostgreSQL for the tests", e);
    }
  }

  static DatabaseTarget newDatabase() {
    String name = "lakexpress_" + DATABASES.incrementAndGet();
    run("postgres", "CREATE DATABASE " + name);
    return target(name, "postgres");
  }

  static DatabaseTarget target(String database, String password) {
    return new DatabaseTarget(
        "jdbc:postgresql://localhost:" + SERVER.getPort() + "/" + database,
        "postgres",
        password,
        Map.of());
  }

  /** Runs statements as the superuser. */
  static void run(String database, String... statements) {
    try (Connection connection = SERVER.getDatabase("postgres", database).getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot prepare the test database", e);
    }
  }
}
