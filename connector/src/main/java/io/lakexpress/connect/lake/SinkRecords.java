package io.lakexpress.connect.lake;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lakexpress.connect.lake.file.LakeRecord;
import io.lakexpress.lxdb.FileLedger;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;

/** Connect's names and records as the lake knows them. */
final class SinkRecords {
  /** The header that names the job of a row. */
  static final String JOB_HEADER = "lakexpress.job";

  private SinkRecords() {}

  /** The record under its place in Kafka, whatever transforms made of its topic. */
  static LakeRecord read(SinkRecord record) {
    return new LakeRecord(
        new FileLedger.TopicPartition(record.originalTopic(), record.originalKafkaPartition()),
        record.originalKafkaOffset(),
        jobId(record),
        record.valueSchema(),
        record.value(),
        record);
  }

  /** Null for records that carry no job. */
  private static String jobId(SinkRecord record) {
    Header header = record.headers().lastWithName(JOB_HEADER);
    if (header == null || header.value() == null) {
      return null;
    }
    return header.value() instanceof byte[] bytes
        ? new String(bytes, UTF_8)
        : header.value().toString();
  }

  static List<FileLedger.TopicPartition> named(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .map(each -> new FileLedger.TopicPartition(each.topic(), each.partition()))
        .toList();
  }

  static TopicPartition named(FileLedger.TopicPartition partition) {
    return new TopicPartition(partition.topic(), partition.partition());
  }
}
