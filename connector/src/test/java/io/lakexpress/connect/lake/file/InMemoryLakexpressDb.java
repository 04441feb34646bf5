package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.EventLog;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.GuardBook;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.RunBook;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.SyncBook;
import io.lakexpress.lxdb.TableLocks;
import io.lakexpress.lxdb.WatermarkBook;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parts of the LakeXpress DB that a lake needs, in memory, with faults on demand. */
public final class InMemoryLakexpressDb implements LakexpressDb {
  public static final String SYNC = "tpch";

  private final Faults faults;
  private final Clock clock;
  private final InMemoryFileLedger ledger;
  private final InMemorySyncBook syncs;
  private final List<String> events = new ArrayList<>();
  final Map<String, Job> jobs = new LinkedHashMap<>();

  public InMemoryLakexpressDb(Clock clock, Faults faults) {
    this.clock = clock;
    this.faults = faults;
    this.ledger = new InMemoryFileLedger(this, clock);
    this.syncs = new InMemorySyncBook(clock);
  }

  /** A running job of the whole table. */
  public Job begin(String jobId, long runNumber, TableId table, JobMode mode) {
    return begin(jobId, runNumber, table, mode, Slice.WHOLE);
  }

  public Job begin(String jobId, long runNumber, TableId table, JobMode mode, Slice slice) {
    Job job =
        new Job(
            jobId,
            "run-" + runNumber,
            runNumber,
            Instant.parse("2026-12-01T09:00:00Z"),
            SYNC,
            table,
            slice,
            mode,
            "",
            null,
            null,
            1,
            null,
            Status.RUNNING,
            -1,
            0,
            null,
            null,
            null);
    jobs.put(jobId, job);
    return job;
  }

  public void deliver(String jobId, long rows) {
    Job job = jobs.get(jobId);
    jobs.put(
        jobId, with(job, Status.DELIVERED, rows, job.refusedRows(), null, null, clock.instant()));
  }

  /** Another attempt takes the job's place. */
  public void replace(String jobId, String nextId) {
    Job job = jobs.get(jobId);
    jobs.put(jobId, with(job, Status.FAILED, -1, 0, "broken", nextId, null));
    begin(nextId, job.runNumber(), job.table(), job.mode(), job.slice());
  }

  void refuse(String jobId, long rows) {
    Job job = jobs.get(jobId);
    jobs.put(
        jobId,
        with(
            job,
            job.status(),
            job.rows(),
            job.refusedRows() + rows,
            job.error(),
            job.replacedBy(),
            job.deliveredAt()));
  }

  void end(String jobId, Status status, String error) {
    Job job = jobs.get(jobId);
    jobs.put(
        jobId,
        with(
            job,
            status,
            job.rows(),
            job.refusedRows(),
            error,
            job.replacedBy(),
            job.deliveredAt()));
  }

  private static Job with(
      Job job, Status status, long rows, long refused, String error, String next, Instant at) {
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
        job.owner(),
        status,
        rows,
        refused,
        error,
        next,
        at);
  }

  public Job job(String jobId) {
    return jobs.get(jobId);
  }

  public List<String> events() {
    return List.copyOf(events);
  }

  @Override
  public FileLedger ledger() {
    return faults.around(FileLedger.class, ledger);
  }

  @Override
  public SyncBook syncs() {
    return faults.around(SyncBook.class, syncs);
  }

  /** Answers what a lake asks of runs, and nothing else. */
  @Override
  public RunBook runs() {
    RunBook book =
        (RunBook)
            Proxy.newProxyInstance(
                RunBook.class.getClassLoader(),
                new Class<?>[] {RunBook.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "now" -> clock.instant();
                      case "job" -> Optional.ofNullable(jobs.get((String) arguments[0]));
                      case "jobs" ->
                          jobs.values().stream()
                              .filter(job -> job.runId().equals(arguments[0]))
                              .filter(job -> !job.isReplaced())
                              .toList();
                      case "failAbandoned" -> List.of();
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    return faults.around(RunBook.class, book);
  }

  @Override
  public EventLog log() {
    return new EventLog() {
      @Override
      public void write(String level, String syncId, String runId, String jobId, String message) {
        events.add(level + " " + message);
      }

      @Override
      public List<Event> events(String syncId, int max) {
        throw new UnsupportedOperationException("events");
      }
    };
  }

  @Override
  public WatermarkBook watermarks() {
    throw new UnsupportedOperationException("watermarks");
  }

  @Override
  public GuardBook guard() {
    throw new UnsupportedOperationException("The sink guards no run");
  }

  @Override
  public TableLocks locks() {
    throw new UnsupportedOperationException("locks");
  }

  @Override
  public void close() {}
}
