package io.lakexpress.connect.lake;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** Remembers what a task asked of Connect. */
final class RecordedTaskContext implements SinkTaskContext {
  final Map<TopicPartition, Long> seeks = new HashMap<>();
  final List<SinkRecord> reported = new ArrayList<>();
  final List<Throwable> reasons = new ArrayList<>();
  boolean reportsErrors;
  long timeout = -1;

  @Override
  public Map<String, String> configs() {
    return Map.of();
  }

  @Override
  public void offset(Map<TopicPartition, Long> offsets) {
    seeks.putAll(offsets);
  }

  @Override
  public void offset(TopicPartition partition, long offset) {
    seeks.put(partition, offset);
  }

  @Override
  public void timeout(long timeoutMs) {
    timeout = timeoutMs;
  }

  @Override
  public Set<TopicPartition> assignment() {
    return Set.of();
  }

  @Override
  public void pause(TopicPartition... partitions) {}

  @Override
  public void resume(TopicPartition... partitions) {}

  @Override
  public void requestCommit() {}

  @Override
  public ErrantRecordReporter errantRecordReporter() {
    return reportsErrors ? this::report : null;
  }

  private Future<Void> report(SinkRecord record, Throwable reason) {
    reported.add(record);
    reasons.add(reason);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public PluginMetrics pluginMetrics() {
    return null;
  }
}
