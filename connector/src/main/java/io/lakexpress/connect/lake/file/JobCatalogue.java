package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.RunBook;
import io.lakexpress.lxdb.Status;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the LakeXpress DB says of jobs, asked rarely. Owned by one thread. */
final class JobCatalogue {
  private static final Logger LOG = LoggerFactory.getLogger(JobCatalogue.class);
  private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(1);
  private static final int MOST_KNOWN = 10_000;

  private final String syncId;
  private final RunBook runs;
  private final FileLedger ledger;
  private final Clock clock;
  private final Map<String, Optional<FileTarget>> targets = new HashMap<>();
  private final Set<String> delivered = new HashSet<>();
  private Instant askedAt = Instant.EPOCH;

  JobCatalogue(String syncId, RunBook runs, FileLedger ledger, Clock clock) {
    this.syncId = syncId;
    this.runs = runs;
    this.ledger = ledger;
    this.clock = clock;
  }

  /** The files for rows of a job, or empty if its rows can never become part of this lake. */
  Optional<FileTarget> target(String jobId) {
    Optional<FileTarget> known = targets.get(jobId);
    if (known != null) {
      return known;
    }
    if (targets.size() >= MOST_KNOWN) {
      targets.clear();
    }
    Optional<Job> job = runs.job(jobId);
    Optional<FileTarget> target = job.filter(this::canLand).map(FileTarget::of);
    targets.put(jobId, target);
    if (target.isEmpty()) {
      LOG.warn(
          "Passing over the rows of job {}: {}",
          jobId,
          job.map(this::refusal)
              .orElse("sync '" + syncId + "' does not know it, its run may have been pruned"));
    }
    return target;
  }

  /** Learns which of the open jobs have been delivered; asks at most once a second. */
  void refresh(Collection<String> openJobs) {
    delivered.retainAll(openJobs);
    Instant now = clock.instant();
    List<String> unsettled = openJobs.stream().filter(job -> !delivered.contains(job)).toList();
    if (unsettled.isEmpty() || now.isBefore(askedAt.plus(BETWEEN_QUESTIONS))) {
      return;
    }
    askedAt = now;
    ledger.deliveredAmong(unsettled).forEach(job -> delivered.add(job.jobId()));
  }

  boolean isDelivered(String jobId) {
    return delivered.contains(jobId);
  }

  private boolean canLand(Job job) {
    return job.syncId().equals(syncId) && !job.isReplaced() && !isLanded(job);
  }

  private String refusal(Job job) {
    if (!job.syncId().equals(syncId)) {
      return "it belongs to sync '" + job.syncId() + "'";
    }
    return isLanded(job) ? "it has landed already" : "another attempt has replaced it";
  }

  private static boolean isLanded(Job job) {
    return job.status() == Status.LANDED || job.status() == Status.PUBLISHED;
  }
}
