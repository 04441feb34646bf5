package io.lakexpress.lxdb.jdbc;

import io.lakexpress.watermark.TableId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** The present row of a query; null stays null. */
final class Row {
  private final ResultSet rows;
  private final TimestampForm timestamps;

  Row(ResultSet rows, TimestampForm timestamps) {
    this.rows = rows;
    this.timestamps = timestamps;
  }

  String text(String column) throws SQLException {
    return rows.getString(column);
  }

  long number(String column) throws SQLException {
    return rows.getLong(column);
  }

  int integer(String column) throws SQLException {
    return rows.getInt(column);
  }

  Instant instant(String column) throws SQLException {
    return timestamps.read(rows, column);
  }

  TableId table() throws SQLException {
    return new TableId(text("source_schema"), text("source_table"));
  }

  /** Reads one row. */
  interface Reader<T> {
    T read(Row row) throws SQLException;
  }
}
