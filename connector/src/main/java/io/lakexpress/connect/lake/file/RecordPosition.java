package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger.TopicPartition;
import java.time.Duration;

/** What the writer asks of whoever hands it records. */
public interface RecordPosition {
  /** The records after the current call begin at this offset of the topic partition. */
  void seek(TopicPartition topicPartition, long offset);

  /** The writer wants to be called again within this time, also when no record comes. */
  void wakeWithin(Duration time);
}
