package io.lakexpress.connect.source.jdbc;

import io.lakexpress.watermark.TableId;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;

/**
 * A statement that reads rows of one table, with everything resolved that its rows need.
 *
 * @param parameters values to bind, in order
 * @param infiniteValues counts while rows are read
 */
record RowQuery(
    TableId table,
    String sql,
    List<Object> parameters,
    RowLayout layout,
    RowPositions positions,
    InfiniteValues infiniteValues) {
  RowQuery {
    parameters = List.copyOf(parameters);
  }

  /** A text that the database turns into the type the statement casts it to. */
  record Untyped(String text) {}

  void bind(PreparedStatement statement) throws SQLException {
    int index = 0;
    for (Object parameter : parameters) {
      index++;
      if (parameter instanceof Untyped untyped) {
        statement.setObject(index, untyped.text(), Types.OTHER);
      } else {
        statement.setObject(index, parameter);
      }
    }
  }
}
