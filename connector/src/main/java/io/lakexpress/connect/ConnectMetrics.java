package io.lakexpress.connect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Figures as metrics of Connect's, where the runtime takes any (Kafka 4.1 and later). They are of
 * one task, which Connect adds as a tag, and Connect removes them with it.
 */
public final class ConnectMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectMetrics.class);

  private ConnectMetrics() {}

  /** Where the runtime shows the figures of a source task. */
  public static FigureDisplay of(SourceTaskContext context) {
    try {
      return Display.of(context.pluginMetrics());
    } catch (LinkageError e) {
      return tooOld(e);
    }
  }

  /** Where the runtime shows the figures of a sink task. */
  public static FigureDisplay of(SinkTaskContext context) {
    try {
      return Display.of(context.pluginMetrics());
    } catch (LinkageError e) {
      return tooOld(e);
    }
  }

  private static FigureDisplay tooOld(LinkageError e) {
    LOG.debug("This Connect takes no metrics of plugins, they are shown over JMX alone", e);
    return FigureDisplay.NONE;
  }

  /** Apart, since an older runtime has not all of its classes. */
  private static final class Display implements FigureDisplay {
    private final PluginMetrics metrics;

    private Display(PluginMetrics metrics) {
      this.metrics = metrics;
    }

    static FigureDisplay of(PluginMetrics metrics) {
      return metrics == null ? NONE : new Display(metrics);
    }

    @Override
    public <T> void show(List<Figure<T>> figures, Supplier<T> source, Map<String, String> tags) {
      for (Figure<T> figure : figures) {
        Gauge<Object> gauge = (config, now) -> figure.value().apply(source.get());
        metrics.addMetric(
            metrics.metricName(figure.dashed(), figure.description(), new LinkedHashMap<>(tags)),
            gauge);
      }
    }
  }
}
