package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.jdbc.TestingSource.Row;
import io.lakexpress.connect.source.read.Activity;
import io.lakexpress.connect.source.read.OpenTransaction;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.connect.source.read.SourceException.Kind;
import io.lakexpress.watermark.Direction;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The source on a real SQL Server, where one can be started. */
@EnabledIf("io.lakexpress.connect.TestingSqlServer#isHere")
class SqlServerContainerTest {
  private final ContainedSqlServer database = new ContainedSqlServer();

  @AfterEach
  void close() {
    database.close();
  }

  /** From level 130 on a datetime beside a datetime2 is widened to exact thirds. */
  @ParameterizedTest
  @ValueSource(ints = {120, 130, 160})
  void s8DatetimeIsReadOnceWhateverWindowsMeetAtIt(int level) {
    database.run(
        "ALTER DATABASE CURRENT SET COMPATIBILITY_LEVEL = " + level,
        "CREATE TABLE d (id int PRIMARY KEY, updated_at datetime NOT NULL)",
        "INSERT d VALUES (1, '2024-01-01T00:00:00.003'), (2, '2024-01-01T00:00:00.007')");

    String third = "2024-01-01T00:00:00.003";
    assertThat(database.ids(database.first("d", "updated_at", third))).containsExactly(1);
    assertThat(window("d", "updated_at", third, "2024-01-01T00:00:00.0069", Direction.INCLUSIVE))
        .isEmpty();
    assertThat(window("d", "updated_at", third, "2024-01-01T00:00:00.007", Direction.INCLUSIVE))
        .containsExactly(2);
    assertThat(window("d", "updated_at", third, "2024-01-01T00:00:00.007", Direction.EXCLUSIVE))
        .containsExactly(1);
    assertThat(database.differencesOfCuts(database.first("d", "updated_at", "2025-01-01T00:00:00")))
        .isEmpty();
  }

  @Test
  void datetime2AndDatetimeoffsetKeepSevenDigits() {
    database.run(
        "CREATE TABLE t (id int PRIMARY KEY, a datetime2(7), o datetimeoffset(7))",
        "INSERT t VALUES (1, '2024-01-01T00:00:00.1234567', '2024-01-01T01:00:00.1234567+01:00'),"
            + " (2, '2024-01-01T00:00:00.1234568', '2024-01-01T00:00:00.1234568Z'),"
            + " (3, '0001-01-01', '0001-01-01T00:00:00Z'), (4, '1582-10-10', '1582-10-10T00:00:00Z')");

    String edge = "2024-01-01T00:00:00.1234567";
    assertThat(database.ids(database.first("t", "a", edge))).containsExactly(3, 4, 1);
    assertThat(database.ids(database.first("t", "o", edge + "Z"))).containsExactly(3, 4, 1);
    assertThat(window("t", "a", edge, "2025-01-01T00:00:00", Direction.INCLUSIVE))
        .containsExactly(2);
    assertThat(window("t", "o", edge + "Z", "2025-01-01T00:00:00Z", Direction.INCLUSIVE))
        .containsExactly(2);
    assertThat(database.differencesOfCuts(database.first("t", "a", "2025-01-01T00:00:00")))
        .isEmpty();
  }

  @Test
  void s18DecimalAndNumericAreTheSame() {
    database.run(
        "CREATE TABLE p (id int PRIMARY KEY, a numeric(9,0), b decimal(9,0), c numeric(18,6))",
        "INSERT p VALUES (1, 5, 5, 123456789012.123456)");

    Row row = database.rows(ReadRequest.full(database.table("p"))).get(0);

    assertThat(row.get("a")).isEqualTo(new BigDecimal("5"));
    assertThat(row.get("b")).isEqualTo(new BigDecimal("5"));
    assertThat(row.get("c")).isEqualTo(new BigDecimal("123456789012.123456"));
  }

  @Test
  void s19MoneyIsExact() {
    database.run(
        "CREATE TABLE m (id int PRIMARY KEY, x money, y smallmoney)",
        "INSERT m VALUES (1, 922337203685477.5807, -214748.3648)");

    Row row = database.rows(ReadRequest.full(database.table("m"))).get(0);

    assertThat(row.get("x")).isEqualTo(new BigDecimal("922337203685477.5807"));
    assertThat(row.get("y")).isEqualTo(new BigDecimal("-214748.3648"));
  }

  @Test
  void s34RowversionWindowsLoseNoLateCommit() throws SQLException {
    database.run(
        // So that reading does not wait for the writer's row.
        "ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON",
        "CREATE TABLE r (id int PRIMARY KEY, v int, rv rowversion)",
        "INSERT r (id, v) VALUES (1, 1)");
    try (Connection writer = database.server().connect();
        Statement late = writer.createStatement()) {
      writer.setAutoCommit(false);
      late.execute("INSERT r (id, v) VALUES (2, 1)");
      database.run("INSERT r (id, v) VALUES (3, 1)");

      long end = end();
      // Row 3 came after the one that is not committed yet, so it waits too.
      assertThat(versions(0, end)).containsExactly(1);

      writer.commit();
      long next = end();
      assertThat(versions(end, next)).containsExactly(2, 3);
      database.run("UPDATE r SET v = 2 WHERE id = 1");
      assertThat(versions(next, end())).containsExactly(1);
    }
  }

  private long end() {
    return database
        .source()
        .largest(database.table("r").id(), database.column("r", "rv"))
        .orElseThrow();
  }

  private List<Object> versions(long lower, long end) {
    return window("r", "rv", Long.toString(lower), Long.toString(end), Direction.EXCLUSIVE);
  }

  @Test
  void aSnapshotIsTheStateInWhichTheReadingBegan() {
    database.run(
        "ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON",
        "CREATE TABLE t (id int PRIMARY KEY, v int, pad char(2000) NOT NULL DEFAULT 'x')",
        "INSERT t (id, v) SELECT TOP (20000) ROW_NUMBER() OVER (ORDER BY (SELECT NULL)), 0"
            + " FROM sys.all_columns a CROSS JOIN sys.all_columns b");

    try (RowCursor cursor = database.source().read(ReadRequest.full(database.table("t")))) {
      assertThat(cursor.next()).isTrue();
      database.run("UPDATE t SET v = 1");
      int rows = 1;
      while (cursor.next()) {
        assertThat(cursor.value().get("v")).isEqualTo(0);
        rows++;
      }
      assertThat(rows).isEqualTo(20_000);
    }
  }

  @Test
  void withoutSnapshotReadingWaitsForWhatIsNotCommittedYet() throws SQLException {
    database.run("CREATE TABLE t (id int PRIMARY KEY, v int)", "INSERT t VALUES (1, 0)");
    ReadRequest request = ReadRequest.full(database.table("t"));
    try (Connection writer = database.server().connect();
        Statement update = writer.createStatement()) {
      writer.setAutoCommit(false);
      update.execute("UPDATE t SET v = 1");
      CompletableFuture<List<Row>> reading =
          CompletableFuture.supplyAsync(() -> database.rows(request));
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .during(Duration.ofSeconds(1))
          .until(() -> !reading.isDone());

      writer.commit();

      assertThat(reading.join()).extracting(row -> row.get("v")).containsExactly(1);
    }
  }

  @Test
  void tablesAndColumnsOfAnyNameAreRead() {
    database.run(
        "CREATE TABLE [o'dd. ]]\"t?] ([r] int PRIMARY KEY, [a ]]\"b?.c] datetime2(3))",
        "INSERT [o'dd. ]]\"t?] VALUES (7, '2024-01-01')");

    assertThat(database.rows(database.first("o'dd. ]\"t?", "a ]\"b?.c", "2024-01-01T00:00:00")))
        .extracting(row -> row.get("r"))
        .containsExactly(7);
  }

  @Test
  void everyRowOfATableWithoutKeyIsAResumePointEvenIfRowsAreIdentical() {
    database.run(
        "CREATE TABLE k (a int, b nvarchar(20), x xml, v sql_variant, [at] datetime2(7))",
        "INSERT k SELECT TOP (9) 1, NULL, '<a/>', 1, '2024-01-01' FROM sys.all_columns",
        "INSERT k SELECT TOP (9) column_id % 2, 'y', NULL, 'z', '2024-01-02' FROM sys.all_columns");

    ReadRequest request = database.first("k", "at", "2025-01-01T00:00:00");
    assertThat(database.rows(request)).hasSize(18);
    assertThat(database.differencesOfCuts(request)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uniqueidentifier|NEWID()",
        "varchar(20) COLLATE Latin1_General_CI_AI|LEFT(CONVERT(varchar(36), NEWID()), 20)",
        "nvarchar(20) COLLATE Japanese_XJIS_140_CS_AS|NCHAR(12354 + n) + N'x '",
        "char(5)|CHAR(65 + n)",
        "float|n / 3e0",
        "real|n / 7e0",
        "money|n / 7.0",
        "decimal(38,10)|n / 7.0",
        "datetime|DATEADD(ms, 3 * n, '2024-01-01')",
        "datetimeoffset(7)|DATEADD(ns, 100 * n, CAST('2024-01-01T00:00:00+05:30' AS"
            + " datetimeoffset(7)))",
        "time(7)|DATEADD(ns, 100 * n, CAST('23:59:59' AS time(7)))",
        "date|DATEADD(day, -n, CAST('1582-10-20' AS date))",
        "varbinary(20)|CAST(n * 7919 AS varbinary(20))",
        "bit|n % 2"
      })
  void everyRowOfAKeyOfAnyTypeIsAResumePoint(String typeAndValue) {
    int bar = typeAndValue.indexOf('|');
    database.run(
        "CREATE TABLE k (k "
            + typeAndValue.substring(0, bar)
            + " NOT NULL, n int NOT NULL,"
            + " [at] datetime NOT NULL, PRIMARY KEY (k, n))",
        "INSERT k SELECT "
            + typeAndValue.substring(bar + 1)
            + ", n, DATEADD(ms, 3 * (n / 7), '2024-01-01') FROM (SELECT TOP (20) CAST(ROW_NUMBER()"
            + " OVER (ORDER BY (SELECT NULL)) AS int) AS n FROM sys.all_columns) AS x");

    ReadRequest request = database.first("k", "at", "2025-01-01T00:00:00");
    assertThat(database.rows(request)).hasSize(20);
    assertThat(database.differencesOfCuts(request)).isEmpty();
  }

  @Test
  void aTableThatIsGoneLasts() {
    database.run("CREATE TABLE t (id int PRIMARY KEY)");
    ReadRequest request = ReadRequest.full(database.table("t"));
    database.run("DROP TABLE t");

    assertThatThrownBy(() -> database.rows(request))
        .isInstanceOfSatisfying(
            SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LASTING))
        .hasMessage("Cannot read dbo.t: it does not exist (any more)");
  }

  @Test
  void aTableThatMayNotBeReadIsRefusedWithTheReason() {
    String login = "reader_" + database.server().name();
    database.run(
        "CREATE TABLE t (id int PRIMARY KEY)",
        "CREATE LOGIN " + login + " WITH PASSWORD = 'Reader-1234'",
        "CREATE USER " + login + " FOR LOGIN " + login,
        "GRANT VIEW DEFINITION ON t TO " + login);

    try (JdbcSource reader = database.open(login, "Reader-1234")) {
      assertThat(reader.refusedRead(database.table("t").id()).orElseThrow())
          .contains("SELECT permission was denied");
    }
  }

  @Test
  void aKilledConnectionPassesAndTheNextCallConnectsAnew() {
    database.run(
        "CREATE TABLE t (id int PRIMARY KEY, pad char(4000) NOT NULL DEFAULT 'x')",
        "INSERT t (id) SELECT TOP (20000) ROW_NUMBER() OVER (ORDER BY (SELECT NULL))"
            + " FROM sys.all_columns a CROSS JOIN sys.all_columns b");
    ReadRequest request = ReadRequest.full(database.table("t"));

    try (RowCursor cursor = database.source().read(request)) {
      assertThat(cursor.next()).isTrue();
      database.run(
          "DECLARE @sql nvarchar(max) = (SELECT STRING_AGG(CONCAT('KILL ', session_id), ';')"
              + " FROM sys.dm_exec_sessions WHERE program_name = 'lakexpress-test'"
              + " AND database_id = DB_ID()); EXEC (@sql)");
      assertThatThrownBy(
              () -> {
                while (cursor.next()) {
                  assertThat(cursor.value()).isNotNull();
                }
              })
          .isInstanceOfSatisfying(
              SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PASSING));
    }
    assertThat(database.rows(request)).hasSize(20_000);
  }

  @Test
  void aRunningStatementIsCancelledWithinASecond() {
    database.run(
        "CREATE VIEW slow AS SELECT COUNT_BIG(*) AS n FROM sys.all_columns a"
            + " CROSS JOIN sys.all_columns b CROSS JOIN sys.all_columns c");
    ReadRequest request = ReadRequest.full(database.table("slow"));
    CompletableFuture<Throwable> reading =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                database.rows(request);
                return null;
              } catch (SourceException e) {
                return e;
              }
            });
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .during(Duration.ofMillis(500))
        .until(() -> !reading.isDone());

    database.source().cancel();

    Awaitility.await().atMost(Duration.ofSeconds(1)).until(reading::isDone);
    assertThat(reading.join())
        .isInstanceOfSatisfying(
            SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CANCELLED));
    assertThat(database.source().now()).isNotNull();
  }

  @Test
  void aWriterThatHasNotCommittedIsSeenWithItsAge() throws SQLException {
    database.run("CREATE TABLE t (id int PRIMARY KEY)");
    try (Connection writer = database.server().connect();
        Statement late = writer.createStatement()) {
      writer.setAutoCommit(false);
      Instant before = database.source().now();
      late.execute("INSERT t VALUES (1)");
      Instant after = database.source().now();

      List<OpenTransaction> open = writers();
      assertThat(open).hasSize(1);
      assertThat(open.get(0).who()).startsWith("session ");
      assertThat(open.get(0).began())
          .isBetween(before.minus(Duration.ofSeconds(1)), after.plus(Duration.ofSeconds(1)));

      writer.commit();
      assertThat(writers()).isEmpty();
    }
  }

  private List<OpenTransaction> writers() {
    assertThat(database.source().activity()).isInstanceOf(Activity.Seen.class);
    Activity.Seen seen = (Activity.Seen) database.source().activity();
    return seen.open().stream()
        .filter(transaction -> transaction.work() == OpenTransaction.Work.WRITTEN)
        .toList();
  }

  @Test
  void anIndexThatLeadsWithTheWatermarkIsSeen() {
    database.run(
        "CREATE TABLE t (id int PRIMARY KEY, [at] datetime2(3), other datetime2(3))",
        "CREATE INDEX t_at ON t ([at], id)");

    assertThat(database.source().hasIndexLeadingWith(database.table("t").id(), "at")).isTrue();
    assertThat(database.source().hasIndexLeadingWith(database.table("t").id(), "other")).isFalse();
  }

  private List<Object> window(
      String table, String column, String lower, String upper, Direction direction) {
    return database.ids(database.window(table, column, lower, upper, direction));
  }
}
