package io.lakexpress.connect.lake.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.lake.file.RowFileWriter;
import io.lakexpress.connect.lake.file.StorageException;
import io.lakexpress.connect.lake.file.UnwritableRowException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParquetRowFormatTest {
  private static final int MIB = 1 << 20;
  private static final Schema MONEY =
      Decimal.builder(2).parameter("connect.decimal.precision", "5").optional().build();
  private static final Schema ROW =
      SchemaBuilder.struct()
          .field("id", Schema.INT64_SCHEMA)
          .field("tags", SchemaBuilder.array(Schema.OPTIONAL_STRING_SCHEMA).optional().build())
          .field("amount", MONEY)
          .build();

  private static ParquetReadBack readBack;

  private final MemoryOutput output = new MemoryOutput();

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    readBack = new ParquetReadBack();
  }

  @AfterAll
  static void stop() throws Exception {
    readBack.close();
  }

  @Test
  void refusedRowsLeaveNoTraceBetweenTheOthers() throws IOException {
    RowFileWriter writer = open(ROW);
    writer.write(row(1, "1.00"));
    assertThatThrownBy(() -> writer.write(row(2, "1.5")))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage("Cannot write field 'amount': decimal with scale 1, expected scale 2");
    assertThatThrownBy(() -> writer.write(row(3, "1234567.89")))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage(
            "Cannot write field 'amount': decimal with 9 digits, expected at most 5 digits");
    assertThatThrownBy(() -> writer.write(new Struct(ROW).put("amount", new BigDecimal("1.00"))))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage("Cannot write field 'id': null, expected a value");
    writer.write(row(4, "999.99"));
    writer.finish();
    assertThat(readBack.rows(save(), "SELECT id, tags::VARCHAR, amount::VARCHAR FROM %s"))
        .containsExactly(List.of("1", "[a, b]", "1.00"), List.of("4", "[a, b]", "999.99"));
  }

  @Test
  void typesOfColumnsAreNamedByMeaningAndForm() {
    Schema uuid = SchemaBuilder.string().name("io.debezium.data.Uuid").build();
    Schema schema =
        SchemaBuilder.struct()
            .field("id", Schema.INT64_SCHEMA)
            .field("tags", ROW.field("tags").schema())
            .field("amount", MONEY)
            .field("key", uuid)
            .field("inner", ROW)
            .build();
    assertThat(new ParquetRowFormat(ParquetCompression.NONE, MIB, "1").columnTypes(schema))
        .containsExactly(
            "INT64", "LIST", "DECIMAL(5,2) INT32", "UUID FIXED_LEN_BYTE_ARRAY(16)", "GROUP");
  }

  @Test
  void refusalNamesFieldsInsideListsMapsAndStructs() {
    Schema uuid = SchemaBuilder.string().name("io.debezium.data.Uuid").build();
    Schema inner = SchemaBuilder.struct().field("ids", SchemaBuilder.array(uuid).build()).build();
    Schema schema = SchemaBuilder.struct().field("a", inner).build();
    Struct row = new Struct(schema).put("a", new Struct(inner).put("ids", List.of("1-1-1-1-1")));
    assertThatThrownBy(() -> open(schema).write(row))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage(
            "Cannot write field 'a.ids[]': text that is no UUID, expected"
                + " 00000000-0000-0000-0000-000000000000");
  }

  @Test
  void textThatUtf8CannotHoldIsRefused() {
    assertRefused(
        Schema.STRING_SCHEMA, "a\uD83D", "text with half a surrogate pair, expected Unicode text");
  }

  @Test
  void timesOutsideTheDayAreRefused() {
    Schema time = SchemaBuilder.int64().name("io.debezium.time.MicroTime").build();
    assertRefused(time, -1L, "time outside 00:00:00 to 24:00:00");
    assertRefused(time, 86_400_000_001L, "time outside 00:00:00 to 24:00:00");
  }

  @Test
  void connectDateWithTimeOfDayIsRefused() {
    assertRefused(
        org.apache.kafka.connect.data.Date.SCHEMA,
        java.util.Date.from(java.time.Instant.parse("2026-12-01T15:00:00Z")),
        "date with a time of day, expected midnight UTC");
  }

  @Test
  void explicitNullStaysNullWhereADefaultExists() throws IOException {
    Schema schema =
        SchemaBuilder.struct()
            .field("v", SchemaBuilder.string().optional().defaultValue("default").build())
            .build();
    RowFileWriter writer = open(schema);
    writer.write(new Struct(schema).put("v", null));
    writer.finish();
    assertThat(readBack.rows(save(), "SELECT v FROM %s"))
        .containsExactly(Arrays.asList((String) null));
  }

  @Test
  void anyUnicodeNameIsAColumn() throws IOException {
    List<String> names =
        List.of("a b", "a-b", "a.b", "1st", "gr\u00f6\u00dfe", "\u65e5\u672c", "$");
    SchemaBuilder schema = SchemaBuilder.struct();
    names.forEach(name -> schema.field(name, Schema.INT32_SCHEMA));
    Schema built = schema.build();
    Struct row = new Struct(built);
    names.forEach(name -> row.put(name, 1));
    RowFileWriter writer = open(built);
    writer.write(row);
    writer.finish();
    assertThat(readBack.column(save(), "DESCRIBE SELECT * FROM %s")).isEqualTo(names);
  }

  @Test
  void namesThatDifferOnlyInCaseAreRefusedTogether() {
    Schema inner =
        SchemaBuilder.struct()
            .field("Name", Schema.STRING_SCHEMA)
            .field("nAME", Schema.STRING_SCHEMA)
            .build();
    assertThatThrownBy(() -> open(SchemaBuilder.struct().field("p", inner).build()))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage(
            "Cannot write fields 'Name' and 'nAME' of 'p': their names differ only in case, and"
                + " most readers take them for one column");
  }

  @Test
  void structsWithoutFieldsAreRefused() {
    Schema empty = SchemaBuilder.struct().build();
    assertThatThrownBy(() -> open(SchemaBuilder.struct().field("e", empty).build()))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessageStartingWith("Cannot write field 'e': a struct without fields");
    assertThatThrownBy(() -> open(empty)).isInstanceOf(UnwritableRowException.class);
    assertThatThrownBy(() -> open(Schema.STRING_SCHEMA))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage("Cannot write rows of type STRING: expected a struct");
  }

  @Test
  void fileWithoutRowsHasColumnsAndVersionOnly() throws IOException {
    RowFileWriter writer = open(ROW);
    assertThat(writer.bufferedBytes()).isZero();
    writer.finish();
    Path file = save();
    assertThat(readBack.rows(file, "SELECT * FROM %s")).isEmpty();
    assertThat(readBack.column(file, "DESCRIBE SELECT * FROM %s"))
        .containsExactly("id", "tags", "amount");
    assertThat(
            readBack.rows(file, "SELECT key::VARCHAR, value::VARCHAR FROM parquet_kv_metadata(%s)"))
        .containsExactly(List.of("lakexpress.version", "1.2.3"));
  }

  @Test
  void hugeRowsLeaveTheHeapAtTheRowGroupSize() throws IOException {
    Schema schema = SchemaBuilder.struct().field("v", Schema.BYTES_SCHEMA).build();
    RowFileWriter writer =
        new ParquetRowFormat(ParquetCompression.NONE, 8 * MIB, "1.2.3").open(schema, output);
    for (int i = 0; i < 5_000; i++) {
      writer.write(new Struct(schema).put("v", new byte[] {(byte) i}));
    }
    long most = 0;
    java.util.Random random = new java.util.Random(1);
    for (int i = 0; i < 64; i++) {
      byte[] megabyte = new byte[MIB];
      random.nextBytes(megabyte);
      writer.write(new Struct(schema).put("v", megabyte));
      most = Math.max(most, writer.bufferedBytes());
      assertThat(writer.estimatedBytes()).isGreaterThan(i * (long) MIB);
    }
    assertThat(most).isBetween(6L * MIB, 16L * MIB);
    long estimated = writer.estimatedBytes();
    writer.finish();
    assertThat(writer.bufferedBytes()).isZero();
    assertThat(output.position()).isBetween(estimated - MIB, estimated + MIB);
    assertThat(readBack.column(save(), "SELECT count(*) FROM %s")).containsExactly("5064");
  }

  /** K1, K2: the memory budget sees what an open file really holds. */
  @Test
  void bufferedBytesCountEmptyColumnsAndDictionaries() {
    Schema schema = SchemaBuilder.struct().field("v", Schema.STRING_SCHEMA).build();
    RowFileWriter different = open(schema);
    RowFileWriter alike = open(schema);
    different.write(new Struct(schema).put("v", "first"));
    assertThat(different.bufferedBytes()).isBetween(20_000L, 40_000L);
    for (int i = 0; i < 10_000; i++) {
      different.write(new Struct(schema).put("v", "value " + i));
      alike.write(new Struct(schema).put("v", "same"));
    }
    assertThat(different.bufferedBytes()).isBetween(500_000L, 1_500_000L);
    assertThat(alike.bufferedBytes()).isLessThan(250_000L);
    different.discard();
    alike.discard();
    assertThat(different.bufferedBytes()).isZero();
  }

  @Test
  void manySmallRowsAreSplitIntoRowGroups() throws IOException {
    RowFileWriter writer =
        new ParquetRowFormat(ParquetCompression.ZSTD, MIB, "1.2.3").open(ROW, output);
    for (int i = 0; i < 300_000; i++) {
      writer.write(row(i * 7919L, "1.00"));
    }
    writer.finish();
    Path file = save();
    assertThat(readBack.column(file, "SELECT sum(id)::VARCHAR FROM %s"))
        .containsExactly(Long.toString(7919L * 300_000 * 299_999 / 2));
    long groups =
        Long.parseLong(
            readBack
                .column(file, "SELECT count(DISTINCT row_group_id) FROM parquet_metadata(%s)")
                .get(0));
    assertThat(groups).isBetween(2L, 12L);
  }

  @Test
  void storeThatFailsLeavesOnlyDiscarding() {
    Schema schema = SchemaBuilder.struct().field("v", Schema.BYTES_SCHEMA).build();
    RowFileWriter writer =
        new ParquetRowFormat(ParquetCompression.NONE, MIB, "1.2.3").open(schema, output);
    output.failAt(MIB / 2);
    Struct row = new Struct(schema).put("v", new byte[2 * MIB]);
    assertThatThrownBy(() -> writer.write(row)).isInstanceOf(StorageException.class);
    assertThatThrownBy(writer::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot go on with the file: an earlier failure left it written by half");
    assertThatCode(writer::discard).doesNotThrowAnyException();
    assertThat(writer.bufferedBytes()).isZero();
  }

  @Test
  void discardWritesNothingAndMayBeRepeated() {
    RowFileWriter writer = open(ROW);
    writer.write(row(1, "1.00"));
    long before = output.position();
    writer.discard();
    writer.discard();
    assertThat(output.position()).isEqualTo(before);
    assertThatThrownBy(() -> writer.write(row(2, "1.00")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot go on with the file: it has been ended");
  }

  @Test
  void rowOfAnotherSchemaIsRefusedAndAnEqualOneIsTaken() throws IOException {
    RowFileWriter writer = open(ROW);
    Schema newer = copyOf(ROW).version(2).doc("newer").build();
    Struct row = new Struct(newer).put("id", 5L);
    writer.write(row);
    Schema other = SchemaBuilder.struct().name("other").field("id", Schema.INT32_SCHEMA).build();
    assertThatThrownBy(() -> writer.write(new Struct(other).put("id", 1)))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage(
            "Cannot write a row of schema 'other': its columns differ from those the file was"
                + " opened with");
    writer.finish();
    assertThat(readBack.column(save(), "SELECT id FROM %s")).containsExactly("5");
  }

  /** K28: schemas are compared, not their versions. K29: names of structs do not matter. */
  @Test
  void columnsDecideWhetherTwoSchemasShareAFile() {
    ParquetRowFormat format = new ParquetRowFormat(ParquetCompression.ZSTD, MIB, "1.2.3");
    assertThat(format.accepts(ROW, copyOf(ROW).version(7).name("renamed").build())).isTrue();
    assertThat(
            format.accepts(ROW, copyOf(ROW).field("added", Schema.OPTIONAL_INT32_SCHEMA).build()))
        .isFalse();
    assertThat(acceptsField(MONEY, MONEY)).isTrue();
    assertThat(acceptsField(MONEY, Decimal.builder(2).optional().build())).isFalse();
    assertThat(acceptsField(Schema.INT64_SCHEMA, Schema.OPTIONAL_INT64_SCHEMA)).isFalse();
    assertThat(
            acceptsField(
                SchemaBuilder.int64().name("io.debezium.time.MicroTimestamp").build(),
                SchemaBuilder.int64().name("io.lakexpress.time.MicroInstant").build()))
        .isFalse();
    assertThat(
            acceptsField(
                SchemaBuilder.string().name("one").build(),
                SchemaBuilder.string().name("other").build()))
        .isTrue();
    assertThat(
            acceptsField(
                SchemaBuilder.array(Schema.STRING_SCHEMA).build(),
                SchemaBuilder.array(Schema.OPTIONAL_STRING_SCHEMA).build()))
        .isFalse();
  }

  @Test
  void twoUnnamedStructsOfOneRowAreWritten() throws IOException {
    Schema one = SchemaBuilder.struct().field("x", Schema.INT32_SCHEMA).build();
    Schema other = SchemaBuilder.struct().field("x", Schema.STRING_SCHEMA).build();
    Schema schema = SchemaBuilder.struct().field("a", one).field("b", other).build();
    RowFileWriter writer = open(schema);
    writer.write(
        new Struct(schema)
            .put("a", new Struct(one).put("x", 1))
            .put("b", new Struct(other).put("x", "y")));
    writer.finish();
    assertThat(readBack.rows(save(), "SELECT a.x, b.x FROM %s")).containsExactly(List.of("1", "y"));
  }

  @Test
  void statisticsLetReadersSkip() throws IOException {
    RowFileWriter writer = open(ROW);
    writer.write(row(17, "1.00"));
    writer.write(row(-4, null));
    writer.finish();
    assertThat(
            readBack.rows(
                save(),
                "SELECT stats_min_value, stats_max_value FROM parquet_metadata(%s)"
                    + " WHERE path_in_schema = 'id'"))
        .containsExactly(List.of("-4", "17"));
  }

  private void assertRefused(Schema type, Object value, String reason) {
    Schema schema = SchemaBuilder.struct().field("v", type).build();
    assertThatThrownBy(() -> open(schema).write(new Struct(schema).put("v", value)))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage("Cannot write field 'v': " + reason);
  }

  private static boolean acceptsField(Schema one, Schema other) {
    return new ParquetRowFormat(ParquetCompression.ZSTD, MIB, "1.2.3")
        .accepts(
            SchemaBuilder.struct().field("v", one).build(),
            SchemaBuilder.struct().field("v", other).build());
  }

  private static SchemaBuilder copyOf(Schema schema) {
    SchemaBuilder copy = SchemaBuilder.struct();
    new ArrayList<>(schema.fields()).forEach(field -> copy.field(field.name(), field.schema()));
    return copy;
  }

  private static Struct row(long id, String amount) {
    return new Struct(ROW)
        .put("id", id)
        .put("tags", List.of("a", "b"))
        .put("amount", amount == null ? null : new BigDecimal(amount));
  }

  private RowFileWriter open(Schema schema) {
    return new ParquetRowFormat(ParquetCompression.ZSTD, 64 * MIB, "1.2.3").open(schema, output);
  }

  private Path save() throws IOException {
    return output.saveIn(folder);
  }
}
