package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.SyncBook.Owner;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * The claims of this task: its connector's side of the sync, and its jobs from their claim to their
 * delivery. Renewed by poll(), asked and changed by the reader's thread. Thread-safe.
 */
final class Leases {
  private final ReaderSettings settings;
  private final Set<String> held = new HashSet<>();
  private final Set<String> lost = new HashSet<>();
  private final Set<String> begun = new HashSet<>();

  Leases(ReaderSettings settings) {
    this.settings = settings;
  }

  /** Claims the sync for this connector, or renews its claim. */
  void claimSync(LakexpressDb db) {
    String connector = settings.identity().connector();
    Owner owner =
        db.syncs()
            .claim(
                settings.identity().syncId(),
                Role.SOURCE,
                connector,
                // All tasks of a connector serve its side together.
                connector,
                settings.timing().lease());
    if (!owner.connector().equals(connector)) {
      throw new ConnectException(
          "Cannot serve sync "
              + settings.identity().syncId()
              + ": connector "
              + owner.connector()
              + " serves it; delete that connector or use another sync.id");
    }
  }

  synchronized void take(String jobId) {
    held.add(jobId);
    lost.remove(jobId);
  }

  /** Notes that rows of the job were handed over. */
  synchronized void begin(String jobId) {
    begun.add(jobId);
  }

  synchronized void drop(String jobId) {
    held.remove(jobId);
    lost.remove(jobId);
    begun.remove(jobId);
  }

  synchronized boolean holds(String jobId) {
    return held.contains(jobId);
  }

  synchronized boolean isLost(String jobId) {
    return lost.contains(jobId);
  }

  /** Renews everything; what is no longer ours is noted as lost. */
  void renew(LakexpressDb db) {
    claimSync(db);
    Set<String> jobs;
    synchronized (this) {
      jobs = Set.copyOf(held);
    }
    if (jobs.isEmpty()) {
      return;
    }
    Set<String> kept =
        db.runs().renew(jobs, settings.identity().owner(), settings.timing().lease());
    synchronized (this) {
      for (String job : jobs) {
        if (!kept.contains(job) && held.contains(job)) {
          lost.add(job);
        }
      }
    }
  }

  /**
   * Gives everything back, so that the next start goes on at once. Without exactly-once support
   * jobs with rows on their way stay claimed: whoever takes them up must know to begin a new
   * attempt.
   */
  void release(LakexpressDb db) {
    Set<String> jobs;
    synchronized (this) {
      jobs = new HashSet<>(held);
      if (settings.identity().delivery() == ReaderSettings.Delivery.AT_LEAST_ONCE) {
        jobs.removeAll(begun);
      }
    }
    if (!jobs.isEmpty()) {
      db.runs().release(jobs, settings.identity().owner());
    }
    String connector = settings.identity().connector();
    db.syncs().release(settings.identity().syncId(), Role.SOURCE, connector, connector);
  }
}
