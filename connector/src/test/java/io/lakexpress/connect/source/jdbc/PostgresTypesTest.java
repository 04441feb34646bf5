package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lakexpress.connect.source.jdbc.ReadSettings.DecimalHandling;
import io.lakexpress.connect.source.jdbc.ReadSettings.FieldNames;
import io.lakexpress.connect.source.jdbc.ReadSettings.RecordKey;
import io.lakexpress.connect.source.jdbc.ReadSettings.TimePrecision;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.connect.source.read.SourceException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.json.JsonConverter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresTypesTest {
  private static final String MICRO_TIME = "io.debezium.time.MicroTime";
  private static final String MICRO_TIMESTAMP = "io.debezium.time.MicroTimestamp";
  private static final String MICRO_INSTANT = "io.lakexpress.time.MicroInstant";
  private static final String JSON = "io.debezium.data.Json";

  private final TestingSource database = new TestingSource();
  private int tables;

  @BeforeAll
  void createTypes() {
    database.run(
        "CREATE TYPE mood AS ENUM ('sad', 'very happy')",
        "CREATE TYPE pair AS (a int, b text)",
        "CREATE DOMAIN amount AS numeric(8, 3)",
        "CREATE DOMAIN small_amount AS amount CHECK (VALUE < 10)",
        "CREATE DOMAIN tags AS text[]",
        "CREATE EXTENSION hstore");
  }

  @AfterAll
  void close() {
    database.close();
  }

  private static Stream<Arguments> types() {
    Schema text = Schema.OPTIONAL_STRING_SCHEMA;
    return Stream.of(
        arguments("bool", "true", Schema.OPTIONAL_BOOLEAN_SCHEMA, true),
        arguments("int2", "-32768", Schema.OPTIONAL_INT16_SCHEMA, Short.MIN_VALUE),
        arguments("int4", "2147483647", Schema.OPTIONAL_INT32_SCHEMA, Integer.MAX_VALUE),
        arguments("int8", "-9223372036854775808", Schema.OPTIONAL_INT64_SCHEMA, Long.MIN_VALUE),
        arguments("float4", "0.1", Schema.OPTIONAL_FLOAT32_SCHEMA, 0.1f),
        arguments("float4", "'NaN'", Schema.OPTIONAL_FLOAT32_SCHEMA, Float.NaN),
        arguments("float8", "0.1::float8 + 0.2", Schema.OPTIONAL_FLOAT64_SCHEMA, 0.1 + 0.2),
        arguments(
            "float8", "'-Infinity'", Schema.OPTIONAL_FLOAT64_SCHEMA, Double.NEGATIVE_INFINITY),
        arguments("numeric(12,2)", "-1.5", decimal(12, 2), new BigDecimal("-1.50")),
        arguments("numeric(38,10)", "0", decimal(38, 10), new BigDecimal("0.0000000000")),
        arguments(
            "numeric(38,0)",
            "99999999999999999999999999999999999999",
            decimal(38, 0),
            new BigDecimal("99999999999999999999999999999999999999")),
        arguments("numeric(5,-2)", "1234567", decimal(7, 0), new BigDecimal("1234600")),
        arguments("numeric(3,5)", "0.00123", decimal(5, 5), new BigDecimal("0.00123")),
        arguments("numeric(39,1)", "1.5", text, "1.5"),
        arguments(
            "numeric",
            "1.10000000000000000000000000000001",
            text,
            "1.10000000000000000000000000000001"),
        arguments("numeric", "'NaN'", text, "NaN"),
        arguments("money", "'1234.56'", decimal(19, 2), new BigDecimal("1234.56")),
        arguments("money", "'-0.01'", decimal(19, 2), new BigDecimal("-0.01")),
        arguments("date", "'2024-02-29'", date(), Date.toLogical(Date.SCHEMA, 19782)),
        arguments("date", "'1969-12-31'", date(), Date.toLogical(Date.SCHEMA, -1)),
        arguments("date", "'0044-03-15 BC'", date(), Date.toLogical(Date.SCHEMA, -735160)),
        arguments("date", "'infinity'", date(), Date.toLogical(Date.SCHEMA, Integer.MAX_VALUE)),
        arguments("date", "'-infinity'", date(), Date.toLogical(Date.SCHEMA, Integer.MIN_VALUE)),
        arguments("time", "'23:59:59.999999'", int64(MICRO_TIME), 86_399_999_999L),
        arguments("time", "'24:00'", int64(MICRO_TIME), 86_400_000_000L),
        arguments("timetz", "'12:30:00.5+02'", text, "12:30:00.5+02"),
        arguments(
            "timestamp",
            "'2024-03-10 02:30:00.123456'",
            int64(MICRO_TIMESTAMP),
            1_710_037_800_123_456L),
        arguments("timestamp", "'1969-12-31 23:59:59.999999'", int64(MICRO_TIMESTAMP), -1L),
        arguments("timestamp", "'0001-01-01 BC'", int64(MICRO_TIMESTAMP), -62_167_219_200_000_000L),
        arguments("timestamp", "'infinity'", int64(MICRO_TIMESTAMP), Long.MAX_VALUE),
        arguments("timestamp", "'-infinity'", int64(MICRO_TIMESTAMP), Long.MIN_VALUE),
        arguments("timestamp(0)", "'1970-01-01 00:00:01.4'", int64(MICRO_TIMESTAMP), 1_000_000L),
        arguments("timestamptz", "'1970-01-01 09:00:00.000001+09'", int64(MICRO_INSTANT), 1L),
        arguments("timestamptz", "'12024-01-01Z'", int64(MICRO_INSTANT), 317_273_587_200_000_000L),
        arguments("timestamptz", "'-infinity'", int64(MICRO_INSTANT), Long.MIN_VALUE),
        arguments("interval", "'1 mon 2 days'", text, "1 mon 2 days"),
        arguments(
            "uuid",
            "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
            string("io.debezium.data.Uuid"),
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        arguments("json", "'{\"a\" : 1}'", string(JSON), "{\"a\" : 1}"),
        arguments("jsonb", "'{\"b\":1,\"a\":[]}'", string(JSON), "{\"a\": [], \"b\": 1}"),
        arguments("bytea", "'\\x00ff'", Schema.OPTIONAL_BYTES_SCHEMA, new byte[] {0, -1}),
        arguments("text", "'ä日''\"'", text, "ä日'\""),
        arguments("varchar(5)", "''", text, ""),
        arguments("char(4)", "'ab'", text, "ab  "),
        arguments("\"char\"", "'x'", text, "x"),
        arguments("name", "'n'", text, "n"),
        arguments("oid", "4294967295", text, "4294967295"),
        arguments("bit(1)", "B'1'", text, "1"),
        arguments("bit varying", "B'0101'", text, "0101"),
        arguments("inet", "'10.0.0.1'", text, "10.0.0.1"),
        arguments("cidr", "'10.0.0.0/8'", text, "10.0.0.0/8"),
        arguments("macaddr", "'08:00:2b:01:02:03'", text, "08:00:2b:01:02:03"),
        arguments("xml", "'<a>1</a>'", text, "<a>1</a>"),
        arguments("int4range", "'[1,5]'", text, "[1,6)"),
        arguments("point", "'(1,2.5)'", text, "(1,2.5)"),
        arguments("box", "'(3,4),(1,2)'", text, "(3,4),(1,2)"),
        arguments("tsvector", "'b a'", text, "'a' 'b'"),
        arguments("int2vector", "'1 2'", text, "1 2"),
        arguments("mood", "'very happy'", text, "very happy"),
        arguments("pair", "'(1,\"b c\")'", text, "(1,\"b c\")"),
        arguments("hstore", "'a=>1'", text, "\"a\"=>\"1\""),
        arguments("small_amount", "1.5", decimal(8, 3), new BigDecimal("1.500")),
        arguments("tags", "'{a,\"b,c\"}'", array(text), List.of("a", "b,c")));
  }

  private static Stream<Arguments> arrays() {
    Schema text = Schema.OPTIONAL_STRING_SCHEMA;
    return Stream.of(
        arguments("int[]", "'{1,NULL,3}'", Schema.OPTIONAL_INT32_SCHEMA, Arrays.asList(1, null, 3)),
        arguments("text[]", "'{}'", text, List.of()),
        arguments(
            "text[]",
            "ARRAY['NULL', NULL, '', 'a\"\\b', '{', ' x ']",
            text,
            Arrays.asList("NULL", null, "", "a\"\\b", "{", " x ")),
        arguments("int[]", "'[0:1]={7,8}'", Schema.OPTIONAL_INT32_SCHEMA, List.of(7, 8)),
        arguments("bool[]", "'{t,f}'", Schema.OPTIONAL_BOOLEAN_SCHEMA, List.of(true, false)),
        arguments("int2[]", "'{1}'", Schema.OPTIONAL_INT16_SCHEMA, List.of((short) 1)),
        arguments("int8[]", "'{1}'", Schema.OPTIONAL_INT64_SCHEMA, List.of(1L)),
        arguments(
            "float4[]", "'{0.1,NaN}'", Schema.OPTIONAL_FLOAT32_SCHEMA, List.of(0.1f, Float.NaN)),
        arguments(
            "float8[]",
            "'{0.1,-Infinity}'",
            Schema.OPTIONAL_FLOAT64_SCHEMA,
            List.of(0.1, Double.NEGATIVE_INFINITY)),
        arguments(
            "numeric(5,2)[]",
            "'{1.5,NULL}'",
            decimal(5, 2),
            Arrays.asList(new BigDecimal("1.50"), null)),
        arguments(
            "money[]",
            "ARRAY['1234.5'::money]",
            decimal(19, 2),
            List.of(new BigDecimal("1234.50"))),
        arguments("amount[]", "'{2}'", decimal(8, 3), List.of(new BigDecimal("2.000"))),
        arguments(
            "date[]",
            "'{1970-01-02,\"0001-01-01 BC\",infinity}'",
            date(),
            List.of(
                Date.toLogical(Date.SCHEMA, 1),
                Date.toLogical(Date.SCHEMA, -719528),
                Date.toLogical(Date.SCHEMA, Integer.MAX_VALUE))),
        arguments(
            "time[]",
            "'{00:00:01,24:00}'",
            int64(MICRO_TIME),
            List.of(1_000_000L, 86_400_000_000L)),
        arguments(
            "timestamp[]",
            "'{1970-01-01 00:00:00.5,-infinity,\"0001-01-01 00:00:00 BC\"}'",
            int64(MICRO_TIMESTAMP),
            List.of(500_000L, Long.MIN_VALUE, -62_167_219_200_000_000L)),
        arguments(
            "timestamptz[]",
            "'{1970-01-01 09:00:00+09,infinity}'",
            int64(MICRO_INSTANT),
            List.of(0L, Long.MAX_VALUE)),
        arguments(
            "uuid[]",
            "'{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}'",
            string("io.debezium.data.Uuid"),
            List.of("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")),
        arguments(
            "jsonb[]", "ARRAY['{\"a\": \"b\"}'::jsonb]", string(JSON), List.of("{\"a\": \"b\"}")),
        arguments("mood[]", "'{sad,very happy}'", text, List.of("sad", "very happy")),
        arguments("pair[]", "ARRAY[ROW(1,'x y')::pair]", text, List.of("(1,\"x y\")")),
        arguments("inet[]", "'{10.0.0.1}'", text, List.of("10.0.0.1")),
        arguments(
            "box[]",
            "ARRAY['(3,4),(1,2)'::box, '(1,1),(0,0)'::box]",
            text,
            List.of("(3,4),(1,2)", "(1,1),(0,0)")));
  }

  @ParameterizedTest
  @MethodSource("types")
  void valueOf(String type, String literal, Schema schema, Object expected) {
    assertValue(type, literal, schema, expected);
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void arrayOf(String type, String literal, Schema element, Object expected) {
    assertValue(type, literal, array(element), expected);
  }

  @Test
  void bytesInArrays() {
    Struct row = read("bytea[]", "ARRAY['\\x00ff'::bytea, NULL]", ReadSettings.defaults());

    assertThat(row.getArray("v")).containsExactly(new byte[] {0, -1}, null);
  }

  @Test
  void nestedArraysAreJson() {
    assertValue("int[][]", "'{{1,2},{3,NULL}}'", string(JSON), "[[1,2],[3,null]]");
  }

  @Test
  void anArrayOfMoreDimensionsThanDeclaredIsRefusedByName() {
    assertThatThrownBy(() -> read("int[]", "'{{1},{2}}'", ReadSettings.defaults()))
        .isInstanceOfSatisfying(SourceException.class, this::isLasting)
        .hasMessageMatching(
            "Cannot read public\\.t\\d+: column \"v\" of the row with key \\[1\\]: an array of"
                + " several dimensions in a column declared with one");
  }

  @Test
  void notANumberHasNoPlaceInAPreciseDecimal() {
    assertThatThrownBy(() -> read("numeric(5,2)", "'NaN'", ReadSettings.defaults()))
        .isInstanceOfSatisfying(SourceException.class, this::isLasting)
        .hasMessageMatching(
            "Cannot read public\\.t\\d+: column \"v\" of the row with key \\[1\\]: NaN has no place"
                + " in a decimal; set decimal.handling.mode to string or double");
    assertThat(read("numeric(5,2)", "'NaN'", decimals(DecimalHandling.STRING)).get("v"))
        .isEqualTo("NaN");
    assertThat(read("numeric(5,2)", "'NaN'", decimals(DecimalHandling.DOUBLE)).get("v"))
        .isEqualTo(Double.NaN);
  }

  @Test
  void decimalsAsTextOrDouble() {
    assertThat(read("numeric", "1.10", decimals(DecimalHandling.STRING)).get("v"))
        .isEqualTo("1.10");
    assertThat(read("money", "'1.10'", decimals(DecimalHandling.STRING)).get("v"))
        .isEqualTo("1.10");
    assertThat(read("numeric(5,2)", "1.10", decimals(DecimalHandling.DOUBLE)).get("v"))
        .isEqualTo(1.1);
  }

  @Test
  void timesInNanoseconds() {
    ReadSettings nanos = times(TimePrecision.NANOS);

    assertField(
        read("timestamp", "'1970-01-01 00:00:00.000001'", nanos),
        int64("io.debezium.time.NanoTimestamp"),
        1000L);
    assertField(
        read("timestamptz", "'1970-01-01 00:00:00.000001Z'", nanos),
        int64("io.lakexpress.time.NanoInstant"),
        1000L);
    assertField(
        read("time", "'00:00:00.000001'", nanos), int64("io.debezium.time.NanoTime"), 1000L);
    assertThatThrownBy(() -> read("timestamp", "'2300-01-01'", nanos))
        .hasMessageContaining("lies outside what 64 bits hold at this precision");
  }

  @Test
  void timesInConnectsOwnTypes() {
    ReadSettings connect = times(TimePrecision.CONNECT);

    assertField(
        read("timestamp", "'1970-01-01 00:00:00.0019'", connect),
        Timestamp.builder().optional().build(),
        Timestamp.toLogical(Timestamp.SCHEMA, 1));
    assertField(
        read("timestamptz", "'1970-01-01 09:00:00.001+09'", connect),
        Timestamp.builder().optional().build(),
        Timestamp.toLogical(Timestamp.SCHEMA, 1));
    assertField(
        read("time", "'24:00'", connect),
        Time.builder().optional().build(),
        Time.toLogical(Time.SCHEMA, 86_399_999));
  }

  @Test
  void infiniteDatesAndTimesAreCountedAndSurviveTheJsonConverter() {
    database.run(
        "CREATE TABLE inf (id int PRIMARY KEY, d date, e date, t timestamp, a timestamptz[])",
        "INSERT INTO inf VALUES (1, 'infinity', '-infinity', '-infinity', '{infinity,2024-01-01}')");
    try (RowCursor cursor = database.source().read(ReadRequest.full(database.table("inf")))) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.infiniteValues()).isEqualTo(4);

      try (JsonConverter converter = new JsonConverter()) {
        converter.configure(Map.of("schemas.enable", "true"), false);
        byte[] wire = converter.fromConnectData("t", cursor.valueSchema(), cursor.value());
        SchemaAndValue back = converter.toConnectData("t", wire);
        assertThat(back.value()).isEqualTo(cursor.value());
        assertThat(new String(wire, StandardCharsets.UTF_8)).contains("\"d\":2147483647");
      }
    }
  }

  @Test
  void driverInTextModeReadsTheSame() {
    database.run(
        "CREATE TABLE both_modes (id int PRIMARY KEY, d date, t time, ts timestamp,"
            + " tz timestamptz, n numeric(20, 4), b bytea, u uuid, f float8)",
        "INSERT INTO both_modes VALUES (1, '0044-03-15 BC', '24:00', '12024-01-01 00:00:00.000001',"
            + " '0044-03-15 12:00:00.5Z BC', 12345.6789, '\\x00ff',"
            + " 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 0.1), (2, 'infinity', '00:00', '-infinity',"
            + " 'infinity', 0, '', NULL, 'NaN')");
    ReadRequest request = ReadRequest.full(database.table("both_modes"));
    JdbcSource text = database.open(ReadSettings.defaults(), Map.of("prepareThreshold", "0"));

    List<Struct> fromText =
        TestingSource.rows(text, request, 9).stream().map(TestingSource.Row::value).toList();
    List<Struct> fromBinary =
        database.rows(request).stream().map(TestingSource.Row::value).toList();

    for (Field field : fromText.get(0).schema().fields()) {
      for (int i = 0; i < 2; i++) {
        assertThat(fromText.get(i).get(field)).isEqualTo(fromBinary.get(i).get(field));
      }
    }
  }

  @Test
  void namesThatAvroRefusesAreMadeSafe() {
    database.run("CREATE TABLE \"Odd Names\" (\"1 a.b\" int PRIMARY KEY, ok int[])");
    ReadSettings avro =
        new ReadSettings(
            10,
            1000,
            TimePrecision.MICROS,
            DecimalHandling.PRECISE,
            FieldNames.AVRO,
            RecordKey.PRIMARY_KEY);

    try (RowCursor cursor =
        database.open(avro, Map.of()).read(ReadRequest.full(database.table("Odd Names")))) {
      assertThat(cursor.valueSchema().name()).isEqualTo("public.Odd_Names.Value");
      assertThat(cursor.valueSchema().fields().get(0).name()).isEqualTo("_1_a_b");
      assertThat(cursor.keySchema().field("_1_a_b").schema().parameters())
          .containsEntry("lakexpress.column.name", "1 a.b");
    }
    database.run("ALTER TABLE \"Odd Names\" ADD \"_1_a b\" int");
    assertThatThrownBy(
            () ->
                database
                    .open(avro, Map.of())
                    .read(ReadRequest.full(database.table("Odd Names")))
                    .close())
        .hasMessage(
            "Cannot read public.Odd Names: columns \"1 a.b\" and \"_1_a b\" would both become field"
                + " _1_a_b");
  }

  @Test
  void schemasCarryNamesKeysAndAVersionThatMovesWithTheColumns() {
    database.run("CREATE TABLE k (b text, a int, v int NOT NULL DEFAULT 5, PRIMARY KEY (a, b))");
    Schema before = schemas("k").get(0);

    assertThat(before.name()).isEqualTo("public.k.Value");
    assertThat(before.version()).isPositive().isEqualTo(schemas("k").get(0).version());
    assertThat(before.fields()).extracting(Field::name).containsExactly("b", "a", "v");
    assertThat(before.field("v").schema()).isEqualTo(Schema.INT32_SCHEMA);
    assertThat(schemas("k").get(1).name()).isEqualTo("public.k.Key");
    assertThat(schemas("k").get(1).fields()).extracting(Field::name).containsExactly("a", "b");

    database.run("ALTER TABLE k ADD w int");
    assertThat(schemas("k").get(0).version()).isNotEqualTo(before.version());
  }

  private List<Schema> schemas(String table) {
    try (RowCursor cursor = database.source().read(ReadRequest.full(database.table(table)))) {
      return List.of(cursor.valueSchema(), cursor.keySchema());
    }
  }

  private void assertValue(String type, String literal, Schema schema, Object expected) {
    assertField(read(type, literal, ReadSettings.defaults()), schema, expected);
    assertThat(read(type, "NULL", ReadSettings.defaults()).get("v")).isNull();
  }

  private static void assertField(Struct row, Schema schema, Object expected) {
    assertThat(row.schema().field("v").schema()).isEqualTo(schema);
    assertThat(row.get("v")).isEqualTo(expected);
  }

  private Struct read(String type, String literal, ReadSettings settings) {
    tables++;
    String table = "t" + tables;
    database.run(
        "CREATE TABLE " + table + " (id int PRIMARY KEY, v " + type + ")",
        "INSERT INTO " + table + " VALUES (1, " + literal + ")");
    JdbcSource source =
        settings.equals(ReadSettings.defaults())
            ? database.source()
            : database.open(settings, Map.of());
    return TestingSource.rows(source, ReadRequest.full(database.table(table)), 1).get(0).value();
  }

  private void isLasting(SourceException e) {
    assertThat(e.kind()).isEqualTo(SourceException.Kind.LASTING);
  }

  private static ReadSettings decimals(DecimalHandling handling) {
    return new ReadSettings(
        10, 1000, TimePrecision.MICROS, handling, FieldNames.AS_IS, RecordKey.PRIMARY_KEY);
  }

  private static ReadSettings times(TimePrecision precision) {
    return new ReadSettings(
        10, 1000, precision, DecimalHandling.PRECISE, FieldNames.AS_IS, RecordKey.PRIMARY_KEY);
  }

  private static Schema decimal(int precision, int scale) {
    return Decimal.builder(scale)
        .parameter("connect.decimal.precision", Integer.toString(precision))
        .optional()
        .build();
  }

  private static Schema date() {
    return Date.builder().optional().build();
  }

  private static Schema int64(String name) {
    return SchemaBuilder.int64().name(name).version(1).optional().build();
  }

  private static Schema string(String name) {
    return SchemaBuilder.string().name(name).version(1).optional().build();
  }

  private static Schema array(Schema element) {
    return SchemaBuilder.array(element).optional().build();
  }
}
