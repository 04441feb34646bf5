package io.lakexpress.connect;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.mssqlserver.MSSQLServerContainer;

/**
 * SQL Server in a container, where it is asked for ({@code -Ptestcontainers}) and Docker is. One
 * for all tests of a JVM; every test takes a database of its own.
 */
public final class TestingSqlServer {
  private static final boolean HERE = decide();
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final String database;

  private TestingSqlServer(String database) {
    this.database = database;
  }

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

  /** Whether suites that need it run. */
  public static boolean isHere() {
    return HERE;
  }

  private static boolean decide() {
    boolean isWanted = "testcontainers".equals(System.getProperty("lakexpress.fixtures"));
    if (isWanted && DockerClientFactory.instance().isDockerAvailable()) {
      return true;
    }
    System.out.println(
        isWanted
            ? "Skipped, no Docker here: the source on SQL Server"
            : "Skipped without -Ptestcontainers: the source on SQL Server");
    return false;
  }

  /** A new, empty database. */
  public static TestingSqlServer createDatabase() {
    TestingSqlServer created = new TestingSqlServer("test" + DATABASES.incrementAndGet());
    new TestingSqlServer("master").run("CREATE DATABASE " + created.database);
    return created;
  }

  public String name() {
    return database;
  }

  /** The JDBC URL, without user; the container's certificate is its own. */
  public String url() {
    return "jdbc:sqlserver://"
        + Server.CONTAINER.getHost()
        + ":"
        + Server.CONTAINER.getMappedPort(MSSQLServerContainer.MS_SQL_SERVER_PORT)
        + ";databaseName="
        + database
        + ";trustServerCertificate=true";
  }

  /** The administrator. */
  public String user() {
    return Server.CONTAINER.getUsername();
  }

  public String password() {
    return Server.CONTAINER.getPassword();
  }

  /** A connection of the caller's own. */
  public Connection connect() {
    try {
      return DriverManager.getConnection(url(), user(), password());
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot connect to " + url() + ": " + e.getMessage(), e);
    }
  }

  /** Runs statements, each in a batch and a transaction of its own. */
  public void run(String... statements) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot prepare the test database: " + e.getMessage(), e);
    }
  }
}
