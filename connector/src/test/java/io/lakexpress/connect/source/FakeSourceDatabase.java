package io.lakexpress.connect.source;

import io.lakexpress.connect.source.read.Activity;
import io.lakexpress.connect.source.read.HeldSnapshot;
import io.lakexpress.connect.source.read.LikePattern;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceColumn.Nullability;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.TableSelection;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A catalogue made by hand. */
final class FakeSourceDatabase implements SourceDatabase {
  private static final Map<String, ColumnKind> KINDS =
      Map.of(
          "date", ColumnKind.DATE,
          "timestamp", ColumnKind.LOCAL_TIME,
          "timestamptz", ColumnKind.INSTANT,
          "bigint", ColumnKind.INTEGER);

  private static final String FILLED = " not null";

  private final Map<TableId, SourceTable> tables = new TreeMap<>();
  private final Set<TableId> forbidden = new HashSet<>();
  private final Set<TableId> held = new HashSet<>();
  private final Set<TableId> unindexed = new HashSet<>();
  private String zone = "UTC";
  private boolean down;
  private boolean closed;

  /** Adds a table; columns as {@code name type [not null]}. */
  FakeSourceDatabase table(String name, String... columns) {
    List<SourceColumn> described = new ArrayList<>();
    for (String written : columns) {
      boolean isFilled = written.endsWith(FILLED);
      String column = isFilled ? written.substring(0, written.length() - FILLED.length()) : written;
      int blank = column.indexOf(' ');
      described.add(
          new SourceColumn(
              column.substring(0, blank),
              described.size() + 1,
              column.substring(blank + 1),
              isFilled ? Nullability.NOT_NULL : Nullability.NULLABLE));
    }
    TableId id = TableId.parse(name);
    tables.put(
        id, new SourceTable(id, SourceTable.Kind.TABLE, described, List.of(), List.of(), 100));
    return this;
  }

  /** Adds a table with a primary key. */
  FakeSourceDatabase keyed(String name, List<String> key, String... columns) {
    table(name, columns);
    SourceTable whole = tables.get(TableId.parse(name));
    tables.put(
        whole.id(), new SourceTable(whole.id(), whole.kind(), whole.columns(), key, key, 100));
    return this;
  }

  FakeSourceDatabase forbid(String name) {
    forbidden.add(TableId.parse(name));
    return this;
  }

  FakeSourceDatabase unindexed(String name) {
    unindexed.add(TableId.parse(name));
    return this;
  }

  /** Somebody holds a lock on the table. */
  FakeSourceDatabase hold(String name) {
    held.add(TableId.parse(name));
    return this;
  }

  FakeSourceDatabase zone(String name) {
    zone = name;
    return this;
  }

  FakeSourceDatabase down() {
    down = true;
    return this;
  }

  boolean isClosed() {
    return closed;
  }

  private void answer() {
    if (down) {
      throw new SourceException(
          "Cannot reach the source database: connection refused",
          null,
          SourceException.Kind.PASSING);
    }
  }

  @Override
  public Instant now() {
    answer();
    return Instant.EPOCH;
  }

  @Override
  public Activity activity() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String timeZone() {
    answer();
    return zone;
  }

  @Override
  public List<SourceTable> tables(TableSelection selection) {
    answer();
    return tables.values().stream()
        .filter(table -> matches(selection.schemas(), table.id().schema()))
        .filter(table -> matches(selection.include(), table.id().table()))
        .filter(
            table ->
                selection.exclude().isEmpty() || !matches(selection.exclude(), table.id().table()))
        .toList();
  }

  private static boolean matches(List<String> patterns, String name) {
    return patterns.isEmpty()
        || patterns.stream().anyMatch(pattern -> new LikePattern(pattern).matches(name));
  }

  @Override
  public Optional<SourceTable> table(TableId id) {
    answer();
    return Optional.ofNullable(tables.get(id));
  }

  @Override
  public List<TableId> tableNames() {
    answer();
    return List.copyOf(tables.keySet());
  }

  @Override
  public Optional<WatermarkColumn> watermarkColumn(SourceColumn column) {
    return Optional.ofNullable(KINDS.get(column.type()))
        .map(kind -> new WatermarkColumn(column.name(), kind, 0));
  }

  @Override
  public Optional<String> refusedRead(TableId id) {
    answer();
    if (held.contains(id)) {
      throw new SourceException(
          "Cannot read " + id + ": lock timeout", null, SourceException.Kind.PASSING);
    }
    return forbidden.contains(id)
        ? Optional.of("permission denied for table " + id.table())
        : Optional.empty();
  }

  @Override
  public boolean hasIndexLeadingWith(TableId id, String column) {
    return !unindexed.contains(id);
  }

  @Override
  public Optional<Long> largest(TableId id, WatermarkColumn column) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<String> sliceBounds(ReadRequest rows, String column, SliceMethod method, int slices) {
    throw new UnsupportedOperationException("validation cuts no slices");
  }

  @Override
  public HeldSnapshot holdSnapshot() {
    throw new UnsupportedOperationException("validation reads no rows");
  }

  @Override
  public long blocks(TableId id) {
    throw new UnsupportedOperationException("validation cuts no slices");
  }

  @Override
  public long rowsWithoutWatermark(TableId id, WatermarkColumn column) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long rowsAbove(TableId id, WatermarkColumn column, WatermarkValue bound) {
    throw new UnsupportedOperationException();
  }

  @Override
  public RowCursor read(ReadRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void cancel() {
    // Nothing runs.
  }

  @Override
  public void close() {
    closed = true;
  }
}
