package io.lakexpress.connect.source.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * The rows behind a position in the order of several columns, for databases that cannot compare
 * rows: {@code (a > ? OR (a = ? AND b > ?))}.
 *
 * @param parts the columns in their order
 * @param last how the last of them is compared: {@code >}, or {@code >=} to have the position too
 */
record RowsAfter(List<Part> parts, String last) {
  /**
   * One column.
   *
   * @param placeholder what stands for the value in the statement
   */
  record Part(String column, String placeholder, Object value) {
    private String compared(String operator) {
      return column + " " + operator + " " + placeholder;
    }
  }

  RowsAfter {
    parts = List.copyOf(parts);
  }

  String sql() {
    int at = parts.size() - 1;
    String sql = parts.get(at).compared(last);
    while (at > 0) {
      at--;
      Part part = parts.get(at);
      sql = "(" + part.compared(">") + " OR (" + part.compared("=") + " AND " + sql + "))";
    }
    return sql;
  }

  /** What to bind, in order. */
  List<Object> parameters() {
    List<Object> values = new ArrayList<>();
    for (Part part : parts) {
      values.add(part.value());
      values.add(part.value());
    }
    values.remove(values.size() - 1);
    return values;
  }
}
