package io.lakexpress.connect.lake.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lakexpress.connect.lake.file.RowFileWriter;
import io.lakexpress.connect.lake.file.UnwritableRowException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Timestamps as old readers want them. */
final class Int96Test {
  private static final Schema MILLIS = int64("io.debezium.time.Timestamp");
  private static final Schema MICROS = int64("io.debezium.time.MicroTimestamp");
  private static final Schema NANOS = int64("io.debezium.time.NanoTimestamp");
  private static final Schema INSTANT = int64("io.lakexpress.time.MicroInstant");

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource
  void julianDayAndNanosComeBackAsTheTimestamp(Schema type, Object value, String expected)
      throws Exception {
    Path file = write(type, value);
    assertThat(ParquetJavaReadBack.rows(file).get(0).get("v"))
        .isEqualTo(LocalDateTime.parse(expected));
    try (ParquetReadBack duckDb = new ParquetReadBack()) {
      LocalDateTime known = LocalDateTime.parse(expected).truncatedTo(ChronoUnit.MICROS);
      assertThat(duckDb.rows(file, "SELECT typeof(v), v = TIMESTAMP '" + known + "' FROM %s"))
          .containsExactly(List.of("TIMESTAMP", "true"));
    }
  }

  static Stream<Arguments> julianDayAndNanosComeBackAsTheTimestamp() {
    return Stream.of(
        arguments(MICROS, 0L, "1970-01-01T00:00:00"),
        arguments(MICROS, -1L, "1969-12-31T23:59:59.999999"),
        arguments(MICROS, micros("1899-12-31T23:59:59.000001Z"), "1899-12-31T23:59:59.000001"),
        arguments(MICROS, -86_400_000_000L, "1969-12-31T00:00:00"),
        arguments(MILLIS, -86_400_001L, "1969-12-30T23:59:59.999"),
        arguments(NANOS, -1L, "1969-12-31T23:59:59.999999999"),
        arguments(NANOS, 1_000_000_001L, "1970-01-01T00:00:01.000000001"),
        arguments(INSTANT, micros("2026-12-01T03:30:00.123456Z"), "2026-12-01T03:30:00.123456"),
        arguments(
            Timestamp.SCHEMA,
            java.util.Date.from(Instant.parse("2024-02-29T23:59:59.999Z")),
            "2024-02-29T23:59:59.999"));
  }

  @ParameterizedTest
  @MethodSource
  void edgesOfTimeKeepTheirPlace(Schema type, Object value, String duckText) throws Exception {
    Path file = write(type, value);
    try (ParquetReadBack duckDb = new ParquetReadBack()) {
      assertThat(duckDb.column(file, "SELECT v::VARCHAR FROM %s")).containsExactly(duckText);
    }
  }

  static Stream<Arguments> edgesOfTimeKeepTheirPlace() {
    return Stream.of(
        arguments(MICROS, micros("9999-12-31T23:59:59.999999Z"), "9999-12-31 23:59:59.999999"),
        arguments(MICROS, micros("0001-01-01T00:00:00Z"), "0001-01-01 00:00:00"),
        arguments(INSTANT, Long.MAX_VALUE, "infinity"),
        arguments(MICROS, Long.MIN_VALUE, "4714-11-24 (BC) 00:00:00"),
        arguments(MILLIS, Long.MAX_VALUE, "infinity"),
        arguments(NANOS, Long.MIN_VALUE, "4714-11-24 (BC) 00:00:00"));
  }

  @Test
  void millisecondsThatReadersCannotHoldAreRefused() {
    assertThatThrownBy(() -> write(MILLIS, Long.MAX_VALUE / 1000 + 1))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage(
            "Cannot write field 'v': timestamp further from 1970 than 64 bits count"
                + " microseconds");
  }

  @Test
  void timesBeforeJulianDaysBeginAreRefused() {
    assertThatThrownBy(() -> write(MICROS, (-2_440_588L * 86_400 * 1_000_000) - 1))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage("Cannot write field 'v': timestamp before 4714 BC, where Julian days begin");
  }

  @Test
  void onlyTimestampsAreStoredSo() {
    Schema row =
        SchemaBuilder.struct()
            .field("day", SchemaBuilder.int32().name("io.debezium.time.Date").build())
            .field("clock", int64("io.debezium.time.MicroTime"))
            .field("number", Schema.INT64_SCHEMA)
            .field("moments", SchemaBuilder.array(INSTANT).build())
            .field("local", SchemaBuilder.int64().name(MICROS.name()).optional().build())
            .build();
    assertThat(format().columnTypes(row))
        .containsExactly("DATE INT32", "TIME(MICROS,false) INT64", "INT64", "LIST", "INT96");
  }

  @Test
  void nullsAndItemsOfListsAreWrittenToo() throws Exception {
    Schema list =
        SchemaBuilder.array(SchemaBuilder.int64().name(INSTANT.name()).optional().build()).build();
    Path file = write(list, java.util.Arrays.asList(1L, null));
    try (ParquetReadBack duckDb = new ParquetReadBack()) {
      assertThat(duckDb.rows(file, "SELECT v[1]::TIMESTAMP::VARCHAR, v[2] IS NULL FROM %s"))
          .containsExactly(List.of("1970-01-01 00:00:00.000001", "true"));
    }
  }

  @Test
  void textFormParsesBackAndNonsenseNamesBothWords() {
    for (TimestampEncoding encoding : TimestampEncoding.values()) {
      assertThat(TimestampEncoding.parse(encoding.text())).isEqualTo(encoding);
    }
    assertThatThrownBy(() -> TimestampEncoding.parse("int32"))
        .hasMessage("Invalid timestamp encoding 'int32': expected int64 or int96");
  }

  private Path write(Schema type, Object value) throws IOException {
    Schema row = SchemaBuilder.struct().field("v", type).build();
    MemoryOutput output = new MemoryOutput();
    RowFileWriter writer = format().open(row, output);
    writer.write(new Struct(row).put("v", value));
    writer.finish();
    return output.saveIn(folder);
  }

  private static ParquetRowFormat format() {
    return new ParquetRowFormat(
        ParquetCompression.ZSTD, TimestampEncoding.INT96, 64 << 20, "1.2.3");
  }

  private static long micros(String instant) {
    Instant moment = Instant.parse(instant);
    return moment.getEpochSecond() * 1_000_000 + moment.getNano() / 1_000;
  }

  private static Schema int64(String name) {
    return SchemaBuilder.int64().name(name).build();
  }
}
