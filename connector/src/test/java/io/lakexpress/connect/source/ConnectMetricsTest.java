package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.SyncMetrics;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.junit.jupiter.api.Test;

/** What Connect is told, where it listens. */
class ConnectMetricsTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final Map<String, Object> values = new TreeMap<>();

  /** Takes metrics as Connect does, and asks each for its value at once. */
  private PluginMetrics listening() {
    return (PluginMetrics)
        Proxy.newProxyInstance(
            PluginMetrics.class.getClassLoader(),
            new Class<?>[] {PluginMetrics.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("metricName")) {
                return new MetricName(
                    (String) arguments[0], "plugins", (String) arguments[1], Map.of());
              }
              values.put(
                  ((MetricName) arguments[0]).name(), ((Gauge<?>) arguments[1]).value(null, 0));
              return null;
            });
  }

  /** A context whose metrics are taken by the given one, or fail as on an old runtime. */
  private static SourceTaskContext context(PluginMetrics metrics) {
    return (SourceTaskContext)
        Proxy.newProxyInstance(
            SourceTaskContext.class.getClassLoader(),
            new Class<?>[] {SourceTaskContext.class},
            (proxy, method, arguments) -> {
              if (metrics == null) {
                throw new NoSuchMethodError("pluginMetrics");
              }
              return metrics;
            });
  }

  @Test
  void everyFigureIsAMetricToo() {
    TaskMetrics started = TaskMetrics.start("m", context(listening()), CLOCK);
    started.stop();

    assertThat(values).hasSize(Figure.OF_SYNC.size());
    assertThat(values)
        .containsEntry("run-number", 0L)
        .containsEntry("deliveries-waiting", 0L)
        .containsEntry("lakexpress-db-down-seconds", 0L);
  }

  @Test
  void anOlderRuntimeIsDoneWithout() {
    TaskMetrics started = TaskMetrics.start("m", context(null), CLOCK);
    SyncMetrics metrics = started.metrics();

    assertThat(metrics.figures().runNumber()).isZero();
    assertThat(Beans.ofSync("m", "RunNumber")).isEqualTo(0L);
    started.stop();
    assertThat(Beans.ofSync("m", "RunNumber")).isNull();
  }
}
