package io.lakexpress.connect.lake.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.lake.file.RowFileWriter;
import io.lakexpress.connect.lake.file.UnwritableRowException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.ConnectSchema;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schemas and values of other connectors that no file can hold, and odd ones that it can. */
final class UnusableSchemasTest {
  private final ParquetRowFormat format =
      new ParquetRowFormat(ParquetCompression.ZSTD, 64 << 20, "1.2.3");
  private final MemoryOutput output = new MemoryOutput();

  @TempDir Path folder;

  @Test
  void schemaThatHoldsItselfIsRefusedInsteadOfEndingTheTask() {
    List<Field> fields = new java.util.ArrayList<>();
    Schema node =
        new ConnectSchema(Schema.Type.STRUCT, true, null, "Node", null, null) {
          @Override
          public List<Field> fields() {
            return fields;
          }
        };
    fields.add(new Field("next", 0, node));
    Schema row = SchemaBuilder.struct().field("list", node).build();
    assertThatThrownBy(() -> format.open(row, output))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage("Cannot write field 'list': it holds more than 100 levels, or itself");
  }

  @Test
  void thirtyLevelsAreWritten() throws Exception {
    Schema type = Schema.INT32_SCHEMA;
    Object value = 7;
    for (int i = 0; i < 30; i++) {
      Schema outer = SchemaBuilder.struct().field("f", type).build();
      value = new Struct(outer).put("f", value);
      type = outer;
    }
    write(type, (Struct) value);
    assertThat(
            read("SELECT " + String.join(".", java.util.Collections.nCopies(30, "f")) + " FROM %s"))
        .containsExactly("7");
  }

  @Test
  void namesWithoutTextFormAreRefused() {
    assertThatThrownBy(() -> format.open(row("a\uD83D"), output))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage("Cannot write field 1: its name has half a surrogate pair");
    Schema nested = SchemaBuilder.struct().field("p", row("ok", "\uDE80")).build();
    assertThatThrownBy(() -> format.open(nested, output))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage("Cannot write field 2 of 'p': its name has half a surrogate pair");
  }

  @Test
  void namesThatOnlyLookAlikeAreTwoColumns() throws Exception {
    Schema schema =
        SchemaBuilder.struct()
            .field("Stra\u00dfe", Schema.INT32_SCHEMA)
            .field("STRASSE", Schema.INT32_SCHEMA)
            .field("\u00e9", Schema.INT32_SCHEMA)
            .field("e\u0301", Schema.INT32_SCHEMA)
            .field("\uD83D\uDE80", Schema.INT32_SCHEMA)
            .field("list", Schema.INT32_SCHEMA)
            .build();
    Struct row = new Struct(schema);
    schema.fields().forEach(field -> row.put(field, field.index()));
    write(schema, row);
    assertThat(read("SELECT column_name FROM (DESCRIBE SELECT * FROM %s)"))
        .isEqualTo(schema.fields().stream().map(Field::name).toList());
    assertThat(read("SELECT \"STRASSE\" FROM %s")).containsExactly("1");
  }

  @Test
  void alikeNamesBeyondAsciiAreRefusedToo() {
    assertThatThrownBy(() -> format.open(row("\u00c4rger", "\u00e4RGER"), output))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessageStartingWith("Cannot write fields '\u00c4rger' and '\u00e4RGER': their names");
  }

  @Test
  void scalesFromNowhereAreRefusedBeforeTheyFillTheHeap() {
    Schema variable = variableScale();
    Struct huge =
        new Struct(variable)
            .put("scale", Integer.MIN_VALUE)
            .put("value", BigInteger.ONE.toByteArray());
    assertRefused(variable, huge, "decimal that takes 2147483649 digits, expected at most 1048576");
    assertRefused(
        variable,
        new Struct(variable).put("scale", 0).put("value", new byte[0]),
        "decimal of no bytes");
    assertRefused(
        Decimal.schema(-2_000_000),
        new BigDecimal(BigInteger.ONE, -2_000_000),
        "decimal that takes 2000001 digits, expected at most 1048576");
  }

  /** A column that is one number in one schema and a group in the other is not the same column. */
  @Test
  void decimalOfAnyScaleSharesNoFileWithAStructOfItsFields() {
    Schema variable = variableScale();
    Schema plain =
        SchemaBuilder.struct()
            .field("scale", Schema.INT32_SCHEMA)
            .field("value", Schema.BYTES_SCHEMA)
            .build();
    assertThat(format.accepts(field(variable), field(plain))).isFalse();
    assertThat(format.accepts(field(plain), field(variable))).isFalse();
    assertThat(format.accepts(field(variable), field(variableScale()))).isTrue();
  }

  /** K28: an enum that grew, other documentation and other defaults change no column. */
  @Test
  void grownEnumsShareTheFile() {
    Schema small =
        SchemaBuilder.string().name("io.debezium.data.Enum").parameter("allowed", "a,b").build();
    Schema grown =
        SchemaBuilder.string()
            .name("io.debezium.data.Enum")
            .parameter("allowed", "a,b,c")
            .doc("grown")
            .defaultValue("c")
            .build();
    assertThat(format.accepts(field(small), field(grown))).isTrue();
  }

  @Test
  void nullsWithDefaultsStayNullInsideStructsToo() throws Exception {
    Schema inner =
        SchemaBuilder.struct()
            .field("v", SchemaBuilder.int32().optional().defaultValue(5).build())
            .optional()
            .build();
    Schema schema =
        SchemaBuilder.struct()
            .field("a", inner)
            .field("l", SchemaBuilder.array(inner).build())
            .build();
    Struct absent = new Struct(inner).put("v", null);
    write(schema, new Struct(schema).put("a", absent).put("l", List.of(absent)));
    assertThat(read("SELECT a.v IS NULL AND l[1].v IS NULL AND a IS NOT NULL FROM %s"))
        .containsExactly("true");
  }

  @Test
  void mapWithNullKeyIsRefused() {
    Schema map = SchemaBuilder.map(Schema.OPTIONAL_STRING_SCHEMA, Schema.INT32_SCHEMA).build();
    Map<String, Integer> entries = new java.util.HashMap<>();
    entries.put(null, 1);
    Schema row = field(map);
    assertThatThrownBy(() -> format.open(row, output).write(new Struct(row).put("v", entries)))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage("Cannot write field 'v[key]': null, expected a value");
  }

  private void assertRefused(Schema type, Object value, String reason) {
    Schema row = field(type);
    assertThatThrownBy(() -> format.open(row, output).write(new Struct(row).put("v", value)))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessage("Cannot write field 'v': " + reason);
  }

  private static Schema variableScale() {
    return SchemaBuilder.struct()
        .name("io.debezium.data.VariableScaleDecimal")
        .field("scale", Schema.INT32_SCHEMA)
        .field("value", Schema.BYTES_SCHEMA)
        .build();
  }

  private static Schema field(Schema type) {
    return SchemaBuilder.struct().field("v", type).build();
  }

  private static Schema row(String... names) {
    SchemaBuilder schema = SchemaBuilder.struct();
    for (String name : names) {
      schema.field(name, Schema.INT32_SCHEMA);
    }
    return schema.build();
  }

  private void write(Schema schema, Struct row) {
    RowFileWriter writer = format.open(schema, output);
    writer.write(row);
    writer.finish();
  }

  private List<String> read(String query) throws Exception {
    try (ParquetReadBack readBack = new ParquetReadBack()) {
      return readBack.column(output.saveIn(folder), query);
    }
  }
}
