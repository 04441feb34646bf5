package io.lakexpress.connect.source;

import io.lakexpress.connect.FigureBeans;
import io.lakexpress.connect.source.read.SyncFigures;
import io.lakexpress.connect.source.read.SyncMetrics;
import io.lakexpress.connect.source.read.TableFigures;
import io.lakexpress.connect.source.read.TableMetrics;
import io.lakexpress.watermark.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.ObjectName;

/**
 * The MBeans of a sync, of which a JVM has one set, whichever tasks of the connector run in it: a
 * table moves between them from run to run. Gone with the last task. Thread-safe.
 */
final class SourceBeans {
  private static final Map<String, SourceBeans> OF_SYNCS = new HashMap<>();

  private final String syncId;
  private final List<SyncMetrics> tasks = new ArrayList<>();
  private final Map<TableId, Table> tables = new HashMap<>();

  /** One table: the tasks that had to do with it, and what those that are gone have counted. */
  private static final class Table {
    private final List<TableMetrics> metrics = new ArrayList<>();
    private TableFigures gone = TableFigures.NONE;

    synchronized TableFigures figures() {
      return TableFigures.together(
          Stream.concat(Stream.of(gone), metrics.stream().map(TableMetrics::figures)).toList());
    }

    synchronized void add(TableMetrics one) {
      metrics.add(one);
    }

    synchronized void remove(TableMetrics one) {
      if (metrics.remove(one)) {
        gone = TableFigures.together(List.of(gone, one.figures().counts()));
      }
    }
  }

  private SourceBeans(String syncId) {
    this.syncId = syncId;
  }

  /** A task begins to show what it does. */
  static void add(String syncId, SyncMetrics task) {
    synchronized (OF_SYNCS) {
      OF_SYNCS.computeIfAbsent(syncId, SourceBeans::new).add(task);
    }
  }

  /** A task of the sync has to do with a table. */
  static void add(String syncId, TableMetrics table) {
    synchronized (OF_SYNCS) {
      SourceBeans beans = OF_SYNCS.get(syncId);
      if (beans != null) {
        beans.add(table);
      }
    }
  }

  /** A task ends. */
  static void remove(String syncId, SyncMetrics task, List<TableMetrics> shown) {
    synchronized (OF_SYNCS) {
      SourceBeans beans = OF_SYNCS.get(syncId);
      if (beans != null && beans.remove(task, shown)) {
        OF_SYNCS.remove(syncId);
      }
    }
  }

  /** The name of the MBean that tells about a table. */
  static ObjectName nameOf(String syncId, TableId table) {
    return FigureBeans.nameOf("source-table", syncId, "table", table.toString());
  }

  /** The name of the MBean that tells about a sync. */
  static ObjectName nameOf(String syncId) {
    return FigureBeans.nameOf("source-sync", syncId);
  }

  private void add(SyncMetrics task) {
    synchronized (tasks) {
      tasks.add(task);
    }
    FigureBeans.show(nameOf(syncId), "The source of a sync", SourceFigures.OF_SYNC, this::figures);
  }

  private SyncFigures figures() {
    synchronized (tasks) {
      return SyncFigures.together(tasks.stream().map(SyncMetrics::figures).toList());
    }
  }

  private void add(TableMetrics metrics) {
    Table table = tables.computeIfAbsent(metrics.table(), id -> new Table());
    table.add(metrics);
    FigureBeans.show(
        nameOf(syncId, metrics.table()),
        "A table of a sync's source",
        SourceFigures.OF_TABLE,
        table::figures);
  }

  /** Whether it was the last task. */
  private boolean remove(SyncMetrics task, List<TableMetrics> shown) {
    boolean isLast;
    synchronized (tasks) {
      tasks.remove(task);
      isLast = tasks.isEmpty();
    }
    for (TableMetrics metrics : shown) {
      Table table = tables.get(metrics.table());
      if (table != null) {
        table.remove(metrics);
      }
    }
    if (isLast) {
      tables.keySet().forEach(table -> FigureBeans.hide(nameOf(syncId, table)));
      FigureBeans.hide(nameOf(syncId));
    }
    return isLast;
  }
}
