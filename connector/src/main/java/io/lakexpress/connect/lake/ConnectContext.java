package io.lakexpress.connect.lake;

import io.lakexpress.connect.lake.file.LakeRecord;
import io.lakexpress.connect.lake.file.RecordPosition;
import io.lakexpress.connect.lake.file.RefusedRows;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** What a lake writer wishes, said to Connect. */
final class ConnectContext implements RecordPosition, RefusedRows {
  private final SinkTaskContext context;

  ConnectContext(SinkTaskContext context) {
    this.context = context;
  }

  @Override
  public void seek(TopicPartition topicPartition, long offset) {
    context.offset(SinkRecords.named(topicPartition), offset);
  }

  /** Connect polls for as long as no commit is due, unless it is told to come back earlier. */
  @Override
  public void wakeWithin(Duration time) {
    context.timeout(time.toMillis());
  }

  @Override
  public Optional<Future<?>> refuse(LakeRecord record, RuntimeException reason) {
    ErrantRecordReporter reporter = context.errantRecordReporter();
    return reporter == null
        ? Optional.empty()
        : Optional.of(reporter.report((SinkRecord) record.origin(), reason));
  }
}
