package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.NewJob;
import io.lakexpress.lxdb.NewRun;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.RunBook;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.watermark.TableId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Runs and jobs in memory, by the contract of the port. */
final class MemoryRunBook implements RunBook {
  private final MemoryDb db;
  private final Map<String, Run> runs = new LinkedHashMap<>();
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private final Map<String, Long> estimates = new HashMap<>();
  private final Map<String, Instant> leases = new HashMap<>();
  private final Set<String> abandoned = new HashSet<>();

  MemoryRunBook(MemoryDb db) {
    this.db = db;
  }

  @Override
  public Instant now() {
    return db.answer(db::now);
  }

  @Override
  public Optional<Run> openRun(String syncId) {
    return db.answer(() -> runs.values().stream().filter(Run::isOpen).findFirst());
  }

  @Override
  public Optional<Run> latestRun(String syncId) {
    return runs(syncId, 1).stream().findFirst();
  }

  @Override
  public Optional<Run> run(String runId) {
    return db.answer(() -> Optional.ofNullable(runs.get(runId)));
  }

  @Override
  public List<Run> runs(String syncId, int max) {
    return db.answer(
        () -> {
          List<Run> newest = new ArrayList<>(runs.values());
          java.util.Collections.reverse(newest);
          return newest.subList(0, Math.min(max, newest.size()));
        });
  }

  @Override
  public Run open(NewRun run) {
    return db.answer(
        () -> {
          Optional<Run> present = runs.values().stream().filter(Run::isOpen).findFirst();
          if (present.isPresent()) {
            return present.get();
          }
          long number = runs.size() + 1L;
          String runId = "r-" + number;
          runs.put(
              runId,
              new Run(
                  runId,
                  run.syncId(),
                  number,
                  run.cause(),
                  run.startedAt(),
                  db.now(),
                  run.upperBound(),
                  run.guardNote(),
                  Status.RUNNING,
                  null,
                  null));
          db.requested = null;
          run.jobs().forEach(job -> insert(run, runId, number, job));
          closeIfDone(runId);
          return runs.get(runId);
        });
  }

  private void insert(NewRun run, String runId, long number, NewJob job) {
    PlannedUnit unit = job.unit();
    String jobId = db.nextJobId();
    estimates.put(jobId, unit.estimatedRows());
    jobs.put(
        jobId,
        new Job(
            jobId,
            runId,
            number,
            run.startedAt(),
            run.syncId(),
            unit.table(),
            unit.slice(),
            job.mode(),
            unit.incremental(),
            job.lowerBound(),
            job.upperBound(),
            1,
            null,
            Status.RUNNING,
            -1,
            0,
            null,
            null,
            null,
            job.sliceRule(),
            null));
  }

  @Override
  public List<Job> jobs(String runId) {
    return db.answer(
        () ->
            jobs.values().stream()
                .filter(job -> job.runId().equals(runId) && !job.isReplaced())
                .toList());
  }

  @Override
  public Optional<Job> job(String jobId) {
    return db.answer(() -> Optional.ofNullable(jobs.get(jobId)));
  }

  /** Forgets a job as if the database had been dropped. */
  void forget(String jobId) {
    synchronized (db) {
      jobs.remove(jobId);
    }
  }

  private boolean isDead(String jobId) {
    return !leases.getOrDefault(jobId, Instant.MIN).isAfter(db.now());
  }

  @Override
  public Optional<Job> claimNext(String runId, String owner, Duration ttl) {
    return db.answer(() -> free(runId, owner).max(bySize()).map(job -> hold(job, owner, ttl)));
  }

  @Override
  public Optional<Job> claimSmallest(String runId, String owner, Duration ttl) {
    return db.answer(() -> free(runId, owner).min(bySize()).map(job -> hold(job, owner, ttl)));
  }

  private Comparator<Job> bySize() {
    return Comparator.comparing(job -> estimates.get(job.jobId()));
  }

  private Stream<Job> free(String runId, String owner) {
    return jobs.values().stream()
        .filter(job -> job.runId().equals(runId) && job.status() == Status.RUNNING)
        .filter(job -> !job.isReplaced())
        .filter(job -> job.owner() == null || (job.owner().equals(owner) && isDead(job.jobId())));
  }

  private Job hold(Job job, String owner, Duration ttl) {
    leases.put(job.jobId(), db.now().plus(ttl));
    return put(change(job, job.status(), owner, job.rows(), job.error(), job.replacedBy(), null));
  }

  private Job put(Job job) {
    jobs.put(job.jobId(), job);
    return job;
  }

  private static Job change(
      Job job,
      Status status,
      String owner,
      long rows,
      String error,
      String replacedBy,
      Instant deliveredAt) {
    return new Job(
        job.jobId(),
        job.runId(),
        job.runNumber(),
        job.runStartedAt(),
        job.syncId(),
        job.table(),
        job.slice(),
        job.mode(),
        job.incremental(),
        job.lowerBound(),
        job.upperBound(),
        job.attempt(),
        owner,
        status,
        rows,
        job.refusedRows(),
        error,
        replacedBy,
        deliveredAt,
        job.sliceRule(),
        job.snapshot());
  }

  @Override
  public Optional<Job> claim(String jobId, String owner, Duration ttl) {
    return db.answer(
        () -> {
          Job job = jobs.get(jobId);
          if (job == null
              || job.deliveredAt() != null
              || job.isReplaced()
              || abandoned.contains(jobId)
              || (job.owner() != null && !job.owner().equals(owner) && !isDead(jobId))) {
            return Optional.empty();
          }
          return Optional.of(hold(job, owner, ttl));
        });
  }

  @Override
  public Set<String> renew(Collection<String> jobIds, String owner, Duration ttl) {
    return db.answer(
        () -> {
          Set<String> kept = new HashSet<>();
          for (String jobId : jobIds) {
            Job job = jobs.get(jobId);
            if (job != null && owner.equals(job.owner()) && job.deliveredAt() == null) {
              leases.put(jobId, db.now().plus(ttl));
              kept.add(jobId);
            }
          }
          return kept;
        });
  }

  @Override
  public void release(Collection<String> jobIds, String owner) {
    db.tell(
        () -> {
          for (String jobId : jobIds) {
            Job job = jobs.get(jobId);
            if (job != null && owner.equals(job.owner())) {
              leases.remove(jobId);
              put(change(job, job.status(), null, job.rows(), job.error(), null, null));
            }
          }
        });
  }

  @Override
  public Job newAttempt(String jobId, String reason, String owner, Duration ttl) {
    return db.answer(
        () -> {
          Job old = jobs.get(jobId);
          if (old == null || old.isReplaced() || old.deliveredAt() != null) {
            throw db.refusal("Cannot begin a new attempt of job " + jobId);
          }
          String next = db.nextJobId();
          estimates.put(next, estimates.get(jobId));
          leases.put(next, db.now().plus(ttl));
          put(
              new Job(
                  next,
                  old.runId(),
                  old.runNumber(),
                  old.runStartedAt(),
                  old.syncId(),
                  old.table(),
                  old.slice(),
                  old.mode(),
                  old.incremental(),
                  old.lowerBound(),
                  old.upperBound(),
                  old.attempt() + 1,
                  owner,
                  old.status(),
                  -1,
                  0,
                  old.error(),
                  null,
                  null,
                  old.sliceRule(),
                  null));
          put(change(old, Status.FAILED, null, old.rows(), reason, next, null));
          return jobs.get(next);
        });
  }

  @Override
  public void noteSnapshot(String jobId, String snapshot) {
    db.tell(
        () ->
            slicesBeside(jobId)
                .forEach(
                    job ->
                        put(
                            new Job(
                                job.jobId(),
                                job.runId(),
                                job.runNumber(),
                                job.runStartedAt(),
                                job.syncId(),
                                job.table(),
                                job.slice(),
                                job.mode(),
                                job.incremental(),
                                job.lowerBound(),
                                job.upperBound(),
                                job.attempt(),
                                job.owner(),
                                job.status(),
                                job.rows(),
                                job.refusedRows(),
                                job.error(),
                                null,
                                job.deliveredAt(),
                                job.sliceRule(),
                                snapshot))));
  }

  private List<Job> slicesBeside(String jobId) {
    Job job = jobs.get(jobId);
    return List.copyOf(jobs.values()).stream()
        .filter(one -> !job.isReplaced() && !one.isReplaced())
        .filter(one -> one.runId().equals(job.runId()) && one.table().equals(job.table()))
        .toList();
  }

  @Override
  public Optional<Job> newAttempts(String jobId, String reason) {
    return db.answer(
        () -> {
          List<Job> slices = slicesBeside(jobId);
          if (slices.stream().allMatch(job -> job.deliveredAt() != null)) {
            return Optional.empty();
          }
          String own = null;
          for (Job old : slices) {
            String next = db.nextJobId();
            own = old.jobId().equals(jobId) ? next : own;
            estimates.put(next, estimates.get(old.jobId()));
            put(
                new Job(
                    next,
                    old.runId(),
                    old.runNumber(),
                    old.runStartedAt(),
                    old.syncId(),
                    old.table(),
                    old.slice(),
                    old.mode(),
                    old.incremental(),
                    old.lowerBound(),
                    old.upperBound(),
                    old.attempt() + 1,
                    null,
                    old.status() == Status.FAILED ? Status.FAILED : Status.RUNNING,
                    -1,
                    0,
                    null,
                    null,
                    null,
                    old.sliceRule(),
                    null));
            put(change(old, Status.FAILED, null, old.rows(), reason, next, null));
          }
          return Optional.ofNullable(jobs.get(own));
        });
  }

  @Override
  public void deliver(String jobId, long rows, WatermarkMove watermark) {
    db.tell(
        () -> {
          Job job = jobs.get(jobId);
          if (job == null || job.isReplaced() || job.deliveredAt() != null) {
            return;
          }
          put(change(job, Status.DELIVERED, null, rows, null, null, db.now()));
          if (watermark != null) {
            db.moveWatermark(watermark, job.runId(), rows, WatermarkCause.RUN);
          }
          closeIfDone(job.runId());
        });
  }

  @Override
  public void fail(String jobId, String error) {
    db.tell(
        () -> {
          Job job = jobs.get(jobId);
          if (job.status() == Status.RUNNING && !job.isReplaced()) {
            put(change(job, Status.FAILED, null, job.rows(), error, null, null));
            closeIfDone(job.runId());
          }
        });
  }

  private void closeIfDone(String runId) {
    List<Job> latest =
        jobs.values().stream()
            .filter(job -> job.runId().equals(runId) && !job.isReplaced())
            .toList();
    if (latest.stream().anyMatch(job -> job.status() == Status.RUNNING)) {
      return;
    }
    boolean failed = latest.stream().anyMatch(job -> job.status() == Status.FAILED);
    Run run = runs.get(runId);
    runs.put(
        runId,
        new Run(
            runId,
            run.syncId(),
            run.number(),
            run.cause(),
            run.startedAt(),
            run.openedAt(),
            run.upperBound(),
            run.guardNote(),
            failed ? Status.FAILED : Status.DELIVERED,
            run.isOpen() ? db.now() : run.closedAt(),
            null));
  }

  @Override
  public List<Job> failAbandoned(String syncId) {
    return db.answer(
        () -> {
          List<Job> failed = new ArrayList<>();
          for (Job job : List.copyOf(jobs.values())) {
            if (job.status() == Status.RUNNING
                && !job.isReplaced()
                && job.owner() != null
                && isDead(job.jobId())) {
              failed.add(put(change(job, Status.FAILED, null, -1, "lease is dead", null, null)));
              closeIfDone(job.runId());
            }
          }
          return failed;
        });
  }

  /** Gives a job to somebody else, as if its lease had ended unnoticed. */
  void steal(String jobId, String owner) {
    synchronized (db) {
      hold(jobs.get(jobId), owner, Duration.ofHours(1));
    }
  }

  @Override
  public void abandonTable(String syncId, TableId table, String reason) {
    db.tell(
        () -> {
          for (Job job : List.copyOf(jobs.values())) {
            if (job.table().equals(table) && job.deliveredAt() == null) {
              abandoned.add(job.jobId());
              put(change(job, Status.FAILED, null, -1, reason, null, null));
              closeIfDone(job.runId());
            }
          }
        });
  }

  @Override
  public int prune(String syncId, Instant before) {
    return db.answer(() -> 0);
  }
}
