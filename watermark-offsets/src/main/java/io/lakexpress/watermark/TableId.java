package io.lakexpress.watermark;

import java.util.Objects;

/**
 * A table as the source database spells it. Its text form is {@code schema.table}; a part that
 * itself holds a dot or a double quote, or begins or ends with a blank, is written in double
 * quotes, so that the form reads back.
 */
public record TableId(String schema, String table) implements Comparable<TableId> {
  public TableId {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(table, "table");
    if (schema.isEmpty() || table.isEmpty()) {
      throw new IllegalArgumentException(
          "Invalid table '" + schema + "." + table + "': expected a schema and a table name");
    }
  }

  /** Reads the text form back. */
  public static TableId parse(String text) {
    NameScanner scanner = new NameScanner(text, "table '" + text + "'", "schema.table");
    Name schema = scanner.name(".");
    scanner.expect('.');
    Name table = scanner.name(".");
    scanner.expectEnd();
    return new TableId(schema.text(), table.text());
  }

  private static String quoted(String part) {
    return part.indexOf('.') < 0 && part.indexOf('"') < 0 && part.equals(part.strip())
        ? part
        : '"' + part.replace("\"", "\"\"") + '"';
  }

  @Override
  public int compareTo(TableId other) {
    int bySchema = schema.compareTo(other.schema);
    return bySchema != 0 ? bySchema : table.compareTo(other.table);
  }

  @Override
  public String toString() {
    return quoted(schema) + "." + quoted(table);
  }
}
