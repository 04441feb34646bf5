package io.lakexpress.connect.source;

import io.lakexpress.connect.source.read.SyncMetrics;
import io.lakexpress.connect.source.read.TableMetrics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows what a task does, over JMX and through Connect, from its start to its stop. */
final class TaskMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(TaskMetrics.class);

  /** Somewhere figures are shown. */
  interface Display {
    /** Nowhere. */
    Display NONE =
        new Display() {
          @Override
          public void show(SyncMetrics task) {}

          @Override
          public void show(TableMetrics table) {}
        };

    void show(SyncMetrics task);

    void show(TableMetrics table);
  }

  private final String syncId;
  private final Display connect;
  private final List<TableMetrics> shown = new ArrayList<>();
  private final SyncMetrics metrics;
  private boolean stopped;

  private TaskMetrics(String syncId, Display connect, Clock clock) {
    this.syncId = syncId;
    this.connect = connect;
    this.metrics = new SyncMetrics(clock, this::show);
  }

  /** Begins to show. */
  static TaskMetrics start(String syncId, SourceTaskContext context, Clock clock) {
    TaskMetrics started = new TaskMetrics(syncId, connect(context), clock);
    SourceBeans.add(syncId, started.metrics);
    started.connect.show(started.metrics);
    return started;
  }

  private static Display connect(SourceTaskContext context) {
    try {
      return ConnectMetrics.of(context);
    } catch (LinkageError e) {
      LOG.debug("This Connect takes no metrics of plugins, they are shown over JMX alone", e);
      return Display.NONE;
    }
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
    connect.show(table);
  }

  synchronized void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    SourceBeans.remove(syncId, metrics, shown);
  }
}
