package io.lakexpress.connect.lake.parquet;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Reads Parquet files with DuckDB: a reader that shares no code with our writer. */
final class ParquetReadBack implements AutoCloseable {
  private final Connection connection;

  ParquetReadBack() {
    try {
      connection = DriverManager.getConnection("jdbc:duckdb:");
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET TimeZone = 'UTC'");
      }
    } catch (SQLException failure) {
      throw new IllegalStateException("Cannot start DuckDB", failure);
    }
  }

  /** The rows of a query in which {@code %s} stands for the file, every value as text. */
  List<List<String>> rows(Path file, String query) {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query.formatted("'" + file + "'"))) {
      List<List<String>> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException failure) {
      throw new IllegalStateException("Cannot read " + file, failure);
    }
  }

  /** The values of the first column of a query. */
  List<String> column(Path file, String query) {
    return rows(file, query).stream().map(row -> row.get(0)).toList();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
