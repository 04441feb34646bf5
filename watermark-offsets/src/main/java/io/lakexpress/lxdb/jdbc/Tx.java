package io.lakexpress.lxdb.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** One transaction on the LakeXpress DB, or one read outside of any. */
final class Tx {
  private static final int IDS_PER_STATEMENT = 500;

  private final Connection connection;
  private final Flavour flavour;

  Tx(Connection connection, Flavour flavour) {
    this.connection = connection;
    this.flavour = flavour;
  }

  /** Question marks, one per value. */
  static String marks(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }

  /** The database's clock. */
  Instant now() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(flavour.clock());
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return flavour.timestamps().read(rows, "clock");
    }
  }

  <T> List<T> list(String sql, Row.Reader<T> reader, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      try (ResultSet rows = statement.executeQuery()) {
        Row row = new Row(rows, flavour.timestamps());
        List<T> found = new ArrayList<>();
        while (rows.next()) {
          found.add(reader.read(row));
        }
        return found;
      }
    }
  }

  <T> Optional<T> first(String sql, Row.Reader<T> reader, Object... values) throws SQLException {
    return list(sql, reader, values).stream().findFirst();
  }

  /** The newest or largest few: the query must end with ORDER BY. */
  <T> List<T> top(int max, String sql, Row.Reader<T> reader, Object... values) throws SQLException {
    return list(sql + flavour.limit(), reader, with(values, max));
  }

  /** The rows of a query for many ids; the query ends with {@code IN } and the ids come last. */
  <T> List<T> listByIds(String sql, Row.Reader<T> reader, Collection<String> ids)
      throws SQLException {
    List<String> all = List.copyOf(ids);
    List<T> found = new ArrayList<>();
    for (int from = 0; from < all.size(); from += IDS_PER_STATEMENT) {
      List<String> some = all.subList(from, Math.min(all.size(), from + IDS_PER_STATEMENT));
      found.addAll(list(sql + "(" + marks(some.size()) + ")", reader, some.toArray()));
    }
    return found;
  }

  /** How many rows a query finds that starts with {@code SELECT COUNT(*) AS n}. */
  long count(String sql, Object... values) throws SQLException {
    return first(sql, row -> row.number("n"), values).orElse(0L);
  }

  int update(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  void batch(String sql, List<Object[]> lines) throws SQLException {
    if (lines.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Object[] line : lines) {
        bind(statement, line);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Inserts a row and returns the number that the database gave it. */
  long insertNumbered(String idColumn, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql, new String[] {idColumn})) {
      bind(statement, values);
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        keys.next();
        return keys.getLong(1);
      }
    }
  }

  /** Inserts a row unless one with its key is there. */
  void insertIfMissing(String table, List<String> columns, List<String> key, Object... values)
      throws SQLException {
    Flavour.Insert insert = flavour.missingInsert().of(table, columns, key, Arrays.asList(values));
    update(insert.sql(), insert.values().toArray());
  }

  /** Reads one row and keeps it locked until the transaction ends. */
  <T> Optional<T> lock(
      String columns, String table, String condition, Row.Reader<T> reader, Object... values)
      throws SQLException {
    return first(flavour.lockingSelect(columns, table, condition), reader, values);
  }

  private void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof Instant instant) {
        flavour.timestamps().bind(statement, i + 1, instant);
      } else {
        statement.setObject(i + 1, values[i]);
      }
    }
  }

  private static Object[] with(Object[] values, Object last) {
    List<Object> all = new ArrayList<>(Arrays.asList(values));
    all.add(last);
    return all.toArray();
  }
}
