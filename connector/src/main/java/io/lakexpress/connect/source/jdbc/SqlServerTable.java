package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.watermark.TableId;
import java.util.List;
import java.util.Optional;

/**
 * A table with what only this database's statements need to know of it.
 *
 * @param types of its columns, in their order
 */
record SqlServerTable(SourceTable source, List<SqlServerType> types, Storage storage) {
  /** Where the rows are kept. */
  enum Storage {
    DISK,
    /** Read under snapshot isolation whatever the session's level, and only by a hint. */
    MEMORY
  }

  SqlServerTable {
    types = List.copyOf(types);
  }

  TableId id() {
    return source.id();
  }

  Optional<SqlServerType> type(String column) {
    return types.stream().filter(type -> type.column().equals(column)).findFirst();
  }

  /** What stands behind the table's name in a statement inside a transaction. */
  String hint() {
    return switch (storage) {
      case DISK -> "";
      case MEMORY -> " WITH (SNAPSHOT)";
    };
  }
}
