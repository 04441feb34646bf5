package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.jdbc.ReadSettings.DecimalHandling;
import io.lakexpress.connect.source.jdbc.ReadSettings.FieldNames;
import io.lakexpress.connect.source.jdbc.ReadSettings.RecordKey;
import io.lakexpress.connect.source.jdbc.ReadSettings.TimePrecision;
import org.apache.kafka.connect.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SqlServerColumnsTest {
  private static ColumnReader reader(String declared, ReadSettings settings) {
    return new SqlServerColumns(settings, new InfiniteValues())
        .reader(SqlServerTables.type(declared), "r.[c]");
  }

  private static ReadSettings settings(TimePrecision precision, DecimalHandling decimals) {
    return new ReadSettings(1, 1, precision, decimals, FieldNames.AS_IS, RecordKey.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bit              | BOOLEAN |                                      | r.[c]
          tinyint          | INT16   |                                      | r.[c]
          smallint         | INT16   |                                      | r.[c]
          int              | INT32   |                                      | r.[c]
          bigint           | INT64   |                                      | r.[c]
          real             | FLOAT32 |                                      | r.[c]
          float            | FLOAT64 |                                      | r.[c]
          date             | INT32   | org.apache.kafka.connect.data.Date   | r.[c]
          time(7)          | INT64   | io.debezium.time.MicroTime           | r.[c]
          datetime         | INT64   | io.debezium.time.MicroTimestamp      | r.[c]
          smalldatetime    | INT64   | io.debezium.time.MicroTimestamp      | r.[c]
          datetime2(7)     | INT64   | io.debezium.time.MicroTimestamp      | r.[c]
          datetimeoffset(7)| INT64   | io.lakexpress.time.MicroInstant      | r.[c]
          uniqueidentifier | STRING  | io.debezium.data.Uuid                | r.[c]
          json             | STRING  | io.debezium.data.Json                | CAST(r.[c] AS nvarchar(max))
          binary(4)        | BYTES   |                                      | r.[c]
          varbinary(max)   | BYTES   |                                      | r.[c]
          image            | BYTES   |                                      | r.[c]
          rowversion       | BYTES   |                                      | r.[c]
          geometry         | BYTES   |                                      | r.[c].AsBinaryZM()
          geography        | BYTES   |                                      | r.[c].AsBinaryZM()
          char(3)          | STRING  |                                      | r.[c]
          varchar(max)     | STRING  |                                      | r.[c]
          nvarchar(20)     | STRING  |                                      | r.[c]
          text             | STRING  |                                      | r.[c]
          ntext            | STRING  |                                      | r.[c]
          xml              | STRING  |                                      | r.[c]
          hierarchyid      | STRING  |                                      | r.[c].ToString()
          clr              | STRING  |                                      | CAST(r.[c].ToString() AS nvarchar(max))
          vector           | STRING  |                                      | CAST(r.[c] AS nvarchar(max))
          """)
  void everyTypeHasItsPlaceInARecord(
      String declared, Schema.Type type, String name, String expression) {
    ColumnReader column = reader(declared, ReadSettings.defaults());

    assertThat(column.schema().type()).isEqualTo(type);
    assertThat(column.schema().name()).isEqualTo(name);
    assertThat(column.schema().isOptional()).isTrue();
    assertThat(column.expression()).isEqualTo(expression);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          decimal(9,0)  | 9  | 0
          numeric(9,0)  | 9  | 0
          numeric(18,6) | 18 | 6
          decimal(38,38)| 38 | 38
          money         | 19 | 4
          smallmoney    | 10 | 4
          """)
  void s18s19DecimalsKeepPrecisionAndScale(String declared, String precision, String scale) {
    Schema schema = reader(declared, ReadSettings.defaults()).schema();

    assertThat(schema.name()).isEqualTo("org.apache.kafka.connect.data.Decimal");
    assertThat(schema.parameters())
        .containsEntry("scale", scale)
        .containsEntry("connect.decimal.precision", precision);
  }

  @Test
  void decimalsMayBeTextsOrDoubles() {
    assertThat(
            reader("money", settings(TimePrecision.MICROS, DecimalHandling.STRING)).schema().type())
        .isEqualTo(Schema.Type.STRING);
    assertThat(
            reader("decimal(9,2)", settings(TimePrecision.MICROS, DecimalHandling.DOUBLE))
                .schema()
                .type())
        .isEqualTo(Schema.Type.FLOAT64);
  }

  @ParameterizedTest
  @EnumSource(TimePrecision.class)
  void timesFollowThePrecisionMode(TimePrecision precision) {
    String name =
        reader("datetime2(7)", settings(precision, DecimalHandling.PRECISE)).schema().name();

    assertThat(name)
        .isEqualTo(
            switch (precision) {
              case MICROS -> "io.debezium.time.MicroTimestamp";
              case NANOS -> "io.debezium.time.NanoTimestamp";
              case CONNECT -> "org.apache.kafka.connect.data.Timestamp";
            });
  }

  @Test
  void valuesThatTellTheirTypeThemselvesKeepEveryDigitAsText() {
    assertThat(reader("sql_variant", ReadSettings.defaults()).expression())
        .startsWith("CASE CAST(SQL_VARIANT_PROPERTY(r.[c], 'BaseType') AS sysname) WHEN 'float'")
        .contains(" WHEN 'float' THEN CONVERT(nvarchar(4000), CAST(r.[c] AS float), 3)")
        .contains(" WHEN 'money' THEN CONVERT(nvarchar(4000), CAST(r.[c] AS money), 2)")
        .contains(
            " WHEN 'datetime2' THEN CONVERT(nvarchar(4000), CAST(r.[c] AS datetime2(7)), 126)")
        .endsWith(" ELSE CAST(r.[c] AS nvarchar(4000)) END")
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          int               | true  |                                             | CAST(? AS int)
          nvarchar(20)      | true  |                                             | CAST(? AS nvarchar(20))
          uniqueidentifier  | true  |                                             | CAST(? AS uniqueidentifier)
          varchar(20)       | true  |                                             | CAST(? COLLATE Latin1_General_CI_AS AS varchar(20))
          char(3)           | true  |                                             | CAST(? COLLATE Latin1_General_CI_AS AS char(3))
          bit               | false | CONVERT(varchar(64), r.[c])                 | CAST(? AS bit)
          decimal(38,10)    | false | CONVERT(varchar(64), r.[c])                 | CAST(? AS decimal(38,10))
          money             | false | CONVERT(varchar(32), r.[c], 2)              | CAST(? AS money)
          float             | false | CONVERT(varchar(32), r.[c], 3)              | CAST(? AS float)
          date              | false | CONVERT(varchar(10), r.[c], 23)             | CAST(? AS date)
          time(7)           | false | CONVERT(varchar(16), r.[c], 121)            | CAST(? AS time(7))
          datetime          | false | CONVERT(varchar(33), r.[c], 126)            | CAST(? AS datetime)
          datetime2(7)      | false | CONVERT(varchar(33), r.[c], 126)            | CAST(? AS datetime2(7))
          datetimeoffset(7) | false | CONVERT(varchar(33), r.[c], 126)            | CAST(? AS datetimeoffset(7))
          varbinary(16)     | false | CONVERT(varchar(4000), r.[c], 2)            | CONVERT(varbinary(16), ?, 2)
          rowversion        | false | CONVERT(varchar(16), CAST(r.[c] AS binary(8)), 2) | CONVERT(binary(8), ?, 2)
          hierarchyid       | false | r.[c].ToString()                            | CAST(? AS hierarchyid)
          """)
  void keysComeBackInTheirOwnType(
      String declared, boolean readsAsText, String text, String placeholder) {
    SqlServerKeyColumn column = new SqlServerKeyColumn(SqlServerTables.type(declared));

    assertThat(column.readsAsText()).isEqualTo(readsAsText);
    assertThat(column.placeholder()).isEqualTo(placeholder);
    if (!readsAsText) {
      assertThat(column.text("r.[c]")).isEqualTo(text);
    }
  }

  @Test
  void floatsOfAKeyAreBoundAsNumbers() {
    assertThat(
            new SqlServerKeyColumn(SqlServerTables.type("float"))
                .parameter("1.0000000000000001e-001"))
        .isEqualTo(0.1);
    assertThat(new SqlServerKeyColumn(SqlServerTables.type("int")).parameter("7")).isEqualTo("7");
  }

  @Test
  void typesThatHaveNoOrderOrTellItThemselvesAreNoPartOfAKey() {
    assertThat(SqlServerTables.type("sql_variant").canOrder()).isFalse();
    assertThat(SqlServerTables.type("clr").canOrder()).isFalse();
    assertThat(SqlServerTables.type("hierarchyid").canOrder()).isTrue();
  }
}
