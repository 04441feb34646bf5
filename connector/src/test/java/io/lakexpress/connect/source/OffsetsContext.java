package io.lakexpress.connect.source;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.source.TransactionContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** What Connect gives a task, over offsets in memory; whoever writes them locks the map. */
final class OffsetsContext implements SourceTaskContext {
  private final Map<Map<String, ?>, Map<String, Object>> offsets;

  private final PluginMetrics metrics;

  OffsetsContext(Map<Map<String, ?>, Map<String, Object>> offsets) {
    this(offsets, null);
  }

  /** With somebody who takes metrics. */
  OffsetsContext(Map<Map<String, ?>, Map<String, Object>> offsets, PluginMetrics metrics) {
    this.metrics = metrics;
    this.offsets = offsets;
  }

  @Override
  public Map<String, String> configs() {
    return Map.of();
  }

  @Override
  public OffsetStorageReader offsetStorageReader() {
    return new OffsetStorageReader() {
      @Override
      public <T> Map<String, Object> offset(Map<String, T> partition) {
        synchronized (offsets) {
          return offsets.get(partition);
        }
      }

      @Override
      public <T> Map<Map<String, T>, Map<String, Object>> offsets(
          Collection<Map<String, T>> partitions) {
        throw new UnsupportedOperationException();
      }
    };
  }

  @Override
  public TransactionContext transactionContext() {
    return null;
  }

  @Override
  public PluginMetrics pluginMetrics() {
    return metrics;
  }
}
