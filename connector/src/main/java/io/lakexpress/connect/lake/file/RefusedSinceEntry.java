package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Rows of a topic partition that went to the dead letter queue since its last ledger entry. Owned
 * by one thread.
 */
final class RefusedSinceEntry {
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Map<String, Long> rowsByJob = new HashMap<>();
  private final List<Future<?>> pending = new ArrayList<>();

  void add(String jobId, Future<?> safe) {
    if (jobId != null) {
      rowsByJob.merge(jobId, 1L, Long::sum);
    }
    pending.add(safe);
  }

  boolean isEmpty() {
    return pending.isEmpty() && rowsByJob.isEmpty();
  }

  /** Waits until all of them are safe, since the ledger's position is about to pass them. */
  Map<String, Long> awaitSafe(TopicPartition topicPartition) {
    for (Future<?> safe : pending) {
      try {
        safe.get();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new RetryLaterException(
            "Interrupted while rows of " + topicPartition + " went to the dead letter queue",
            interrupted,
            AGAIN);
      } catch (ExecutionException failure) {
        throw new UnusableRecordException(
            "Cannot hand refused rows of " + topicPartition + " to the dead letter queue",
            failure.getCause());
      }
    }
    pending.clear();
    return Map.copyOf(rowsByJob);
  }

  void clear() {
    rowsByJob.clear();
    pending.clear();
  }
}
