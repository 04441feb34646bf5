package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.jdbc.WatermarkForm.Rounding;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.UpperBound;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlServerWatermarkTest {
  private static SqlServerWatermark watermark(String declared) {
    SqlServerType type = SqlServerTables.type(declared);
    return new SqlServerWatermark(
        type, SqlServerWatermarks.column("c", type.declared()).orElseThrow());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          date              | DATE       | 0 | PT1S
          datetime          | LOCAL_TIME | 3 | PT0.01S
          smalldatetime     | LOCAL_TIME | 0 | PT1M
          datetime2(0)      | LOCAL_TIME | 0 | PT1S
          datetime2(3)      | LOCAL_TIME | 3 | PT0.001S
          datetime2(7)      | LOCAL_TIME | 7 | PT0.0000001S
          datetimeoffset(7) | INSTANT    | 7 | PT0.0000001S
          tinyint           | INTEGER    | 0 | PT1S
          bigint            | INTEGER    | 0 | PT1S
          decimal(38,0)     | INTEGER    | 0 | PT1S
          numeric(9,0)      | INTEGER    | 0 | PT1S
          rowversion        | ROWVERSION | 0 | PT1S
          """)
  void columnsThatGrow(String declared, ColumnKind kind, int digits, Duration step) {
    assertThat(SqlServerWatermarks.column("c", SqlServerTables.type(declared).declared()))
        .contains(new WatermarkColumn("c", kind, digits, step));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "time(7)",
        "decimal(9,2)",
        "float",
        "money",
        "bit",
        "varchar(30)",
        "binary(8)",
        "uniqueidentifier",
        "xml",
        "sql_variant",
        "hierarchyid"
      })
  void columnsThatDoNot(String declared) {
    assertThat(SqlServerWatermarks.column("c", SqlServerTables.type(declared).declared()))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2024-01-01T00:00:00         | 2024-01-01T00:00:00.000 | 2024-01-01T00:00:00.000
          2024-01-01T00:00:00.001     | 2024-01-01T00:00:00.000 | 2024-01-01T00:00:00.003
          2024-01-01T00:00:00.003     | 2024-01-01T00:00:00.003 | 2024-01-01T00:00:00.003
          2024-01-01T00:00:00.0033333 | 2024-01-01T00:00:00.003 | 2024-01-01T00:00:00.007
          2024-01-01T00:00:00.006     | 2024-01-01T00:00:00.003 | 2024-01-01T00:00:00.007
          2024-01-01T00:00:00.0066667 | 2024-01-01T00:00:00.003 | 2024-01-01T00:00:00.007
          2024-01-01T00:00:00.007     | 2024-01-01T00:00:00.007 | 2024-01-01T00:00:00.007
          2024-01-01T00:00:00.857     | 2024-01-01T00:00:00.857 | 2024-01-01T00:00:00.857
          2024-01-01T00:00:00.9979999 | 2024-01-01T00:00:00.997 | 2024-01-01T00:00:01.000
          2024-12-31T23:59:59.999     | 2024-12-31T23:59:59.997 | 2025-01-01T00:00:00.000
          1969-12-31T23:59:59.005     | 1969-12-31T23:59:59.003 | 1969-12-31T23:59:59.007
          """)
  void s8DatetimeBoundsLieOnATick(String bound, String down, String up) {
    SqlServerWatermark datetime = watermark("datetime");
    WatermarkValue value = WatermarkValue.parse(ColumnKind.LOCAL_TIME, bound);

    assertThat(datetime.parameter(value, Rounding.DOWN)).isEqualTo(down);
    assertThat(datetime.parameter(value, Rounding.UP)).isEqualTo(up);
    assertThat(datetime.placeholder(down)).isEqualTo("CAST(? AS datetime)");
  }

  @Test
  void everyTickOfASecondIsItsOwnBound() {
    SqlServerWatermark datetime = watermark("datetime");

    for (int tick = 0; tick < 300; tick++) {
      String text =
          WatermarkValue.parseStart(
                  ColumnKind.LOCAL_TIME,
                  String.format("2024-01-01T00:00:00.%03d", (tick * 10 + 1) / 3),
                  ZoneOffset.UTC)
              .text();
      WatermarkValue value = WatermarkValue.parse(ColumnKind.LOCAL_TIME, text);

      assertThat(datetime.parameter(text))
          .isEqualTo(datetime.parameter(value, Rounding.DOWN))
          .isEqualTo(datetime.parameter(value, Rounding.UP))
          .startsWith(text.substring(0, 19));
    }
  }

  @Test
  void aRunsBoundOfADatetimeColumnIsOneOfItsValues() {
    WatermarkValue bound =
        UpperBound.of(
            Instant.parse("2024-01-01T00:00:00.0171234Z"),
            SqlServerWatermarks.column("c", "datetime").orElseThrow(),
            Direction.INCLUSIVE,
            ZoneOffset.UTC);

    assertThat(watermark("datetime").parameter(bound, Rounding.DOWN))
        .isEqualTo("2024-01-01T00:00:00.000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          smalldatetime     | 2024-01-01T10:59:30         | 2024-01-01T10:59:00         | 2024-01-01T11:00:00
          datetime2(0)      | 2024-01-01T10:59:30.9       | 2024-01-01T10:59:30.0000000 | 2024-01-01T10:59:31.0000000
          datetime2(3)      | 2024-01-01T10:59:30.1239999 | 2024-01-01T10:59:30.1230000 | 2024-01-01T10:59:30.1240000
          datetime2(7)      | 2024-01-01T10:59:30.1234567 | 2024-01-01T10:59:30.1234567 | 2024-01-01T10:59:30.1234567
          datetime2(7)      | 2024-01-01T10:59:30.123456789 | 2024-01-01T10:59:30.1234567 | 2024-01-01T10:59:30.1234568
          """)
  void boundsFinerThanTheColumnAreMoved(String declared, String bound, String down, String up) {
    WatermarkValue value = WatermarkValue.parse(ColumnKind.LOCAL_TIME, bound);

    assertThat(watermark(declared).parameter(value, Rounding.DOWN)).isEqualTo(down);
    assertThat(watermark(declared).parameter(value, Rounding.UP)).isEqualTo(up);
    assertThat(watermark(declared).placeholder(down)).isEqualTo("CAST(? AS " + declared + ")");
  }

  @Test
  void datetimeoffsetIsBoundByInstantWithEveryDigit() {
    SqlServerWatermark offset = watermark("datetimeoffset(7)");

    assertThat(offset.parameter("2024-01-01T10:59:30.1234567Z"))
        .isEqualTo("2024-01-01T10:59:30.1234567+00:00");
    assertThat(offset.placeholder("")).isEqualTo("CAST(? AS datetimeoffset(7))");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tinyint       | 255                  | CAST(? AS tinyint)
          tinyint       | 256                  | CAST(? AS decimal(38,0))
          tinyint       | -1                   | CAST(? AS decimal(38,0))
          smallint      | -32768               | CAST(? AS smallint)
          smallint      | 32768                | CAST(? AS decimal(38,0))
          int           | 2147483647           | CAST(? AS int)
          int           | 2147483648           | CAST(? AS decimal(38,0))
          bigint        | -9223372036854775808 | CAST(? AS bigint)
          numeric(5,0)  | 99999                | CAST(? AS numeric(5,0))
          numeric(5,0)  | 100000               | CAST(? AS decimal(38,0))
          """)
  void numbersAreComparedInTheColumnsTypeIfItHoldsThem(
      String declared, String number, String placeholder) {
    assertThat(watermark(declared).placeholder(number)).isEqualTo(placeholder);
    assertThat(watermark(declared).parameter(number)).isEqualTo(number);
  }

  @Test
  void rowversionsAreEightBytesWithoutSign() {
    SqlServerWatermark version = watermark("rowversion");

    assertThat(version.parameter("2001")).isEqualTo("00000000000007D1");
    assertThat(version.parameter("18446744073709551615")).isEqualTo("FFFFFFFFFFFFFFFF");
    assertThat(version.placeholder("")).isEqualTo("CONVERT(binary(8), ?, 2)");
  }

  @Test
  void aBoundOfAnotherKindIsRefused() {
    assertThatThrownBy(
            () -> watermark("date").parameter(new WatermarkValue.Whole(1), Rounding.DOWN))
        .hasMessage("Invalid bound 1: expected a value for a column of kind DATE");
  }
}
