package io.lakexpress.cli.verify;

import io.lakexpress.watermark.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Compares a table in PostgreSQL with its folder in the lake, row by row. */
public final class TableComparison {
  private static final int FETCH_ROWS = 10_000;

  private final Connection database;
  private final LakeReader lake;

  public TableComparison(Connection database, LakeReader lake) {
    this.database = database;
    this.lake = lake;
  }

  /** What both sides hold. */
  public record Outcome(TableId table, Checksum inDatabase, Checksum inLake) {
    public boolean agrees() {
      return inDatabase.equals(inLake);
    }
  }

  /** The tables of a schema, by name. */
  public List<TableId> tables(String schema) throws SQLException {
    List<TableId> tables = new ArrayList<>();
    try (PreparedStatement statement =
        database.prepareStatement(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = ? ORDER BY 1")) {
      statement.setString(1, schema);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          tables.add(new TableId(schema, result.getString(1)));
        }
      }
    }
    return tables;
  }

  /** Reads the whole table on both sides. */
  public Outcome compare(TableId table) throws SQLException {
    String columns = columns(table);
    Checksum inDatabase;
    database.setAutoCommit(false);
    try (PreparedStatement statement =
        database.prepareStatement(
            "SELECT "
                + columns
                + " FROM "
                + quoted(table.schema())
                + "."
                + quoted(table.table()))) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet result = statement.executeQuery()) {
        inDatabase = Checksum.of(result);
      }
    } finally {
      database.setAutoCommit(true);
    }
    return new Outcome(
        table, inDatabase, lake.checksum(table.schema() + "/" + table.table(), columns));
  }

  private String columns(TableId table) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (PreparedStatement statement =
        database.prepareStatement(
            "SELECT column_name FROM information_schema.columns"
                + " WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position")) {
      statement.setString(1, table.schema());
      statement.setString(2, table.table());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          columns.add(quoted(result.getString(1)));
        }
      }
    }
    return String.join(", ", columns);
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
