package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells the ledger which topic partitions of a task bring nothing more. Only calls that went well,
 * took little time and came one after the other count: after any other the records of a topic
 * partition may just not have had their turn. Owned by one thread.
 */
final class CaughtUp {
  private static final Duration LONGEST_QUIET = Duration.ofSeconds(10);
  private static final Duration LONGEST_BETWEEN_NOTES = Duration.ofSeconds(30);

  private final String syncId;
  private final FileLedger ledger;
  private final Clock clock;
  private final Duration quiet;
  private final Duration betweenNotes;
  private final Map<TopicPartition, Instant> quietSince = new HashMap<>();
  private Instant notedAt = Instant.EPOCH;
  private Instant begunAt = Instant.EPOCH;
  private Instant endedAt = Instant.EPOCH;

  /** With a short patience for missing rows, everything here is short in proportion. */
  CaughtUp(String syncId, FileLedger ledger, Duration patience, Clock clock) {
    this.syncId = syncId;
    this.ledger = ledger;
    this.clock = clock;
    this.quiet = shorter(LONGEST_QUIET, patience.dividedBy(4));
    this.betweenNotes = shorter(LONGEST_BETWEEN_NOTES, patience.dividedBy(4));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** How often a task must be called for its notes to be in time. */
  Duration quiet() {
    return quiet;
  }

  void callBegins() {
    begunAt = clock.instant();
    if (Duration.between(endedAt, begunAt).compareTo(quiet.multipliedBy(2)) > 0) {
      startOver();
    }
  }

  void brought(TopicPartition topicPartition) {
    quietSince.remove(topicPartition);
  }

  /** Whatever was quiet must be quiet anew. */
  void startOver() {
    quietSince.clear();
  }

  /** A call went well: notes what has been quiet long enough, now and then. */
  void callEnds(Collection<PartitionWriter> partitions) {
    Instant now = clock.instant();
    if (Duration.between(begunAt, now).compareTo(quiet) > 0) {
      startOver();
    }
    endedAt = now;
    List<PartitionWriter> settled =
        partitions.stream().filter(PartitionWriter::hasNothingToDo).toList();
    quietSince.keySet().retainAll(settled.stream().map(PartitionWriter::topicPartition).toList());
    settled.forEach(each -> quietSince.putIfAbsent(each.topicPartition(), now));
    if (now.isBefore(notedAt.plus(betweenNotes))) {
      return;
    }
    Instant limit = now.minus(quiet);
    List<Position> caughtUp =
        settled.stream()
            .filter(each -> !quietSince.get(each.topicPartition()).isAfter(limit))
            .map(PartitionWriter::position)
            .toList();
    if (!caughtUp.isEmpty()) {
      ledger.noteCaughtUp(syncId, caughtUp);
      notedAt = now;
    }
  }
}
