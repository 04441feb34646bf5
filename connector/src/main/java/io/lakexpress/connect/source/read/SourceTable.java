package io.lakexpress.connect.source.read;

import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

  /**
   * A short text that is the same as long as the columns are: their names, types, nullability and
   * order. Row hashes and schema versions go by it, so it is stable across restarts.
   */
  public String fingerprint() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (SourceColumn column : columns) {
        String part = column.name() + "\0" + column.type() + "\0" + column.nullability() + "\0";
        digest.update(part.getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Cannot hash columns: every Java has SHA-256", e);
    }
  }

  /**
   * What the rows of a window are in the order of, as a cursor keeps it: the watermark column and
   * the key's columns, each with its type, since another type may order them otherwise.
   */
  public String order(WatermarkColumn watermark) {
    return Cursor.columnsText(
        Stream.concat(Stream.of(watermark.name()), uniqueKey.stream())
            .map(name -> name + " " + column(name).map(SourceColumn::type).orElse(""))
            .toList());
  }

  public Optional<SourceColumn> column(String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst();
  }
}
