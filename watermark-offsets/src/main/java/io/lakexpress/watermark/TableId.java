package io.lakexpress.watermark;

import java.util.Objects;

/** A table as the source database spells it. Its text form is {@code schema.table}. */
public record TableId(String schema, String table) implements Comparable<TableId> {
  public TableId {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(table, "table");
    if (schema.isEmpty() || table.isEmpty()) {
      throw new IllegalArgumentException(
          "Invalid table '" + schema + "." + table + "': expected a schema and a table name");
    }
  }

  @Override
  public int compareTo(TableId other) {
    int bySchema = schema.compareTo(other.schema);
    return bySchema != 0 ? bySchema : table.compareTo(other.table);
  }

  @Override
  public String toString() {
    return schema + "." + table;
  }
}
