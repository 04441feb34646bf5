package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.connect.source.read.SourceTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** The columns of a table as readers, and the schemas of the records they make. */
final class RowLayout {
  /** A schema parameter that keeps a column's name where the field's name had to differ. */
  static final String COLUMN_NAME = "lakexpress.column.name";

  private final ColumnReader[] columns;
  private final Field[] fields;
  private final Schema valueSchema;
  private final Schema keySchema;
  private final Field[] keyFields;
  private final int[] keyColumns;

  private RowLayout(
      List<ColumnReader> columns, Schema valueSchema, Schema keySchema, int[] keyColumns) {
    this.columns = columns.toArray(ColumnReader[]::new);
    this.valueSchema = valueSchema;
    this.fields = valueSchema.fields().toArray(Field[]::new);
    this.keySchema = keySchema;
    this.keyFields = keySchema == null ? new Field[0] : keySchema.fields().toArray(Field[]::new);
    this.keyColumns = keyColumns;
  }

  /**
   * Lays a table out.
   *
   * @throws SourceException if two columns would become one field
   */
  static RowLayout of(SourceTable table, List<ColumnReader> columns, ReadSettings settings) {
    Map<String, String> fieldNames = fieldNames(table, columns, settings.fieldNames());
    String base =
        schemaName(table.id().schema(), settings) + "." + schemaName(table.id().table(), settings);
    int version =
        version(table.fingerprint() + settings.timePrecision() + settings.decimalHandling());
    SchemaBuilder value = SchemaBuilder.struct().name(base + ".Value").version(version);
    for (ColumnReader column : columns) {
      value.field(fieldNames.get(column.name()), fieldSchema(column, fieldNames));
    }
    Schema key = null;
    int[] keyColumns = new int[0];
    if (settings.recordKey() == ReadSettings.RecordKey.PRIMARY_KEY
        && !table.primaryKey().isEmpty()) {
      List<String> names = columns.stream().map(ColumnReader::name).toList();
      keyColumns = table.primaryKey().stream().mapToInt(names::indexOf).toArray();
      SchemaBuilder builder = SchemaBuilder.struct().name(base + ".Key").version(version);
      for (int index : keyColumns) {
        ColumnReader column = columns.get(index);
        builder.field(fieldNames.get(column.name()), fieldSchema(column, fieldNames));
      }
      key = builder.build();
    }
    return new RowLayout(columns, value.build(), key, keyColumns);
  }

  int size() {
    return columns.length;
  }

  ColumnReader column(int index) {
    return columns[index];
  }

  Field field(int index) {
    return fields[index];
  }

  Schema valueSchema() {
    return valueSchema;
  }

  Schema keySchema() {
    return keySchema;
  }

  /** The key of a row, or null if the table has none. */
  Struct key(Struct value) {
    if (keySchema == null) {
      return null;
    }
    Struct key = new Struct(keySchema);
    for (int i = 0; i < keyFields.length; i++) {
      key.put(keyFields[i], value.get(fields[keyColumns[i]]));
    }
    return key;
  }

  private static Map<String, String> fieldNames(
      SourceTable table, List<ColumnReader> columns, ReadSettings.FieldNames mode) {
    Map<String, String> fieldNames = new TreeMap<>();
    Map<String, String> taken = new TreeMap<>();
    for (ColumnReader column : columns) {
      String name = mode == ReadSettings.FieldNames.AVRO ? avro(column.name()) : column.name();
      String other = taken.put(name, column.name());
      if (other != null) {
        throw new SourceException(
            String.format(
                Locale.ROOT,
                "Cannot read %s: columns \"%s\" and \"%s\" would both become field %s",
                table.id(),
                other,
                column.name(),
                name),
            null,
            SourceException.Kind.LASTING);
      }
      fieldNames.put(column.name(), name);
    }
    return fieldNames;
  }

  private static Schema fieldSchema(ColumnReader column, Map<String, String> fieldNames) {
    if (fieldNames.get(column.name()).equals(column.name())) {
      return column.schema();
    }
    Schema plain = column.schema();
    SchemaBuilder named =
        plain.type() == Schema.Type.ARRAY
            ? SchemaBuilder.array(plain.valueSchema())
            : SchemaBuilder.type(plain.type());
    named.name(plain.name()).version(plain.version());
    if (plain.parameters() != null) {
      named.parameters(plain.parameters());
    }
    named.parameter(COLUMN_NAME, column.name());
    return plain.isOptional() ? named.optional().build() : named.build();
  }

  private static String schemaName(String name, ReadSettings settings) {
    return settings.fieldNames() == ReadSettings.FieldNames.AVRO ? avro(name) : name;
  }

  private static String avro(String name) {
    List<String> letters = new ArrayList<>();
    name.codePoints()
        .forEach(
            c -> {
              boolean letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
              boolean digit = c >= '0' && c <= '9';
              if (digit && letters.isEmpty()) {
                letters.add("_");
              }
              letters.add(letter || digit ? Character.toString(c) : "_");
            });
    return String.join("", letters);
  }

  /** Positive, and the same for the same columns in every process. */
  private static int version(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() & 0x3fffffff) + 1;
  }
}
