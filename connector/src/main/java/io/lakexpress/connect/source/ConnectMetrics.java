package io.lakexpress.connect.source;

import io.lakexpress.connect.source.read.SyncMetrics;
import io.lakexpress.connect.source.read.TableMetrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;

/**
 * The figures as metrics of Connect's, where the runtime takes any (Kafka 4.1 and later). They are
 * of one task, which Connect adds as a tag, and Connect removes them with it.
 */
final class ConnectMetrics implements TaskMetrics.Display {
  private final PluginMetrics metrics;

  private ConnectMetrics(PluginMetrics metrics) {
    this.metrics = metrics;
  }

  /**
   * Where the runtime shows the figures of a task.
   *
   * @throws LinkageError on an older runtime, which has neither the method nor its class
   */
  static TaskMetrics.Display of(SourceTaskContext context) {
    PluginMetrics metrics = context.pluginMetrics();
    return metrics == null ? TaskMetrics.Display.NONE : new ConnectMetrics(metrics);
  }

  @Override
  public void show(SyncMetrics task) {
    show(Figure.OF_SYNC, task::figures, Map.of());
  }

  @Override
  public void show(TableMetrics table) {
    show(Figure.OF_TABLE, table::figures, Map.of("table", table.table().toString()));
  }

  private <T> void show(List<Figure<T>> figures, Supplier<T> source, Map<String, String> tags) {
    for (Figure<T> figure : figures) {
      Gauge<Object> gauge = (config, now) -> figure.value().apply(source.get());
      metrics.addMetric(
          metrics.metricName(figure.dashed(), figure.description(), new LinkedHashMap<>(tags)),
          gauge);
    }
  }
}
