package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceColumn.Nullability;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.SourceTable.Kind;
import io.lakexpress.watermark.TableId;
import java.util.ArrayList;
import java.util.List;

/** Tables as SQL Server's catalogue would describe them, written down by hand. */
final class SqlServerTables {
  private final TableId id;
  private final List<SqlServerType> types = new ArrayList<>();
  private List<String> key = List.of();
  private SqlServerTable.Storage storage = SqlServerTable.Storage.DISK;

  private SqlServerTables(TableId id) {
    this.id = id;
  }

  static SqlServerTables named(String table) {
    return new SqlServerTables(new TableId("dbo", table));
  }

  /** Nullable. */
  SqlServerTables column(String name, String declared) {
    types.add(type(name, types.size() + 1, declared, false));
    return this;
  }

  SqlServerTables required(String name, String declared) {
    types.add(type(name, types.size() + 1, declared, true));
    return this;
  }

  SqlServerTables key(String... columns) {
    key = List.of(columns);
    return this;
  }

  SqlServerTables inMemory() {
    storage = SqlServerTable.Storage.MEMORY;
    return this;
  }

  SqlServerTable table() {
    List<SourceColumn> columns =
        types.stream()
            .map(
                type ->
                    new SourceColumn(
                        type.column(),
                        type.ordinal(),
                        type.declared(),
                        type.notNull() ? Nullability.NOT_NULL : Nullability.NULLABLE))
            .toList();
    return new SqlServerTable(
        new SourceTable(id, Kind.TABLE, columns, key, key, 0), types, storage);
  }

  /** A type from the way one declares it; texts have a collation of their own. */
  static SqlServerType type(String declared) {
    return type("c", 1, declared, false);
  }

  private static SqlServerType type(String column, int ordinal, String declared, boolean notNull) {
    int open = declared.indexOf('(');
    String name = open < 0 ? declared : declared.substring(0, open);
    List<Integer> numbers = new ArrayList<>();
    if (open >= 0) {
      for (String number : declared.substring(open + 1, declared.length() - 1).split(",")) {
        numbers.add(number.equals("max") ? -1 : Integer.parseInt(number));
      }
    }
    int first = numbers.isEmpty() ? 0 : numbers.get(0);
    boolean wide = name.equals("nchar") || name.equals("nvarchar");
    boolean fraction =
        name.equals("time") || name.equals("datetime2") || name.equals("datetimeoffset");
    return new SqlServerType(
        column,
        ordinal,
        name.equals("rowversion") ? "timestamp" : name,
        wide && first > 0 ? first * 2 : first,
        first,
        fraction ? first : numbers.size() > 1 ? numbers.get(1) : 0,
        name.contains("char") || name.contains("text") ? "Latin1_General_CI_AS" : null,
        notNull);
  }
}
