package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.jdbc.TestingSource.Row;
import io.lakexpress.connect.source.read.ReadRequest;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Date;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every type of a real SQL Server, where one can be started: a literal and what becomes of it. */
@EnabledIf("io.lakexpress.connect.TestingSqlServer#isHere")
class SqlServerContainerTypesTest {
  private final ContainedSqlServer database = new ContainedSqlServer();

  @AfterEach
  void close() {
    database.close();
  }

  static Stream<Arguments> types() {
    return Stream.of(
        Arguments.of("bit", "1", true),
        Arguments.of("tinyint", "255", (short) 255),
        Arguments.of("smallint", "-32768", Short.MIN_VALUE),
        Arguments.of("int", "-2147483648", Integer.MIN_VALUE),
        Arguments.of("bigint", "-9223372036854775808", Long.MIN_VALUE),
        Arguments.of(
            "decimal(38,0)",
            "99999999999999999999999999999999999999",
            new BigDecimal("99999999999999999999999999999999999999")),
        Arguments.of("numeric(5,2)", "-1.50", new BigDecimal("-1.50")),
        Arguments.of("money", "922337203685477.5807", new BigDecimal("922337203685477.5807")),
        Arguments.of("smallmoney", "-214748.3648", new BigDecimal("-214748.3648")),
        Arguments.of("real", "1.5", 1.5f),
        Arguments.of("float", "0.1", 0.1),
        Arguments.of("date", "'2024-01-01'", Date.toLogical(Date.SCHEMA, 19_723)),
        Arguments.of("time(7)", "'23:59:59.9999999'", 86_399_999_999L),
        Arguments.of("datetime", "'1969-12-31T23:59:59.997'", -3_000L),
        Arguments.of("smalldatetime", "'1970-01-01T00:01:00'", 60_000_000L),
        Arguments.of("datetime2(7)", "'1970-01-01T00:00:00.1234567'", 123_456L),
        Arguments.of("datetimeoffset(7)", "'1970-01-01T01:00:00.1234567+01:00'", 123_456L),
        Arguments.of("char(3)", "'a'", "a  "),
        Arguments.of("varchar(10) COLLATE Latin1_General_100_CI_AS_SC_UTF8", "N'ü'", "ü"),
        Arguments.of("nchar(3)", "N'日'", "日  "),
        Arguments.of(
            "nvarchar(max)", "REPLICATE(CAST(N'日' AS nvarchar(max)), 9000)", "日".repeat(9000)),
        Arguments.of("text", "'text'", "text"),
        Arguments.of("ntext", "N'日本'", "日本"),
        Arguments.of("binary(3)", "0x01FF", new byte[] {1, -1, 0}),
        Arguments.of("varbinary(max)", "0x", new byte[0]),
        Arguments.of("image", "0x00FF", new byte[] {0, -1}),
        Arguments.of(
            "uniqueidentifier",
            "'00112233-4455-6677-8899-aabbccddeeff'",
            "00112233-4455-6677-8899-AABBCCDDEEFF"),
        Arguments.of("xml", "N'<a>ü</a>'", "<a>ü</a>"),
        Arguments.of("sql_variant", "CAST(1.25 AS money)", "1.2500"),
        Arguments.of("sql_variant", "CAST('2024-01-01' AS date)", "2024-01-01"),
        Arguments.of("sql_variant", "CAST(0.1 AS float)", "1.0000000000000001e-001"),
        Arguments.of("hierarchyid", "CAST('/1/2/' AS hierarchyid)", "/1/2/"),
        Arguments.of("sysname", "N'name'", "name"));
  }

  @ParameterizedTest
  @MethodSource("types")
  void arriveAsTheyAre(String type, String literal, Object expected) {
    String nullable = type.equals("sysname") ? type + " NULL" : type;
    database.run(
        "CREATE TABLE t (id int PRIMARY KEY, v " + nullable + ")",
        "INSERT t VALUES (1, " + literal + "), (2, NULL)");

    List<Row> rows = database.rows(ReadRequest.full(database.table("t")));

    assertThat(rows.get(0).get("v")).isEqualTo(expected);
    assertThat(rows.get(1).get("v")).isNull();
  }
}
