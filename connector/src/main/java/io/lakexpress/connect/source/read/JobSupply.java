package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobStart.Claim;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the reader's next job comes from: those it held before a restart, those of the open run
 * that nobody has, and those that were postponed. Owned by the reader's thread.
 */
final class JobSupply {
  private static final Logger LOG = LoggerFactory.getLogger(JobSupply.class);

  /** How often those that wait for others look again, at most. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  /** A job with where its claim came from, which counts until it is begun. */
  record Waiting(Job job, Claim claim) {}

  private enum Size {
    LARGEST,
    SMALLEST
  }

  private final ReaderParts parts;
  private final ReaderSettings settings;
  private final LakexpressDb db;
  private final Deque<Waiting> first = new ArrayDeque<>();
  private final Deque<Waiting> postponed = new ArrayDeque<>();
  private long lookAgainAt = System.nanoTime();
  private boolean isUnheard;

  JobSupply(ReaderParts parts, LakexpressDb db) {
    this.parts = parts;
    this.settings = parts.settings();
    this.db = db;
  }

  /** Adds jobs that an earlier start held. */
  void inherit(List<Job> jobs) {
    jobs.forEach(job -> first.add(new Waiting(job, Claim.INHERITED)));
  }

  /** One of those that come before anything else. */
  Optional<Waiting> first() {
    return Optional.ofNullable(first.poll());
  }

  /** The largest job that nobody has. */
  Optional<Waiting> largest(Run run) {
    return claim(run, Size.LARGEST);
  }

  /**
   * The smallest job that nobody has, else one that was postponed; empty if there is none, or the
   * database does not say.
   */
  Optional<Waiting> neighbour() {
    Optional<Waiting> next = first();
    if (next.isPresent()) {
      return next;
    }
    try {
      return db.runs()
          .openRun(settings.identity().syncId())
          .flatMap(run -> claim(run, Size.SMALLEST))
          .or(this::postponed);
    } catch (LakexpressDbException e) {
      // What is in hand goes on meanwhile.
      parts.metrics().lakexpressDbDown();
      LOG.warn("No further table is taken up for now: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * One that was postponed, if those have their turn: all of them, until one is postponed again.
   */
  Optional<Waiting> postponed() {
    return System.nanoTime() - lookAgainAt >= 0
        ? Optional.ofNullable(postponed.poll())
        : Optional.empty();
  }

  /** It waits for others, as it has said itself. */
  void postpone(Waiting waiting) {
    putBack(waiting);
    Duration look = settings.timing().look();
    Duration wait = look.compareTo(LOOK_AGAIN) < 0 ? look : LOOK_AGAIN;
    lookAgainAt = System.nanoTime() + wait.toNanos();
  }

  /** It cannot be begun beside what is in hand. */
  void putBack(Waiting waiting) {
    parts.leases().take(waiting.job().jobId());
    postponed.add(waiting);
  }

  /** How long until those that were postponed have their turn; empty if there are none. */
  Optional<Duration> untilLookAgain() {
    return postponed.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(lookAgainAt - System.nanoTime()));
  }

  /** The run is closed. */
  void forgetPostponed() {
    postponed.forEach(waiting -> parts.leases().drop(waiting.job().jobId()));
    postponed.clear();
  }

  private Optional<Waiting> claim(Run run, Size size) {
    if (isUnheard) {
      takeUnheard(run);
      isUnheard = false;
      Optional<Waiting> taken = first();
      if (taken.isPresent()) {
        return taken;
      }
    }
    isUnheard = true;
    Optional<Job> job = claimed(run, size);
    isUnheard = false;
    return job.map(one -> new Waiting(one, Claim.NEW));
  }

  private Optional<Job> claimed(Run run, Size size) {
    String owner = settings.identity().owner();
    Duration lease = settings.timing().lease();
    while (true) {
      Optional<Job> job =
          size == Size.LARGEST
              ? db.runs().claimNext(run.runId(), owner, lease)
              : db.runs().claimSmallest(run.runId(), owner, lease);
      if (job.isEmpty() || !parts.leases().holds(job.get().jobId())) {
        return job;
      }
      // One of ours whose lease had ended: claiming it has renewed it, it is in hand already.
      parts.leases().take(job.get().jobId());
    }
  }

  /** The database may have given us a job while its answer was lost: nobody else would read it. */
  private void takeUnheard(Run run) {
    ReaderSettings.Identity identity = settings.identity();
    for (Job job : db.runs().jobs(run.runId())) {
      if (job.status() == Status.RUNNING
          && identity.owner().equals(job.owner())
          && !parts.leases().holds(job.jobId())) {
        db.runs()
            .claim(job.jobId(), identity.owner(), settings.timing().lease())
            .ifPresent(
                claimed -> {
                  parts.leases().take(claimed.jobId());
                  first.add(new Waiting(claimed, Claim.NEW));
                });
      }
    }
  }
}
