package io.lakexpress.connect.source;

import io.lakexpress.connect.ConnectMetrics;
import io.lakexpress.connect.FigureDisplay;
import io.lakexpress.connect.source.read.SyncMetrics;
import io.lakexpress.connect.source.read.TableMetrics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.source.SourceTaskContext;

/** Shows what a task does, over JMX and through Connect, from its start to its stop. */
final class TaskMetrics {
  private final String syncId;
  private final FigureDisplay connect;
  private final List<TableMetrics> shown = new ArrayList<>();
  private final SyncMetrics metrics;
  private boolean stopped;

  private TaskMetrics(String syncId, FigureDisplay connect, Clock clock) {
    this.syncId = syncId;
    this.connect = connect;
    this.metrics = new SyncMetrics(clock, this::show);
  }

  /** Begins to show. */
  static TaskMetrics start(String syncId, SourceTaskContext context, Clock clock) {
    TaskMetrics started = new TaskMetrics(syncId, ConnectMetrics.of(context), clock);
    SourceBeans.add(syncId, started.metrics);
    started.connect.show(SourceFigures.OF_SYNC, started.metrics::figures, Map.of());
    return started;
  }

  /** What the reader tells its figures to. */
  SyncMetrics metrics() {
    return metrics;
  }

  private synchronized void show(TableMetrics table) {
    if (stopped) {
      // Its reader hangs on: another task shows the table by now.
      return;
    }
    shown.add(table);
    SourceBeans.add(syncId, table);
    connect.show(SourceFigures.OF_TABLE, table::figures, Map.of("table", table.table().toString()));
  }

  synchronized void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    SourceBeans.remove(syncId, metrics, shown);
  }
}
