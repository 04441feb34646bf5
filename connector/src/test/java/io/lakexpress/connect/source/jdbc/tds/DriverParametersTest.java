package io.lakexpress.connect.source.jdbc.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What Microsoft's driver makes of bound values on their way to the server. */
class DriverParametersTest {
  private final TestingTdsServer server =
      TestingTdsServer.start().answer("^bind ", TdsAnswer.updated(1));

  @AfterEach
  void stop() {
    server.close();
  }

  static Stream<Arguments> values() {
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    return Stream.of(
        sent(LocalDate.parse("2024-03-10"), "date"),
        sent(LocalDateTime.parse("2024-03-10T02:30:00.1234567"), "datetime2(7)"),
        sent(LocalDateTime.parse("1969-12-31T23:59:59.5"), "datetime2(7)"),
        sent(OffsetDateTime.parse("2024-03-10T02:30:00.1234567+05:30"), "datetimeoffset(7)"),
        sent(LocalTime.parse("02:30:00.1234567"), "time(7)"),
        Arguments.of(1, "int", 1L),
        Arguments.of((short) 3, "smallint", 3L),
        sent(2L, "bigint"),
        sent(new BigDecimal("123.4500"), "decimal(38,4)"),
        sent(1.5, "float"),
        sent(true, "bit"),
        sent("grün 日本", "nvarchar(4000)"),
        sent("x".repeat(5000), "nvarchar(max)"),
        sent(new byte[] {0, 7, (byte) 0xD1}, "varbinary(8000)"),
        sent(uuid, "uniqueidentifier"));
  }

  private static Arguments sent(Object value, String type) {
    return Arguments.of(value, type, value);
  }

  @ParameterizedTest
  @MethodSource("values")
  void arriveWithTypeAndValue(Object value, String type, Object expected) throws SQLException {
    TdsParameter parameter = bound(value, ";sendTimeAsDatetime=false");

    assertThat(parameter.type()).isEqualTo(type);
    assertThat(parameter.value()).isEqualTo(expected);
  }

  @Test
  void nullWithoutTypeArrivesAsText() throws SQLException {
    assertThat(bound(null, "")).isEqualTo(new TdsParameter("", "nvarchar(4000)", null));
  }

  @Test
  void localTimesInTheGapOfTheZoneOfTheProcessAreKept() throws SQLException {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    try {
      LocalDateTime skipped = LocalDateTime.parse("2024-03-10T02:30:00.1234567");

      assertThat(bound(skipped, "").value()).isEqualTo(skipped);
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void timesLoseTheirDigitsUnlessTheDriverIsTold() throws SQLException {
    TdsParameter parameter = bound(LocalTime.parse("02:30:00.1234567"), "");

    assertThat(parameter.type()).isEqualTo("datetime");
    assertThat(parameter.value()).isEqualTo(LocalDateTime.parse("1970-01-01T02:30:00.123"));
  }

  @Test
  void digitsBeyondTheSeventhAreRoundedNotCut() throws SQLException {
    assertThat(bound(LocalDateTime.parse("2024-03-10T02:30:00.123456789"), "").value())
        .isEqualTo(LocalDateTime.parse("2024-03-10T02:30:00.1234568"));
  }

  @Test
  void daysBeforeTheGregorianCalendarAreShiftedSoTheyMustBeSentAsText() throws SQLException {
    assertThat(bound(LocalDate.parse("1582-10-14"), "").value())
        .isEqualTo(LocalDate.parse("1582-10-24"));
    assertThat(bound(OffsetDateTime.parse("1500-02-28T00:00:00Z"), "").value())
        .isEqualTo(OffsetDateTime.parse("1500-02-19T00:00:00Z"));
  }

  @Test
  void statementsArePreparedAtTheirSecondExecution() throws SQLException {
    try (Connection connection = connect("");
        PreparedStatement statement = connection.prepareStatement("bind ?")) {
      for (int i = 0; i < 3; i++) {
        statement.setInt(1, i);
        assertThat(statement.executeUpdate()).isEqualTo(1);
      }
    }

    assertThat(server.statements())
        .extracting(TdsStatement::procedure, TdsStatement::sql, TdsStatement::declaration)
        .containsExactly(
            tuple("sp_executesql", "bind @P0", "@P0 int"),
            tuple("sp_prepexec", "bind @P0", "@P0 int"),
            tuple("sp_execute", "bind @P0", "@P0 int"));
    assertThat(server.statements())
        .extracting(statement -> statement.parameter(0).value())
        .isEqualTo(List.of(0L, 1L, 2L));
  }

  @Test
  void numbersThatTheServerGaveAreAskedForInTheSameStatement() throws SQLException {
    server.answer(
        "^INSERT",
        TdsAnswer.updated(1)
            .then(
                TdsAnswer.columns(TdsColumn.of("GENERATED_KEYS", TdsType.numeric(38, 0)))
                    .row(BigDecimal.valueOf(42))
                    .rows()));

    try (Connection connection = connect("");
        PreparedStatement statement =
            connection.prepareStatement("INSERT INTO t (a) VALUES (?)", new String[] {"id"})) {
      statement.setInt(1, 1);
      assertThat(statement.executeUpdate()).isEqualTo(1);
      try (ResultSet keys = statement.getGeneratedKeys()) {
        assertThat(keys.next()).isTrue();
        assertThat(keys.getLong(1)).isEqualTo(42);
      }
    }
    assertThat(server.last("^INSERT").sql())
        .startsWith("INSERT INTO t (a) VALUES (@P0) select SCOPE_IDENTITY() AS GENERATED_KEYS");
  }

  private TdsParameter bound(Object value, String properties) throws SQLException {
    try (Connection connection = connect(properties);
        PreparedStatement statement = connection.prepareStatement("bind ?")) {
      statement.setObject(1, value);
      statement.executeUpdate();
    }
    return server.last("^bind ").parameter(0);
  }

  private Connection connect(String properties) throws SQLException {
    return DriverManager.getConnection(server.url() + properties, "reader", "secret");
  }
}
