package io.lakexpress.connect.source.read;

import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.SliceRule;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * A source database in memory: tables of (id, updated_at), with a key or without one, which break
 * on demand.
 */
public final class MemorySource implements SourceDatabase {
  /** A row; {@code at} is the canonical text of an instant, or null. */
  public record Row(long id, String at) {}

  private static final class Table {
    private SourceTable description;
    private final List<Row> rows = new ArrayList<>();
    private SourceException failure;
    private int failAfter;
    private int failures;
    private long rowBytes = 100;

    private Table(SourceTable description) {
      this.description = description;
    }
  }

  private final Map<TableId, Table> tables = new LinkedHashMap<>();
  private Instant now = Instant.parse("2026-12-01T12:00:00Z");
  private final Deque<Activity> activities =
      new ArrayDeque<>(List.of(new Activity.Seen("memory", List.of())));
  private SourceException activityRefusal;
  private int openCursors;
  private int reads;
  private int snapshotNumber;
  private final Set<String> snapshots = new HashSet<>();
  private boolean hanging;
  private SourceException largestRefusal;
  private SourceException cancelRefusal;
  private CountDownLatch hanger = new CountDownLatch(0);

  /** Adds a table with the columns id, its key, and updated_at. */
  public MemorySource with(String name) {
    return with(name, List.of("id"));
  }

  /** Adds a table with the columns id and updated_at, and no key. */
  public MemorySource withoutKey(String name) {
    return with(name, List.of());
  }

  private synchronized MemorySource with(String name, List<String> key) {
    TableId id = TableId.parse(name);
    List<SourceColumn> columns =
        List.of(
            new SourceColumn("id", 1, "bigint", SourceColumn.Nullability.NOT_NULL),
            new SourceColumn("updated_at", 2, "timestamptz", SourceColumn.Nullability.NULLABLE));
    tables.put(id, new Table(new SourceTable(id, SourceTable.Kind.TABLE, columns, key, key, 10)));
    return this;
  }

  /** Gives a table another key. */
  public synchronized void key(String name, List<String> key) {
    SourceTable was = table(name).description;
    table(name).description =
        new SourceTable(was.id(), was.kind(), was.columns(), key, key, was.estimatedRows());
  }

  public synchronized MemorySource insert(String name, long id, String at) {
    table(name).rows.add(new Row(id, at));
    return this;
  }

  public synchronized MemorySource delete(String name) {
    table(name).rows.clear();
    return this;
  }

  public synchronized void drop(String name) {
    tables.remove(TableId.parse(name));
  }

  public synchronized void clock(String instant) {
    now = Instant.parse(instant);
  }

  /** Adds a column that the rows leave NULL, so that the table has another fingerprint. */
  public synchronized void addColumn(String name, String column) {
    SourceTable was = table(name).description;
    List<SourceColumn> columns = new ArrayList<>(was.columns());
    columns.add(new SourceColumn(column, 3, "text", SourceColumn.Nullability.NULLABLE));
    table(name).description =
        new SourceTable(
            was.id(), was.kind(), columns, was.primaryKey(), was.uniqueKey(), was.estimatedRows());
  }

  /** Gives a table another estimate of its rows. */
  public synchronized void estimate(String name, long rows) {
    SourceTable was = table(name).description;
    table(name).description =
        new SourceTable(
            was.id(), was.kind(), was.columns(), was.primaryKey(), was.uniqueKey(), rows);
  }

  public synchronized void rowBytes(String name, long bytes) {
    table(name).rowBytes = bytes;
  }

  /** The next reads of the table break off after so many rows. */
  public synchronized void breakOff(
      String name, int times, int afterRows, SourceException.Kind kind) {
    Table table = table(name);
    table.failures = times;
    table.failAfter = afterRows;
    table.failure = new SourceException("Cannot read " + name + ": it broke", null, kind);
  }

  /** Reads hang until they are cancelled. */
  public synchronized void hang() {
    hanging = true;
    hanger = new CountDownLatch(1);
  }

  /** The largest number of no table can be asked for. */
  public synchronized void refuseLargest() {
    largestRefusal = new SourceException("permission denied", null, SourceException.Kind.LASTING);
  }

  /** Nothing can be cancelled, since the server is gone. */
  public synchronized void refuseCancel() {
    cancelRefusal = new SourceException("Cannot cancel", null, SourceException.Kind.PASSING);
  }

  public synchronized int openCursors() {
    return openCursors;
  }

  public synchronized int reads() {
    return reads;
  }

  private Table table(String name) {
    return tables.get(TableId.parse(name));
  }

  @Override
  public synchronized Instant now() {
    return now;
  }

  /** What the database tells about open transactions, one by one; the last one from then on. */
  synchronized void activity(Activity... told) {
    activities.clear();
    activities.addAll(List.of(told));
  }

  /** Open transactions cannot be asked for. */
  synchronized void refuseActivity(SourceException refusal) {
    activityRefusal = refusal;
  }

  @Override
  public synchronized Activity activity() {
    if (activityRefusal != null) {
      throw activityRefusal;
    }
    return activities.size() > 1 ? activities.remove() : activities.peek();
  }

  @Override
  public String timeZone() {
    return "UTC";
  }

  @Override
  public synchronized List<SourceTable> tables(TableSelection selection) {
    return tables.values().stream().map(table -> table.description).toList();
  }

  @Override
  public synchronized Optional<SourceTable> table(TableId id) {
    return Optional.ofNullable(tables.get(id)).map(table -> table.description);
  }

  @Override
  public synchronized List<TableId> tableNames() {
    return List.copyOf(tables.keySet());
  }

  @Override
  public Optional<WatermarkColumn> watermarkColumn(SourceColumn column) {
    return switch (column.name()) {
      case "updated_at" -> Optional.of(new WatermarkColumn("updated_at", ColumnKind.INSTANT, 6));
      case "id" -> Optional.of(new WatermarkColumn("id", ColumnKind.INTEGER, 0));
      default -> Optional.empty();
    };
  }

  @Override
  public Optional<String> refusedRead(TableId id) {
    return Optional.empty();
  }

  @Override
  public boolean hasIndexLeadingWith(TableId id, String column) {
    return true;
  }

  @Override
  public synchronized Optional<Long> largest(TableId id, WatermarkColumn column) {
    if (largestRefusal != null) {
      throw largestRefusal;
    }
    return tables.get(id).rows.stream().map(Row::id).max(Comparator.naturalOrder());
  }

  /** Cuts at ids, in equal distances. */
  @Override
  public synchronized List<String> sliceBounds(
      ReadRequest rows, String column, SliceMethod method, int slices) {
    List<Long> ids = tables.get(rows.table().id()).rows.stream().map(Row::id).sorted().toList();
    List<String> bounds = new ArrayList<>();
    for (int i = 1; i < slices && !ids.isEmpty(); i++) {
      bounds.add(Long.toString(ids.get(ids.size() * i / slices)));
    }
    return bounds;
  }

  /** A snapshot in name only: rows do not change while slices by blocks are read here. */
  @Override
  public synchronized HeldSnapshot holdSnapshot() {
    String name = "s-" + ++snapshotNumber;
    snapshots.add(name);
    return new HeldSnapshot() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void close() {
        synchronized (MemorySource.this) {
          snapshots.remove(name);
        }
      }
    };
  }

  /** How many snapshots are held. */
  public synchronized int heldSnapshots() {
    return snapshots.size();
  }

  @Override
  public long blocks(TableId id) {
    return 8;
  }

  private static boolean isIn(ReadRequest request, Row row) {
    ReadRequest.Share share = request.share();
    if (share == null) {
      return true;
    }
    if (share.rule() instanceof SliceRule.Range range) {
      return (range.from() == null || row.id() >= Long.parseLong(range.from()))
          && (range.to() == null || row.id() < Long.parseLong(range.to()));
    }
    return row.id() % share.slice().count() == share.slice().index() - 1;
  }

  @Override
  public synchronized long rowsWithoutWatermark(TableId id, WatermarkColumn column) {
    return tables.get(id).rows.stream().filter(row -> row.at() == null).count();
  }

  @Override
  public synchronized long rowsAbove(TableId id, WatermarkColumn column, WatermarkValue bound) {
    return tables.get(id).rows.stream()
        .filter(row -> row.at() != null && watermark(row, false).compareTo(bound) > 0)
        .count();
  }

  @Override
  public RowCursor read(ReadRequest request) {
    await();
    synchronized (this) {
      if (request.share() != null
          && request.share().snapshot() != null
          && !snapshots.contains(request.share().snapshot())) {
        throw new SourceException("The snapshot is gone", null, SourceException.Kind.PASSING);
      }
      reads++;
      openCursors++;
      Table table = tables.get(request.table().id());
      List<Row> rows = new ArrayList<>(table.rows);
      rows.removeIf(row -> !isIn(request, row));
      if (request.isWithoutWatermark()) {
        rows.removeIf(row -> row.at() != null);
        rows.sort(Comparator.comparing(Row::id));
      } else if (request.column() != null) {
        boolean byId = request.column().kind() == ColumnKind.INTEGER;
        rows.removeIf(row -> row.at() == null || !request.window().contains(watermark(row, byId)));
        rows.sort(Comparator.comparing((Row row) -> watermark(row, byId)).thenComparing(Row::id));
      }
      int breakAfter = table.failures > 0 ? table.failAfter : -1;
      table.failures--;
      return new Rows(table, request, rows, breakAfter, table.description.fingerprint());
    }
  }

  private static WatermarkValue watermark(Row row, boolean byId) {
    return byId
        ? new WatermarkValue.Whole(row.id())
        : WatermarkValue.parse(ColumnKind.INSTANT, row.at());
  }

  private void await() {
    CountDownLatch latch;
    synchronized (this) {
      if (!hanging) {
        return;
      }
      latch = hanger;
    }
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new SourceException("Cancelled", null, SourceException.Kind.CANCELLED);
  }

  @Override
  public synchronized void cancel() {
    hanger.countDown();
    if (cancelRefusal != null) {
      throw cancelRefusal;
    }
  }

  @Override
  public void close() {}

  /** The rows of one statement as it began. */
  private final class Rows implements RowCursor {
    private final Schema schema =
        SchemaBuilder.struct()
            .name("Value")
            .field("id", Schema.INT64_SCHEMA)
            .field("updated_at", Schema.OPTIONAL_STRING_SCHEMA)
            .build();
    private final Schema keySchema =
        SchemaBuilder.struct().field("id", Schema.INT64_SCHEMA).build();
    private final Table table;
    private final ReadRequest request;
    private final List<Row> rows;
    private final int breakAfter;
    private final String columns;
    private int index = -1;
    private int given;
    private boolean closed;

    private Rows(Table table, ReadRequest request, List<Row> rows, int breakAfter, String columns) {
      this.table = table;
      this.request = request;
      this.rows = rows;
      this.breakAfter = breakAfter;
      this.columns = columns;
      while (request.after() != null
          && index + 1 < rows.size()
          && (index < 0 || !cursor(index).equals(request.after()))) {
        index++;
      }
    }

    private boolean isKeyed() {
      return !table.description.primaryKey().isEmpty();
    }

    private Cursor cursor(int at) {
      if (at < 0) {
        return null;
      }
      Row row = rows.get(at);
      boolean byId = request.column().kind() == ColumnKind.INTEGER;
      String watermark =
          request.isWithoutWatermark() ? Cursor.NO_WATERMARK : watermark(row, byId).text();
      if (isKeyed()) {
        return new Cursor.Keyed(watermark, List.of(Long.toString(row.id())));
      }
      long same = rows.subList(0, at + 1).stream().filter(row::equals).count();
      return new Cursor.Hashed(watermark, "h" + row.id(), same, columns);
    }

    @Override
    public Schema valueSchema() {
      return schema;
    }

    @Override
    public Schema keySchema() {
      return isKeyed() ? keySchema : null;
    }

    @Override
    public boolean next() {
      if (given == breakAfter) {
        throw table.failure;
      }
      given++;
      return ++index < rows.size();
    }

    @Override
    public Struct value() {
      Row row = rows.get(index);
      return new Struct(schema).put("id", row.id()).put("updated_at", row.at());
    }

    @Override
    public Struct key() {
      return isKeyed() ? new Struct(keySchema).put("id", rows.get(index).id()) : null;
    }

    @Override
    public Cursor position() {
      return request.column() == null ? null : cursor(index);
    }

    @Override
    public long estimatedBytes() {
      return table.rowBytes;
    }

    @Override
    public long infiniteValues() {
      return 0;
    }

    @Override
    public void close() {
      synchronized (MemorySource.this) {
        if (!closed) {
          closed = true;
          openCursors--;
        }
      }
    }
  }
}
