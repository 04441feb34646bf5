package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the tasks of a lake sink tell of how far they have read. */
final class Progress {
  private final Database database;

  Progress(Database database) {
    this.database = database;
  }

  private record CaughtUp(TopicPartition topicPartition, Instant at) {}

  void noteAnnounced(String syncId, Collection<String> jobIds) {
    if (jobIds.isEmpty()) {
      return;
    }
    database.perform(
        "note announced jobs of sync " + syncId,
        tx -> {
          Instant now = tx.now();
          // In one order everywhere, so that two writers cannot block each other.
          List<Object[]> lines =
              jobIds.stream()
                  .distinct()
                  .sorted()
                  .map(jobId -> new Object[] {now, syncId, jobId})
                  .toList();
          tx.batch(
              "UPDATE export_jobs SET announced_at = ?"
                  + " WHERE sync_id = ? AND job_id = ? AND announced_at IS NULL",
              lines);
        });
  }

  void noteCaughtUp(String syncId, Collection<Position> writers) {
    if (writers.isEmpty()) {
      return;
    }
    database.perform(
        "note topic partitions of sync " + syncId + " as caught up",
        tx -> {
          Instant now = tx.now();
          List<Object[]> lines =
              writers.stream()
                  .sorted(
                      Comparator.comparing((Position writer) -> writer.topicPartition().topic())
                          .thenComparing(writer -> writer.topicPartition().partition()))
                  .map(
                      writer ->
                          new Object[] {
                            now,
                            syncId,
                            writer.topicPartition().topic(),
                            writer.topicPartition().partition(),
                            writer.writerEpoch()
                          })
                  .toList();
          tx.batch(
              "UPDATE lake_positions SET caught_up_at = ? WHERE "
                  + FileRows.POSITION
                  + " AND writer_epoch = ?",
              lines);
        });
  }

  Map<TopicPartition, Instant> caughtUp(String syncId) {
    Map<TopicPartition, Instant> found = new HashMap<>();
    database
        .read(
            "list the caught up topic partitions of sync " + syncId,
            tx ->
                tx.list(
                    "SELECT topic, topic_partition, caught_up_at FROM lake_positions"
                        + " WHERE sync_id = ? AND caught_up_at IS NOT NULL",
                    row ->
                        new CaughtUp(
                            new TopicPartition(row.text("topic"), row.integer("topic_partition")),
                            row.instant("caught_up_at")),
                    syncId))
        .forEach(each -> found.put(each.topicPartition(), each.at()));
    return Map.copyOf(found);
  }
}
