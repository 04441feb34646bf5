package io.lakexpress.connect.lake;

import io.lakexpress.connect.ConnectMetrics;
import io.lakexpress.connect.ConnectorVersion;
import io.lakexpress.connect.lake.file.Lake;
import io.lakexpress.connect.lake.file.LakeRecord;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.LakeWriter;
import io.lakexpress.connect.lake.file.MemoryBudget;
import io.lakexpress.connect.lake.file.RetryLaterException;
import io.lakexpress.connect.lake.file.StorageException;
import io.lakexpress.connect.lake.file.UnusableRecordException;
import io.lakexpress.connect.lake.parquet.ParquetRowFormat;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** Hands Connect's records to a lake writer, and the writer's wishes to Connect. */
public final class LakeXpressSinkTask extends SinkTask {
  private LakexpressDb book;
  private LakeStorage storage;
  private LakeWriter writer;
  private String syncId;

  @Override
  public String version() {
    return ConnectorVersion.text();
  }

  @Override
  public void start(Map<String, String> props) {
    SinkConfig config = SinkConfig.parse(props);
    book = LakeConnections.ofTask(config.lakexpressDb());
    storage = config.location().open();
    SinkConfig.Files files = config.files();
    ConnectContext connect = new ConnectContext(context);
    writer =
        new LakeWriter(
            new Lake(
                config.syncId(),
                config.connector(),
                book,
                storage,
                new ParquetRowFormat(
                    files.compression(), files.timestamps(), files.rowGroupBytes(), version()),
                config.layout()),
            files.writing(),
            MemoryBudget.ofThisWorker(files.memoryBytes()),
            connect,
            connect,
            new SteadyClock());
    syncId = config.syncId();
    SinkBeans.add(syncId, writer);
    ConnectMetrics.of(context).show(SinkFigures.OF_WRITERS, writer::figures, Map.of());
  }

  @Override
  public void open(Collection<TopicPartition> partitions) {
    writer.assign(SinkRecords.named(partitions));
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    List<LakeRecord> batch = records.stream().map(SinkRecords::read).toList();
    try {
      writer.put(batch);
    } catch (RetryLaterException later) {
      context.timeout(later.delay().toMillis());
      throw new RetriableException(later.getMessage(), later);
    } catch (UnusableRecordException | StorageException | LakexpressDbException lasting) {
      throw new ConnectException(lasting.getMessage(), lasting);
    }
  }

  /** Nothing: files roll by themselves, and only the ledger says how far the lake is. */
  @Override
  public void flush(Map<TopicPartition, OffsetAndMetadata> currentOffsets) {}

  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> currentOffsets) {
    Map<TopicPartition, OffsetAndMetadata> safe = new HashMap<>();
    writer
        .safeOffsets()
        .forEach(
            (partition, offset) ->
                safe.put(SinkRecords.named(partition), new OffsetAndMetadata(offset)));
    return safe;
  }

  @Override
  public void close(Collection<TopicPartition> partitions) {
    writer.revoke(SinkRecords.named(partitions));
  }

  @Override
  public void stop() {
    if (writer != null) {
      SinkBeans.remove(syncId, writer);
      try {
        writer.close();
      } finally {
        storage.close();
        book.close();
        writer = null;
      }
    }
  }
}
