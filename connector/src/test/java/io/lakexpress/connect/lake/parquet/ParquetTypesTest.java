package io.lakexpress.connect.lake.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lakexpress.connect.lake.file.RowFileWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One row per type: Connect schema, value, Parquet column, DuckDB's type and text of the value. */
final class ParquetTypesTest {
  private static ParquetReadBack readBack;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    readBack = new ParquetReadBack();
  }

  @AfterAll
  static void stop() throws Exception {
    readBack.close();
  }

  @ParameterizedTest
  @MethodSource({"numbers", "decimals", "times", "texts", "nested", "debezium"})
  void valueComesBackWithItsMeaning(
      Schema schema, Object value, String column, String duckType, String duckText)
      throws IOException {
    Schema row = SchemaBuilder.struct().field("v", schema).build();
    SchemaResolver resolver = new SchemaResolver(TimestampEncoding.INT64);
    assertThat(resolver.row(row).message().toString())
        .isEqualToNormalizingWhitespace("message row { " + column + " }");
    Path file = write(row, new Struct(row).put("v", value));
    assertThat(readBack.rows(file, "SELECT typeof(v), v::VARCHAR FROM %s"))
        .containsExactly(Arrays.asList(duckType, duckText));
    assertThat(ParquetJavaReadBack.rows(file).get(0).get("v"))
        .isEqualTo(decimalTexts(duckType, Meaning.of(schema, value)));
  }

  /** Decimals that no reader can hold are their exact digits. */
  private static Object decimalTexts(String duckType, Object meaning) {
    return duckType.equals("VARCHAR") && meaning instanceof BigDecimal decimal
        ? decimal.toPlainString()
        : meaning;
  }

  static Stream<Arguments> numbers() {
    return Stream.of(
        arguments(Schema.BOOLEAN_SCHEMA, true, "required boolean v;", "BOOLEAN", "true"),
        arguments(Schema.OPTIONAL_BOOLEAN_SCHEMA, null, "optional boolean v;", "BOOLEAN", null),
        arguments(
            Schema.INT8_SCHEMA,
            (byte) -128,
            "required int32 v (INTEGER(8,true));",
            "TINYINT",
            "-128"),
        arguments(
            Schema.INT16_SCHEMA,
            Short.MIN_VALUE,
            "required int32 v (INTEGER(16,true));",
            "SMALLINT",
            "-32768"),
        arguments(
            Schema.INT32_SCHEMA, Integer.MIN_VALUE, "required int32 v;", "INTEGER", "-2147483648"),
        arguments(
            Schema.INT64_SCHEMA,
            Long.MAX_VALUE,
            "required int64 v;",
            "BIGINT",
            "9223372036854775807"),
        arguments(Schema.FLOAT32_SCHEMA, -0.0f, "required float v;", "FLOAT", "-0.0"),
        arguments(Schema.FLOAT32_SCHEMA, Float.NaN, "required float v;", "FLOAT", "nan"),
        arguments(Schema.FLOAT64_SCHEMA, -0.0d, "required double v;", "DOUBLE", "-0.0"),
        arguments(Schema.FLOAT64_SCHEMA, Double.NaN, "required double v;", "DOUBLE", "nan"),
        arguments(
            Schema.FLOAT64_SCHEMA,
            Double.NEGATIVE_INFINITY,
            "required double v;",
            "DOUBLE",
            "-inf"),
        arguments(
            Schema.FLOAT64_SCHEMA, Double.MIN_VALUE, "required double v;", "DOUBLE", "5e-324"));
  }

  static Stream<Arguments> decimals() {
    String digits38 = "99999999999999999999999999999999999999";
    return Stream.of(
        arguments(
            decimal(2, "9"),
            new BigDecimal("-9999999.99"),
            "required int32 v (DECIMAL(9,2));",
            "DECIMAL(9,2)",
            "-9999999.99"),
        arguments(
            decimal(0, "1"),
            new BigDecimal("-9"),
            "required int32 v (DECIMAL(1,0));",
            "DECIMAL(1,0)",
            "-9"),
        arguments(
            decimal(18, "18"),
            new BigDecimal("0.999999999999999999"),
            "required int64 v (DECIMAL(18,18));",
            "DECIMAL(18,18)",
            ".999999999999999999"),
        arguments(
            decimal(0, "19"),
            new BigDecimal("-9999999999999999999"),
            "required fixed_len_byte_array(9) v (DECIMAL(19,0));",
            "DECIMAL(19,0)",
            "-9999999999999999999"),
        arguments(
            decimal(38, "38"),
            new BigDecimal("-0." + digits38),
            "required fixed_len_byte_array(16) v (DECIMAL(38,38));",
            "DECIMAL(38,38)",
            "-." + digits38),
        arguments(
            decimal(2, "10"),
            new BigDecimal("99999999.99"),
            "required int64 v (DECIMAL(10,2));",
            "DECIMAL(10,2)",
            "99999999.99"),
        arguments(
            decimal(0, "18"),
            new BigDecimal("-999999999999999999"),
            "required int64 v (DECIMAL(18,0));",
            "DECIMAL(18,0)",
            "-999999999999999999"),
        arguments(
            decimal(4, "19"),
            new BigDecimal("922337203685477.5807"),
            "required fixed_len_byte_array(9) v (DECIMAL(19,4));",
            "DECIMAL(19,4)",
            "922337203685477.5807"),
        arguments(
            decimal(10, "38"),
            new BigDecimal("-1.0000000000"),
            "required fixed_len_byte_array(16) v (DECIMAL(38,10));",
            "DECIMAL(38,10)",
            "-1.0000000000"),
        arguments(
            decimal(0, "38"),
            new BigDecimal(digits38),
            "required fixed_len_byte_array(16) v (DECIMAL(38,0));",
            "DECIMAL(38,0)",
            digits38),
        // K27: without a precision the widest that every reader knows.
        arguments(
            decimal(2, null),
            new BigDecimal("1.50"),
            "required fixed_len_byte_array(16) v (DECIMAL(38,2));",
            "DECIMAL(38,2)",
            "1.50"),
        // numeric(3,5): Parquet wants the precision at least as large as the scale.
        arguments(
            decimal(5, "3"),
            new BigDecimal("0.00123"),
            "required int32 v (DECIMAL(5,5));",
            "DECIMAL(5,5)",
            ".00123"),
        arguments(
            decimal(2, "39"),
            new BigDecimal("1.50"),
            "required binary v (STRING);",
            "VARCHAR",
            "1.50"),
        arguments(
            decimal(-2, "5"),
            new BigDecimal("12E2"),
            "required binary v (STRING);",
            "VARCHAR",
            "1200"),
        arguments(
            decimal(127, null),
            new BigDecimal("1E-127"),
            "required binary v (STRING);",
            "VARCHAR",
            "0." + "0".repeat(126) + "1"));
  }

  static Stream<Arguments> times() {
    String localMicros = "io.debezium.time.MicroTimestamp";
    String localMicrosColumn = "required int64 v (TIMESTAMP(MICROS,false));";
    return Stream.of(
        arguments(
            Date.SCHEMA,
            date("1969-12-31T00:00:00Z"),
            "required int32 v (DATE);",
            "DATE",
            "1969-12-31"),
        arguments(
            Date.SCHEMA,
            date("9999-12-31T00:00:00Z"),
            "required int32 v (DATE);",
            "DATE",
            "9999-12-31"),
        arguments(
            Time.SCHEMA,
            date("1970-01-01T23:59:59.999Z"),
            "required int32 v (TIME(MILLIS,false));",
            "TIME",
            "23:59:59.999"),
        arguments(
            Timestamp.SCHEMA,
            date("1899-12-31T23:59:59.999Z"),
            "required int64 v (TIMESTAMP(MILLIS,true));",
            "TIMESTAMP WITH TIME ZONE",
            "1899-12-31 23:59:59.999+00"),
        arguments(
            int32("io.debezium.time.Date"), -1, "required int32 v (DATE);", "DATE", "1969-12-31"),
        arguments(
            int32("io.debezium.time.Date"),
            Integer.MAX_VALUE,
            "required int32 v (DATE);",
            "DATE",
            "infinity"),
        arguments(
            int32("io.debezium.time.Time"),
            1,
            "required int32 v (TIME(MILLIS,false));",
            "TIME",
            "00:00:00.001"),
        arguments(
            int64("io.debezium.time.MicroTime"),
            86_400_000_000L,
            "required int64 v (TIME(MICROS,false));",
            "TIME",
            "24:00:00"),
        arguments(
            int64("io.debezium.time.NanoTime"),
            1_001L,
            "required int64 v (TIME(NANOS,false));",
            "TIME_NS",
            "00:00:00.000001001"),
        arguments(
            int64("io.debezium.time.Timestamp"),
            -1L,
            "required int64 v (TIMESTAMP(MILLIS,false));",
            "TIMESTAMP",
            "1969-12-31 23:59:59.999"),
        arguments(
            int64(localMicros), -1L, localMicrosColumn, "TIMESTAMP", "1969-12-31 23:59:59.999999"),
        arguments(
            int64(localMicros),
            micros("9999-12-31T23:59:59.999999Z"),
            localMicrosColumn,
            "TIMESTAMP",
            "9999-12-31 23:59:59.999999"),
        arguments(int64(localMicros), Long.MAX_VALUE, localMicrosColumn, "TIMESTAMP", "infinity"),
        arguments(
            int64("io.lakexpress.time.MicroInstant"),
            Long.MAX_VALUE,
            "required int64 v (TIMESTAMP(MICROS,true));",
            "TIMESTAMP WITH TIME ZONE",
            "infinity"),
        arguments(int64(localMicros), Long.MIN_VALUE, localMicrosColumn, "TIMESTAMP", "-infinity"),
        arguments(
            int64("io.debezium.time.Timestamp"),
            Long.MAX_VALUE,
            "required int64 v (TIMESTAMP(MILLIS,false));",
            "TIMESTAMP",
            "infinity"),
        arguments(
            int64("io.debezium.time.NanoTimestamp"),
            Long.MAX_VALUE,
            "required int64 v (TIMESTAMP(NANOS,false));",
            "TIMESTAMP_NS",
            "infinity"),
        arguments(
            int64("io.lakexpress.time.MicroInstant"),
            Long.MAX_VALUE,
            "required int64 v (TIMESTAMP(MICROS,true));",
            "TIMESTAMP WITH TIME ZONE",
            "infinity"),
        arguments(
            int64("io.debezium.time.Timestamp"),
            Long.MIN_VALUE,
            "required int64 v (TIMESTAMP(MILLIS,false));",
            "TIMESTAMP",
            "-infinity"),
        arguments(
            int64("io.debezium.time.NanoTimestamp"),
            Long.MIN_VALUE,
            "required int64 v (TIMESTAMP(NANOS,false));",
            "TIMESTAMP_NS",
            "-infinity"),
        arguments(
            int64("io.lakexpress.time.MicroInstant"),
            Long.MIN_VALUE,
            "required int64 v (TIMESTAMP(MICROS,true));",
            "TIMESTAMP WITH TIME ZONE",
            "-infinity"),
        arguments(
            Date.SCHEMA,
            java.util.Date.from(Instant.EPOCH.plus(Duration.ofDays(Integer.MIN_VALUE))),
            "required int32 v (DATE);",
            "DATE",
            "-infinity"),
        arguments(
            int32("io.debezium.time.Date"),
            Integer.MIN_VALUE,
            "required int32 v (DATE);",
            "DATE",
            "-infinity"),
        arguments(
            int64("io.debezium.time.NanoTimestamp"),
            1_000_000_001L,
            "required int64 v (TIMESTAMP(NANOS,false));",
            "TIMESTAMP_NS",
            "1970-01-01 00:00:01.000000001"),
        arguments(
            int64("io.lakexpress.time.MicroInstant"),
            micros("0001-01-01T00:00:00.000001Z"),
            "required int64 v (TIMESTAMP(MICROS,true));",
            "TIMESTAMP WITH TIME ZONE",
            "0001-01-01 00:00:00.000001+00"),
        arguments(
            int64("io.lakexpress.time.NanoInstant"),
            1_000_000_001L,
            "required int64 v (TIMESTAMP(NANOS,true));",
            "TIMESTAMPTZ_NS",
            "1970-01-01 00:00:01.000000001+00"),
        arguments(
            string("io.debezium.time.ZonedTimestamp"),
            "2026-12-01T03:30:00+09:00",
            "required binary v (STRING);",
            "VARCHAR",
            "2026-12-01T03:30:00+09:00"));
  }

  static Stream<Arguments> texts() {
    String huge = "ab\u00e9".repeat(700_000);
    return Stream.of(
        arguments(Schema.STRING_SCHEMA, "", "required binary v (STRING);", "VARCHAR", ""),
        arguments(Schema.STRING_SCHEMA, huge, "required binary v (STRING);", "VARCHAR", huge),
        arguments(
            Schema.STRING_SCHEMA, "a\u0000b", "required binary v (STRING);", "VARCHAR", "a\u0000b"),
        arguments(
            Schema.STRING_SCHEMA,
            "\uD83D\uDE80 \u65e5\u672c",
            "required binary v (STRING);",
            "VARCHAR",
            "\uD83D\uDE80 \u65e5\u672c"),
        arguments(
            string("io.debezium.data.Uuid"),
            "F81D4FAE-7dec-11d0-a765-00a0c91e6bf6",
            "required fixed_len_byte_array(16) v (UUID);",
            "UUID",
            "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
        arguments(
            string("io.debezium.data.Json"),
            "{\"a\": 1.0}",
            "required binary v (JSON);",
            "JSON",
            "{\"a\": 1.0}"),
        arguments(
            string("io.debezium.data.Enum"),
            "red",
            "required binary v (STRING);",
            "VARCHAR",
            "red"),
        arguments(
            string("com.example.Unknown"), "x", "required binary v (STRING);", "VARCHAR", "x"),
        arguments(
            Schema.BYTES_SCHEMA,
            new byte[] {0, 'a', -1},
            "required binary v;",
            "BLOB",
            "\\x00a\\xFF"),
        arguments(
            Schema.BYTES_SCHEMA,
            ByteBuffer.wrap(new byte[] {'x', 'a', 'b', 'x'}, 1, 2),
            "required binary v;",
            "BLOB",
            "ab"),
        arguments(Schema.BYTES_SCHEMA, new byte[0], "required binary v;", "BLOB", ""));
  }

  static Stream<Arguments> nested() {
    Schema strings = SchemaBuilder.array(Schema.OPTIONAL_STRING_SCHEMA).optional().build();
    String stringsColumn =
        "optional group v (LIST) { repeated group list { optional binary element (STRING); } }";
    Schema matrix =
        SchemaBuilder.array(SchemaBuilder.array(Schema.INT32_SCHEMA).optional().build()).build();
    String matrixColumn =
        "required group v (LIST) { repeated group list { optional group element (LIST) {"
            + " repeated group list { required int32 element; } } } }";
    Schema map = SchemaBuilder.map(Schema.INT64_SCHEMA, Schema.OPTIONAL_STRING_SCHEMA).build();
    String mapColumn =
        "required group v (MAP) { repeated group key_value { required int64 key;"
            + " optional binary value (STRING); } }";
    Map<Long, String> entries = new LinkedHashMap<>();
    entries.put(7L, "seven");
    entries.put(8L, null);
    Schema inner =
        SchemaBuilder.struct().field("b", Schema.OPTIONAL_INT32_SCHEMA).optional().build();
    Schema outer = SchemaBuilder.struct().field("a", inner).field("c", strings).build();
    String outerColumn =
        "required group v { optional group a { optional int32 b; } optional group c (LIST) {"
            + " repeated group list { optional binary element (STRING); } } }";
    return Stream.of(
        arguments(strings, null, stringsColumn, "VARCHAR[]", null),
        arguments(strings, List.of(), stringsColumn, "VARCHAR[]", "[]"),
        arguments(
            strings, Arrays.asList("a", null, "c"), stringsColumn, "VARCHAR[]", "[a, NULL, c]"),
        arguments(
            matrix,
            Arrays.asList(List.of(1, 2), null, List.of(), List.of(3)),
            matrixColumn,
            "INTEGER[][]",
            "[[1, 2], NULL, [], [3]]"),
        arguments(map, entries, mapColumn, "MAP(BIGINT, VARCHAR)", "{7=seven, 8=NULL}"),
        arguments(map, Map.of(), mapColumn, "MAP(BIGINT, VARCHAR)", "{}"),
        arguments(
            SchemaBuilder.array(inner).build(),
            Arrays.asList(new Struct(inner).put("b", 1), null, new Struct(inner)),
            "required group v (LIST) { repeated group list { optional group element {"
                + " optional int32 b; } } }",
            "STRUCT(b INTEGER)[]",
            "[{'b': 1}, NULL, {'b': NULL}]"),
        arguments(
            SchemaBuilder.array(map).optional().build(),
            List.of(Map.of(), entries),
            "optional group v (LIST) { repeated group list { required group element (MAP) {"
                + " repeated group key_value { required int64 key;"
                + " optional binary value (STRING); } } } }",
            "MAP(BIGINT, VARCHAR)[]",
            "[{}, {7=seven, 8=NULL}]"),
        arguments(
            SchemaBuilder.map(Schema.STRING_SCHEMA, strings).build(),
            Map.of("k", Arrays.asList((String) null)),
            "required group v (MAP) { repeated group key_value { required binary key (STRING);"
                + " optional group value (LIST) { repeated group list {"
                + " optional binary element (STRING); } } } }",
            "MAP(VARCHAR, VARCHAR[])",
            "{k=[NULL]}"),
        arguments(
            outer,
            new Struct(outer).put("a", new Struct(inner)).put("c", List.of("x")),
            outerColumn,
            "STRUCT(a STRUCT(b INTEGER), c VARCHAR[])",
            "{'a': {'b': NULL}, 'c': [x]}"),
        arguments(
            outer,
            new Struct(outer),
            outerColumn,
            "STRUCT(a STRUCT(b INTEGER), c VARCHAR[])",
            "{'a': NULL, 'c': NULL}"));
  }

  static Stream<Arguments> debezium() {
    Schema variable =
        SchemaBuilder.struct()
            .name("io.debezium.data.VariableScaleDecimal")
            .field("scale", Schema.INT32_SCHEMA)
            .field("value", Schema.BYTES_SCHEMA)
            .optional()
            .build();
    Schema point =
        SchemaBuilder.struct()
            .name("io.debezium.data.geometry.Point")
            .field("x", Schema.FLOAT64_SCHEMA)
            .field("y", Schema.FLOAT64_SCHEMA)
            .field("wkb", Schema.OPTIONAL_BYTES_SCHEMA)
            .field("srid", Schema.OPTIONAL_INT32_SCHEMA)
            .build();
    String text = "optional binary v (STRING);";
    return Stream.of(
        // K27: every value has a scale of its own, so the exact digits are text.
        arguments(variable, variable(variable, "12.50"), text, "VARCHAR", "12.50"),
        arguments(variable, variable(variable, "-1E+5"), text, "VARCHAR", "-100000"),
        arguments(variable, variable(variable, "0.0000000001"), text, "VARCHAR", "0.0000000001"),
        arguments(variable, null, text, "VARCHAR", null),
        arguments(
            SchemaBuilder.bytes().name("io.debezium.data.Bits").parameter("length", "10").build(),
            new byte[] {1, 2},
            "required binary v;",
            "BLOB",
            "\\x01\\x02"),
        arguments(
            point,
            new Struct(point).put("x", 1.0).put("y", -0.0).put("wkb", new byte[] {1}),
            "required group v { required double x; required double y; optional binary wkb;"
                + " optional int32 srid; }",
            "STRUCT(x DOUBLE, y DOUBLE, wkb BLOB, srid INTEGER)",
            "{'x': 1.0, 'y': -0.0, 'wkb': '\\\\x01', 'srid': NULL}"),
        arguments(
            string("io.debezium.time.ZonedTime"),
            "03:30:00.5+09:00",
            "required binary v (STRING);",
            "VARCHAR",
            "03:30:00.5+09:00"),
        arguments(
            string("io.debezium.data.EnumSet"),
            "a,b",
            "required binary v (STRING);",
            "VARCHAR",
            "a,b"),
        arguments(
            int64("io.debezium.time.MicroDuration"), -1L, "required int64 v;", "BIGINT", "-1"),
        arguments(int32("io.debezium.time.Year"), 1970, "required int32 v;", "INTEGER", "1970"),
        arguments(
            int32("io.debezium.time.Date"),
            2_932_896,
            "required int32 v (DATE);",
            "DATE",
            "9999-12-31"),
        arguments(
            SchemaBuilder.int64().name("io.debezium.time.Timestamp").optional().build(),
            null,
            "optional int64 v (TIMESTAMP(MILLIS,false));",
            "TIMESTAMP",
            null));
  }

  private static Struct variable(Schema schema, String decimal) {
    BigDecimal value = new BigDecimal(decimal);
    return new Struct(schema)
        .put("scale", value.scale())
        .put("value", value.unscaledValue().toByteArray());
  }

  private Path write(Schema schema, Struct row) throws IOException {
    MemoryOutput output = new MemoryOutput();
    RowFileWriter writer =
        new ParquetRowFormat(ParquetCompression.ZSTD, 64 << 20, "1.2.3").open(schema, output);
    writer.write(row);
    writer.finish();
    return output.saveIn(folder);
  }

  private static Schema decimal(int scale, String precision) {
    SchemaBuilder schema = Decimal.builder(scale);
    return precision == null
        ? schema.build()
        : schema.parameter("connect.decimal.precision", precision).build();
  }

  private static Schema int32(String name) {
    return SchemaBuilder.int32().name(name).build();
  }

  private static Schema int64(String name) {
    return SchemaBuilder.int64().name(name).build();
  }

  private static Schema string(String name) {
    return SchemaBuilder.string().name(name).build();
  }

  private static java.util.Date date(String instant) {
    return java.util.Date.from(Instant.parse(instant));
  }

  private static long micros(String text) {
    Instant instant = Instant.parse(text);
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
  }
}
