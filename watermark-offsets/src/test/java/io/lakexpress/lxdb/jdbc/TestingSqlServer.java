package io.lakexpress.lxdb.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.mssqlserver.MSSQLServerContainer;

/**
 * SQL Server in a container, where it is asked for ({@code -Ptestcontainers}) and Docker is. One
 * per JVM; every caller gets an empty database of its own.
 */
final class TestingSqlServer {
  private static final boolean HERE = decide();
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private TestingSqlServer() {}

  /** Started by the first who needs it. */
  private static final class Server {
    private static final MSSQLServerContainer CONTAINER = start();

    private static MSSQLServerContainer start() {
      MSSQLServerContainer container =
          new MSSQLServerContainer("mcr.microsoft.com/mssql/server:2022-latest").acceptLicense();
      container.start();
      return container;
    }
  }

  static boolean isHere() {
    return HERE;
  }

  private static boolean decide() {
    boolean isWanted = "testcontainers".equals(System.getProperty("lakexpress.fixtures"));
    if (isWanted && DockerClientFactory.instance().isDockerAvailable()) {
      return true;
    }
    System.out.println(
        isWanted
            ? "Skipped, no Docker here: the LakeXpress DB on SQL Server"
            : "Skipped without -Ptestcontainers: the LakeXpress DB on SQL Server");
    return false;
  }

  /** A database with options after its name, like {@code COLLATE Turkish_100_CI_AS}. */
  static DatabaseTarget newDatabase(String options) {
    String name = "lakexpress_" + DATABASES.incrementAndGet();
    run("master", "CREATE DATABASE " + name + " " + options);
    return target(name);
  }

  static DatabaseTarget target(String database) {
    return new DatabaseTarget(
        "jdbc:sqlserver://"
            + Server.CONTAINER.getHost()
            + ":"
            + Server.CONTAINER.getMappedPort(MSSQLServerContainer.MS_SQL_SERVER_PORT)
            + ";databaseName="
            + database,
        Server.CONTAINER.getUsername(),
        Server.CONTAINER.getPassword(),
        // The container's certificate is its own.
        Map.of("trustServerCertificate", "true"));
  }

  static void run(String database, String... statements) {
    DatabaseTarget target = target(database);
    try (Connection connection = new DriverSource(Flavour.SQLSERVER, target).getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot prepare the test database", e);
    }
  }
}
