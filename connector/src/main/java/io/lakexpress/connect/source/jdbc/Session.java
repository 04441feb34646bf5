package io.lakexpress.connect.source.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A connection whose statements can be cancelled. Used by one thread. */
final class Session implements AutoCloseable {
  private final Connection connection;
  private final Cancellation cancellation;

  Session(Connection connection, Cancellation cancellation) {
    this.connection = connection;
    this.cancellation = cancellation;
  }

  /** Turns the row a result set stands on into a value. */
  interface RowReader<T> {
    T read(ResultSet rows) throws SQLException;
  }

  Cancellation cancellation() {
    return cancellation;
  }

  Connection connection() {
    return connection;
  }

  /** All rows of a small answer; parameters are bound as they are. */
  <T> List<T> list(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      cancellation.run(statement);
      try (ResultSet rows = statement.executeQuery()) {
        List<T> answer = new ArrayList<>();
        while (rows.next()) {
          answer.add(reader.read(rows));
        }
        return answer;
      }
    }
  }

  /** The first row of an answer. */
  <T> Optional<T> first(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
    return list(sql, reader, parameters).stream().findFirst();
  }

  /** Begins a transaction that only reads. */
  void begin() throws SQLException {
    connection.setAutoCommit(false);
  }

  /** Ends the transaction. */
  void end() throws SQLException {
    if (!connection.isClosed() && !connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  boolean isClosed() throws SQLException {
    return connection.isClosed();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
