package io.lakexpress.connect.lake;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.SinkConnectorContext;

/** Remembers what a connector raised. */
final class RecordedConnectorContext implements SinkConnectorContext {
  final List<Exception> raised = new ArrayList<>();

  @Override
  public void requestTaskReconfiguration() {}

  @Override
  public void raiseError(Exception error) {
    raised.add(error);
  }

  @Override
  public PluginMetrics pluginMetrics() {
    return null;
  }
}
