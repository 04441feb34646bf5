package io.lakexpress.connect.source.jdbc.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What Microsoft's driver makes of values on their way from the server. */
class DriverReadingTest {
  private static final LocalDateTime SKIPPED = LocalDateTime.parse("2024-03-10T02:30:00.1234567");

  private final TestingTdsServer server = TestingTdsServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  static Stream<Arguments> values() {
    OffsetDateTime offset = OffsetDateTime.parse("2024-03-10T02:30:00.1234567+05:30");
    byte[] version = {0, 0, 0, 0, 0, 0, 7, (byte) 0xD1};
    return Stream.of(
        Arguments.of(TdsType.tinyint(), 255, Short.class, (short) 255),
        Arguments.of(TdsType.smallint(), -3, Short.class, (short) -3),
        Arguments.of(TdsType.integer(), -7, Integer.class, -7),
        Arguments.of(TdsType.bigint(), Long.MIN_VALUE, Long.class, Long.MIN_VALUE),
        Arguments.of(TdsType.bit(), true, Boolean.class, true),
        same(TdsType.decimal(38, 10), new BigDecimal("-1234567890123456789012345678.0123456789")),
        same(TdsType.numeric(9, 2), new BigDecimal("5.00")),
        same(TdsType.money(), new BigDecimal("922337203685477.5807")),
        same(TdsType.money(), new BigDecimal("-922337203685477.5808")),
        same(TdsType.smallmoney(), new BigDecimal("-214748.3648")),
        same(TdsType.real(), 1.5f),
        same(TdsType.floating(), 2.25),
        same(TdsType.date(), LocalDate.parse("0001-01-01")),
        same(TdsType.date(), LocalDate.parse("1582-10-10")),
        same(TdsType.time(7), LocalTime.parse("23:59:59.9999999")),
        same(TdsType.time(0), LocalTime.parse("01:02:03")),
        Arguments.of(
            TdsType.datetime(),
            LocalDateTime.parse("2024-01-01T00:00:00.003333333"),
            LocalDateTime.class,
            LocalDateTime.parse("2024-01-01T00:00:00.003")),
        same(TdsType.datetime(), LocalDateTime.parse("1753-01-01T00:00:00")),
        same(TdsType.smalldatetime(), LocalDateTime.parse("2079-06-06T23:59:00")),
        same(TdsType.datetime2(7), SKIPPED),
        same(TdsType.datetime2(7), LocalDateTime.parse("9999-12-31T23:59:59.9999999")),
        same(TdsType.datetime2(7), LocalDateTime.parse("0001-01-01T00:00:00")),
        same(TdsType.datetime2(3), LocalDateTime.parse("2024-03-10T02:30:00.123")),
        same(TdsType.datetimeoffset(7), offset),
        same(TdsType.datetimeoffset(0), OffsetDateTime.parse("2024-03-10T02:30:00-08:00")),
        Arguments.of(
            TdsType.uniqueidentifier(),
            UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
            String.class,
            "00112233-4455-6677-8899-AABBCCDDEEFF"),
        same(TdsType.nvarchar(50), "grün 日本"),
        same(TdsType.nvarcharMax(), "long".repeat(5000)),
        same(TdsType.nchar(4), "ab  "),
        same(TdsType.varchar(10), "latin"),
        same(TdsType.varbinary(10), "ab".getBytes(StandardCharsets.UTF_8)),
        same(TdsType.varbinaryMax(), new byte[0]),
        same(TdsType.rowversion(), version),
        Arguments.of(TdsType.xml(), "<a>ü</a>", String.class, "<a>ü</a>"));
  }

  private static Arguments same(TdsType type, Object value) {
    return Arguments.of(type, value, value.getClass(), value);
  }

  @ParameterizedTest
  @MethodSource("values")
  void comeBackWithAllDigits(TdsType type, Object value, Class<?> as, Object expected)
      throws SQLException {
    server.answer(
        "^SELECT v",
        TdsAnswer.columns(TdsColumn.of("v", type)).row(value).row((Object) null).rows());

    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT v")) {
      assertThat(rows.next()).isTrue();
      assertThat(as == Short.class ? rows.getShort(1) : rows.getObject(1, as)).isEqualTo(expected);
      assertThat(rows.next()).isTrue();
      assertThat(rows.getObject(1)).isNull();
      assertThat(rows.next()).isFalse();
    }
  }

  @Test
  void localTimesInTheGapOfTheZoneOfTheProcessAreOnlyKeptAsLocalTimes() throws SQLException {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    server.answer(
        "^SELECT v",
        TdsAnswer.columns(TdsColumn.of("v", TdsType.datetime2(7))).row(SKIPPED).rows());
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT v")) {
      rows.next();
      assertThat(rows.getObject(1, LocalDateTime.class)).isEqualTo(SKIPPED);
      assertThat(rows.getString(1)).startsWith("2024-03-10 03:30");
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void metadataNamesTheTypes() throws SQLException {
    server.answer(
        "^SELECT v",
        TdsAnswer.columns(
                TdsColumn.of("m", TdsType.money()),
                TdsColumn.of("v", TdsType.rowversion()),
                TdsColumn.of("o", TdsType.datetimeoffset(3)))
            .rows());

    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT v")) {
      assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("money");
      assertThat(rows.getMetaData().getColumnTypeName(2)).isEqualTo("timestamp");
      assertThat(rows.getMetaData().getColumnTypeName(3)).isEqualTo("datetimeoffset");
      assertThat(rows.getMetaData().getScale(3)).isEqualTo(3);
    }
  }

  @Test
  void rowsAreTakenAsTheyAreReadNotAllAtOnce() throws SQLException {
    endless();
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement("SELECT many WHERE x > ?")) {
      statement.setInt(1, 1);
      ResultSet rows = statement.executeQuery();
      assertThat(rows.next()).isTrue();
      // The server stands still as soon as nobody takes what it sends.
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .pollInterval(Duration.ofMillis(100))
          .during(Duration.ofMillis(300))
          .until(server::bytesSent, sent -> sent < 8L << 20);
      statement.cancel();
    }
  }

  @Test
  void closingAHalfReadResultReadsTheRestUnlessItIsCancelled() throws SQLException {
    server.answer("^SELECT many", many(50_000));
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      ResultSet cancelled = statement.executeQuery("SELECT many");
      cancelled.next();
      statement.cancel();
      cancelled.close();
      assertThat(server.bytesSent()).isLessThan(8L << 20);

      ResultSet closed = statement.executeQuery("SELECT many");
      closed.next();
      closed.close();
      assertThat(server.bytesSent()).isGreaterThan(40L << 20);
    }
  }

  @Test
  void readingIsCancelledBetweenRowsToo() throws SQLException {
    endless();
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT many");
      assertThat(rows.next()).isTrue();
      statement.cancel();
      assertThatThrownBy(
              () -> {
                while (rows.next()) {
                  assertThat(rows.getInt(1)).isPositive();
                }
              })
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("HY008"));
      assertThat(connection.isValid(5)).isTrue();
    }
  }

  private void endless() {
    server.answer("^SELECT many", many(Integer.MAX_VALUE));
  }

  private static TdsAnswer many(int count) {
    String padding = "y".repeat(500);
    return TdsAnswer.columns(
            TdsColumn.of("id", TdsType.integer()), TdsColumn.of("pad", TdsType.nvarchar(1000)))
        .generated(count, i -> List.of(i, padding));
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(server.url(), "reader", "secret");
  }
}
