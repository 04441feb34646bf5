package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Run;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testcontainers.mssqlserver.MSSQLServerContainer;

/** An incremental sync from SQL Server into the lake, where SQL Server can be started. */
@EnabledIf("io.lakexpress.stack.Containers#sqlServerIsHere")
@ExtendWith(StackExtension.class)
final class SqlServerSyncIT {
  private static MSSQLServerContainer sqlServer;

  private final TestingStack stack;

  SqlServerSyncIT(TestingStack stack) {
    this.stack = stack;
  }

  @BeforeAll
  static void start() {
    sqlServer = Containers.sqlServer();
  }

  @AfterAll
  static void stop() {
    sqlServer.stop();
  }

  @Test
  void whatIsNewOrChangedSinceTheLastRunAndNothingElseLands() throws SQLException {
    run("master", "CREATE DATABASE shop");
    run("shop", "ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON");
    run("shop", "CREATE SCHEMA [public]");
    run(
        "shop",
        """
        CREATE TABLE [public].orders (id int PRIMARY KEY, amount money NOT NULL,
          updated_at datetime NOT NULL DEFAULT GETUTCDATE());
        CREATE TABLE [public].items (id int PRIMARY KEY, name nvarchar(50) NOT NULL,
          [at] datetimeoffset(7) NOT NULL DEFAULT SYSDATETIMEOFFSET());
        CREATE TABLE [public].changes (id int PRIMARY KEY, v int NOT NULL, rv rowversion);
        INSERT [public].orders (id, amount) SELECT value, value + 0.0001
          FROM GENERATE_SERIES(1, 500);
        INSERT [public].items (id, name) SELECT value, N'日本' FROM GENERATE_SERIES(1, 300);
        INSERT [public].changes (id, v) SELECT value, 0 FROM GENERATE_SERIES(1, 200);
        """);
    try (TestingSync sync = stack.sync("sqlserver")) {
      sync.source("source.url", url("shop"))
          .source("source.user", sqlServer.getUsername())
          .source("source.password", sqlServer.getPassword())
          .source(
              "incremental.tables",
              "public.orders:updated_at:datetime,public.items:at:timestamp,"
                  + "public.changes:rv:rowversion")
          .start();

      Run first = sync.run();

      assertThat(sync.lakeRows("orders")).isEqualTo(500);
      assertThat(sync.lakeRows("items")).isEqualTo(300);
      assertThat(sync.lakeRows("changes")).isEqualTo(200);
      assertThat(sync.lake("orders", "SELECT sum(amount) FROM lake")).isEqualTo("125250.0500");
      assertThat(sync.job(first, "orders").mode()).isEqualTo(JobMode.FIRST_SYNC);

      run(
          "shop",
          """
          INSERT [public].orders (id, amount) VALUES (501, 1), (502, 2);
          INSERT [public].items (id, name) VALUES (301, N'late');
          UPDATE [public].changes SET v = 1 WHERE id <= 7;
          """);
      Run second = sync.run();

      assertThat(sync.job(second, "orders").rows()).isEqualTo(2);
      assertThat(sync.job(second, "items").rows()).isEqualTo(1);
      assertThat(sync.job(second, "changes").rows()).isEqualTo(7);
      assertThat(sync.lakeRows("orders")).isEqualTo(502);
      assertThat(sync.lake("orders", "SELECT count(DISTINCT id) FROM lake")).isEqualTo("502");
      assertThat(sync.lake("changes", "SELECT count(*) FROM lake WHERE v = 1")).isEqualTo("7");
      assertThat(sync.job(second, "items").lower()).isEqualTo(sync.job(first, "items").upper());

      Run third = sync.run();
      assertThat(sync.job(third, "orders").rows()).isZero();
      assertThat(sync.job(third, "changes").rows()).isZero();
    }
  }

  private static String url(String database) {
    return "jdbc:sqlserver://"
        + sqlServer.getHost()
        + ":"
        + sqlServer.getMappedPort(MSSQLServerContainer.MS_SQL_SERVER_PORT)
        + ";databaseName="
        + database
        + ";trustServerCertificate=true";
  }

  private static void run(String database, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                url(database), sqlServer.getUsername(), sqlServer.getPassword());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
