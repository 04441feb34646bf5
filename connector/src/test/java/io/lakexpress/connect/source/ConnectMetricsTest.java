package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.SyncMetrics;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.junit.jupiter.api.Test;

/** What Connect is told, where it listens. */
class ConnectMetricsTest {
  private static final Map<String, String> TASK = Map.of("connector", "tpch-source", "task", "0");

  /** A value as Connect shows it, under its own tags and ours. */
  private static Object value(Metrics metrics, String name, String table) {
    return metrics.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals(name))
        .filter(metric -> table.equals(metric.metricName().tags().getOrDefault("table", "")))
        .filter(metric -> metric.metricName().tags().entrySet().containsAll(TASK.entrySet()))
        .map(KafkaMetric::metricValue)
        .findFirst()
        .orElse(null);
  }

  @Test
  void everyFigureIsAMetricOfTheTaskToo() throws IOException {
    TaskRig rig = new TaskRig();
    rig.source.with("shop.orders").insert("shop.orders", 1, "2026-12-01T05:00:00Z");
    try (Metrics metrics = new Metrics();
        PluginMetricsImpl ofTask = new PluginMetricsImpl(metrics, TASK)) {
      rig.metrics = ofTask;

      rig.start().untilRun(1);

      assertThat(value(metrics, "run-number", "")).isEqualTo(1L);
      assertThat(value(metrics, "deliveries-waiting", "")).isEqualTo(0L);
      assertThat(value(metrics, "watermark", "shop.orders"))
          .isEqualTo("2026-12-01T10:59:59.999999Z");
      assertThat(value(metrics, "rows", "shop.orders")).isEqualTo(1L);
      assertThat(SourceFigures.OF_TABLE)
          .allSatisfy(
              figure ->
                  assertThat(value(metrics, figure.dashed(), "shop.orders"))
                      .isInstanceOf(figure.type()));
      rig.stop();
    }
  }

  @Test
  void anOlderRuntimeIsDoneWithout() {
    SourceTaskContext old =
        (SourceTaskContext)
            Proxy.newProxyInstance(
                SourceTaskContext.class.getClassLoader(),
                new Class<?>[] {SourceTaskContext.class},
                (proxy, method, arguments) -> {
                  throw new NoSuchMethodError(method.getName());
                });

    TaskMetrics started = TaskMetrics.start("old", old, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    SyncMetrics metrics = started.metrics();

    assertThat(metrics.figures().runNumber()).isZero();
    assertThat(Beans.ofSync("old", "RunNumber")).isEqualTo(0L);
    started.stop();
    assertThat(Beans.ofSync("old", "RunNumber")).isNull();
  }
}
