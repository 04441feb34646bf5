package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger.TopicPartition;
import java.util.Objects;
import org.apache.kafka.connect.data.Schema;

/**
 * One record as it came to the sink.
 *
 * @param topicPartition where it stands in Kafka, before any transform renamed it
 * @param offset its offset there
 * @param jobId the job that read it; null for records of other sources
 * @param schema the schema of the value, or null
 * @param value the value, or null
 * @param origin the frame's own record, handed back when the row is refused
 */
public record LakeRecord(
    TopicPartition topicPartition,
    long offset,
    String jobId,
    Schema schema,
    Object value,
    Object origin) {
  public LakeRecord {
    Objects.requireNonNull(topicPartition, "topicPartition");
  }

  /** Topic, partition and offset as messages name them. */
  public String place() {
    return topicPartition.topic() + "-" + topicPartition.partition() + "@" + offset;
  }
}
