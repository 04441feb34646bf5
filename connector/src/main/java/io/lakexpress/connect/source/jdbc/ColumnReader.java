package io.lakexpress.connect.source.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.kafka.connect.data.Schema;

/**
 * One column, resolved once per cursor: what to select, what it is in the record, and how to read
 * it.
 *
 * @param name as the database spells it
 * @param expression what the select list holds for it
 * @param schema of the field; optional unless the column is NOT NULL
 */
record ColumnReader(String name, String expression, Schema schema, ValueReader reader) {

  /** Reads a value of the row a result set stands on; null for NULL. */
  interface ValueReader {
    Object read(ResultSet rows, int index) throws SQLException;
  }
}
