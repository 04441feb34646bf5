package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobStart.Claim;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Run;
import io.lakexpress.watermark.TableId;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reader's thread: joins or opens runs, claims jobs, reads them, waits. */
final class ReaderLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderLoop.class);

  private final ReaderParts parts;
  private final ReaderSettings settings;
  private final LakexpressDb db;
  private final JobReader reader;
  private final RunOpener opener;
  private final StartUp startUp;
  private final Deque<Job> inherited = new ArrayDeque<>();
  private final Deque<Job> postponed = new ArrayDeque<>();
  private final Map<TableId, String> skipped = new HashMap<>();
  private long quietUntil = System.nanoTime();
  private int troubles;

  ReaderLoop(ReaderParts parts, LakexpressDb db, SourceDatabase source) {
    this.parts = parts;
    this.settings = parts.settings();
    this.db = db;
    this.reader = new JobReader(parts, db, source);
    this.opener = new RunOpener(settings, db, source, parts.offsets(), parts.guard());
    this.startUp = new StartUp(parts, db, source);
  }

  /**
   * Runs until the halt.
   *
   * @throws ConnectException if the task has to fail
   */
  void run() {
    inherited.addAll(startUp.run());
    while (true) {
      parts.halt().check();
      try {
        if (!advance()) {
          parts.halt().await(settings.timing().look());
        }
        troubles = 0;
      } catch (LakexpressDbException | SourceException e) {
        parts.halt().check();
        Duration wait = settings.timing().wait(++troubles);
        LOG.warn("Sync {} waits {}: {}", settings.identity().syncId(), wait, e.getMessage());
        parts.halt().sleep(wait);
      }
    }
  }

  /** Does one thing; false if there is nothing to do now. */
  private boolean advance() {
    if (!inherited.isEmpty()) {
      process(inherited.remove(), Claim.INHERITED);
      return true;
    }
    Optional<Run> open = db.runs().openRun(settings.identity().syncId());
    if (open.isEmpty()) {
      postponed.forEach(job -> parts.leases().drop(job.jobId()));
      postponed.clear();
      return openIfDue();
    }
    Optional<Job> next = claim(open.get());
    if (next.isPresent()) {
      process(next.get(), Claim.NEW);
      return true;
    }
    if (!postponed.isEmpty()) {
      process(postponed.remove(), Claim.NEW);
      return postponed.isEmpty();
    }
    for (Job job : db.runs().failAbandoned(settings.identity().syncId())) {
      LOG.warn("Job {} of table {} is failed: {}", job.jobId(), job.table(), job.error());
    }
    return false;
  }

  private Optional<Job> claim(Run run) {
    while (true) {
      Optional<Job> job =
          db.runs().claimNext(run.runId(), settings.identity().owner(), settings.timing().lease());
      if (job.isEmpty() || !parts.leases().holds(job.get().jobId())) {
        return job;
      }
      // One of ours whose lease had ended: claiming it has renewed it, it is in hand already.
      parts.leases().take(job.get().jobId());
    }
  }

  private boolean openIfDue() {
    String syncId = settings.identity().syncId();
    Optional<String> requested = db.syncs().requestedRun(syncId);
    if (requested.isPresent()) {
      opener.open(requested.get());
      return true;
    }
    if (settings.runs().mode() == ReaderSettings.SyncMode.ON_DEMAND
        || System.nanoTime() - quietUntil < 0) {
      return false;
    }
    Optional<Run> latest = db.runs().latestRun(syncId);
    Instant opened = latest.map(Run::openedAt).orElse(null);
    Duration rest = settings.runs().schedule().untilDue(opened, db.runs().now());
    if (rest.isZero()) {
      opener.open(latest.isPresent() ? "schedule" : "start");
      return true;
    }
    Duration quiet = rest.compareTo(Duration.ofMinutes(1)) < 0 ? rest : Duration.ofMinutes(1);
    quietUntil = System.nanoTime() + quiet.toNanos();
    return false;
  }

  private void process(Job job, Claim claim) {
    parts.leases().take(job.jobId());
    reader.begin(job, claim);
    try {
      String skip = skipped.get(job.table());
      if (skip != null) {
        throw new TableFailure(
            "Skipped until the connector is restarted, since it failed: " + skip);
      }
      readToItsEnd();
    } catch (JobReader.Postponed e) {
      LOG.info("Table {} waits: {}", job.table(), e.getMessage());
      postponed.add(reader.current());
    } catch (JobReader.LeaseLost e) {
      LOG.warn("Table {} is left alone: {}", job.table(), e.getMessage());
      parts.leases().drop(reader.current().jobId());
      letGoOfHelped();
    } catch (TableFailure e) {
      fail(e.getMessage());
    } catch (SourceException e) {
      fail(reason(job, e));
    } catch (LakexpressDbException e) {
      // Refused for good: a job that stayed claimed and unread would keep its run open for ever.
      fail("Cannot go on with table " + job.table() + ": " + e.getMessage());
    } catch (DataException | IllegalArgumentException | ArithmeticException | DateTimeException e) {
      // A value nobody thought of is a fault of this table, not of the others.
      parts.halt().check();
      LOG.error("Table {} cannot be read", job.table(), e);
      fail("Cannot read table " + job.table() + ": " + e.getMessage());
    }
  }

  private String reason(Job job, SourceException e) {
    String said = e.getMessage();
    String reason =
        said.contains(job.table().toString())
            ? said
            : "Cannot read table " + job.table() + ": " + said;
    return e.kind() == SourceException.Kind.LASTING
        ? reason
        : reason + " (" + settings.timing().tries() + " tries without progress)";
  }

  private void readToItsEnd() {
    int tries = 0;
    while (true) {
      long before = parts.handOver().handedOver();
      try {
        if (reader.proceed()) {
          return;
        }
        tries = 0;
      } catch (SourceException e) {
        parts.halt().check();
        tries = parts.handOver().handedOver() > before ? 1 : tries + 1;
        if (e.kind() == SourceException.Kind.LASTING || tries >= settings.timing().tries()) {
          throw e;
        }
        Duration wait = settings.timing().wait(tries);
        LOG.warn(
            "Table {} is tried again in {}: {}", reader.current().table(), wait, e.getMessage());
        parts.halt().sleep(wait);
      }
    }
  }

  private void fail(String reason) {
    Job job = reader.current();
    LOG.error("Job {} of table {} failed: {}", job.jobId(), job.table(), reason);
    // Whoever claims its open window next must find the offsets of all rows that are on their way.
    parts.handOver().awaitTaken(settings.timing().lease());
    parts.leases().drop(job.jobId());
    letGoOfHelped();
    parts.patience().tell(() -> db.runs().fail(job.jobId(), reason));
    switch (settings.runs().errorAction()) {
      case CONTINUE -> {}
      case SKIP -> skipped.putIfAbsent(job.table(), reason);
      case FAIL -> throw new ConnectException(reason);
    }
  }

  private void letGoOfHelped() {
    reader
        .helped()
        .ifPresent(
            jobId -> {
              parts.leases().drop(jobId);
              parts
                  .patience()
                  .tell(() -> db.runs().release(List.of(jobId), settings.identity().owner()));
            });
  }
}
