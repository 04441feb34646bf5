package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.TableId;
import java.util.List;
import java.util.Optional;

/**
 * A table as the catalogue describes it.
 *
 * @param primaryKey its column names in key order; empty without one
 * @param uniqueKey a unique index over NOT NULL columns that can stand in for ordering where there
 *     is no primary key; equal to the primary key where there is one; empty without either
 * @param estimatedRows the catalogue's estimate
 */
public record SourceTable(
    TableId id,
    Kind kind,
    List<SourceColumn> columns,
    List<String> primaryKey,
    List<String> uniqueKey,
    long estimatedRows) {

  /** What the relation is. */
  public enum Kind {
    TABLE,
    PARTITIONED_TABLE,
    VIEW,
    FOREIGN_TABLE
  }

  public SourceTable {
    columns = List.copyOf(columns);
    primaryKey = List.copyOf(primaryKey);
    uniqueKey = List.copyOf(uniqueKey);
  }

  public Optional<SourceColumn> column(String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst();
  }
}
