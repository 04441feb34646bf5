package io.lakexpress.connect.source;

import io.lakexpress.connect.ConnectorVersion;
import io.lakexpress.connect.source.read.ReaderSettings;
import io.lakexpress.connect.source.read.SourceReader;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** The source connector's task: a doorman before the reader. */
public class LakeXpressSourceTask extends SourceTask {
  private final SourceWiring wiring;
  private final Clock clock;
  private SourceReader reader;
  private TaskMetrics metrics;

  /** For Connect. */
  public LakeXpressSourceTask() {
    this(new LakeXpressSourceWiring(), Clock.systemUTC());
  }

  LakeXpressSourceTask(SourceWiring wiring, Clock clock) {
    this.wiring = wiring;
    this.clock = clock;
  }

  @Override
  public String version() {
    return ConnectorVersion.text();
  }

  @Override
  public void start(Map<String, String> properties) {
    Map<String, String> kept = Map.copyOf(properties);
    ReaderSettings settings = wiring.settings(kept);
    metrics = TaskMetrics.start(settings.identity().syncId(), context, clock);
    reader =
        new SourceReader(
            settings,
            partition -> context.offsetStorageReader().offset(partition),
            () -> wiring.lakexpressDb(kept),
            () -> wiring.sourceDatabase(kept),
            wiring.guard(kept),
            clock,
            metrics.metrics());
    reader.start();
  }

  @Override
  public List<SourceRecord> poll() {
    return reader.poll();
  }

  @Override
  public void commitRecord(SourceRecord sent, RecordMetadata metadata) {
    reader.acknowledge(sent);
  }

  @Override
  public void commit() {
    reader.commit();
  }

  @Override
  public void stop() {
    if (reader != null) {
      reader.stop();
    }
    if (metrics != null) {
      metrics.stop();
    }
  }
}
