package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.Job;
import io.lakexpress.watermark.TableId;
import java.time.Instant;

/**
 * What a file is for: the rows of one job, or those of a topic that carries no jobs.
 *
 * @param jobId null for a topic without jobs
 * @param runStart null for a topic without jobs
 */
record FileTarget(String jobId, TableId table, Instant runStart) {
  private static final String SCHEMA_OF_PLAIN_TOPICS = "default";

  static FileTarget of(Job job) {
    return new FileTarget(job.jobId(), job.table(), job.runStartedAt());
  }

  /** The table {@code a.b/c} for a topic {@code a.b.c}, {@code default/c} for a topic {@code c}. */
  static FileTarget of(TopicPartition topicPartition) {
    String topic = topicPartition.topic();
    int dot = topic.lastIndexOf('.');
    boolean split = dot > 0 && dot < topic.length() - 1;
    return new FileTarget(
        null,
        split
            ? new TableId(topic.substring(0, dot), topic.substring(dot + 1))
            : new TableId(SCHEMA_OF_PLAIN_TOPICS, topic),
        null);
  }

  LakePath path(LakeLayout layout, Position writer, long firstOffset) {
    TopicPartition source = writer.topicPartition();
    return jobId == null
        ? layout.foreignFile(source.topic(), writer.incarnation(), source.partition(), firstOffset)
        : layout.jobFile(
            table.schema(), table.table(), runStart, jobId, source.partition(), firstOffset);
  }
}
