package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.WatermarkBook.Watermark;
import io.lakexpress.watermark.TableId;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of runs as they are seen to open and close, whoever had to do with them: in the figures of
 * each task, and in the log by the first task, for all of its connector. Owned by the reader's
 * thread.
 */
final class RunWatch {
  private static final Logger LOG = LoggerFactory.getLogger(RunWatch.class);

  /** As many runs may have come and gone between two looks and are still told of. */
  private static final int RUNS = 10;

  private final ReaderSettings settings;
  private final SyncMetrics metrics;
  private final LakexpressDb db;
  private final Map<TableId, String> toldTables = new HashMap<>();
  private long opened;
  private long closed;

  RunWatch(ReaderParts parts, LakexpressDb db) {
    this.settings = parts.settings();
    this.metrics = parts.metrics();
    this.db = db;
  }

  /** The task starts: what closed before is not told of. */
  void start() {
    Optional<Run> latest = db.runs().latestRun(settings.identity().syncId());
    closed = latest.map(run -> run.isOpen() ? run.number() - 1 : run.number()).orElse(0L);
    opened = closed;
    latest.ifPresent(run -> metrics.seen(run, settings.runs().safetyLag()));
    tellTables();
  }

  /** A run is open. */
  void open(Run run) {
    if (closed < run.number() - 1) {
      tellClosed();
    }
    if (opened < run.number()) {
      metrics.seen(run, settings.runs().safetyLag());
      tellTables();
      tellOpened(run, db.runs().jobs(run.runId()).size());
    }
  }

  /** No run is open. */
  void none() {
    Optional<Run> latest = db.runs().latestRun(settings.identity().syncId());
    if (latest.filter(run -> run.number() > closed).isPresent()) {
      tellClosed();
    }
  }

  private void tellClosed() {
    List<Run> unseen =
        db.runs().runs(settings.identity().syncId(), RUNS).stream()
            .filter(run -> !run.isOpen() && run.number() > closed)
            .sorted(Comparator.comparingLong(Run::number))
            .toList();
    for (Run run : unseen) {
      List<Job> jobs = db.runs().jobs(run.runId());
      if (opened < run.number()) {
        tellOpened(run, jobs.size());
      }
      tellClosed(run, jobs);
      closed = run.number();
    }
  }

  private void tellTables() {
    if (!settings.identity().isFirst()) {
      return;
    }
    for (PlannedUnit unit : db.syncs().plan(settings.identity().syncId()).units()) {
      if (!unit.incremental().equals(toldTables.put(unit.table(), unit.incremental()))) {
        LOG.info(
            "Table {}: {}",
            unit.table(),
            unit.isIncremental()
                ? "incremental, " + unit.incremental()
                : "full export each run, about " + unit.estimatedRows() + " rows");
      }
    }
  }

  private void tellOpened(Run run, int jobs) {
    opened = run.number();
    tell(
        run,
        "is open since "
            + run.startedAt()
            + ", cause "
            + run.cause()
            + ": "
            + jobs
            + " jobs, bounded by "
            + (run.upperBound() == null ? "the last watermarks" : run.upperBound())
            + (run.guardNote() == null || run.guardNote().isEmpty() ? "" : ", " + run.guardNote()));
  }

  private void tellClosed(Run run, List<Job> jobs) {
    metrics.seen(run, settings.runs().safetyLag());
    follow(run, jobs);
    long failed = jobs.stream().filter(job -> job.deliveredAt() == null).count();
    tell(
        run,
        "is closed after "
            + Duration.between(run.openedAt(), run.closedAt())
            + ": "
            + (jobs.size() - failed)
            + " jobs delivered with "
            + jobs.stream().mapToLong(job -> Math.max(0, job.rows())).sum()
            + " rows, "
            + failed
            + " failed");
  }

  private void tell(Run run, String what) {
    if (settings.identity().isFirst()) {
      LOG.info("Run {} ({}) of sync {} {}", run.number(), run.runId(), run.syncId(), what);
    }
  }

  /** Other tasks may have read what this one read before. */
  private void follow(Run run, List<Job> jobs) {
    Map<TableId, Watermark> watermarks =
        db.watermarks().watermarks(run.syncId()).stream()
            .collect(Collectors.toMap(Watermark::table, Function.identity(), (one, other) -> one));
    Map<TableId, List<Job>> byTable = jobs.stream().collect(Collectors.groupingBy(Job::table));
    for (TableMetrics table : metrics.tables()) {
      List<Job> its = byTable.getOrDefault(table.table(), List.of());
      if (its.isEmpty() || its.stream().anyMatch(job -> job.deliveredAt() == null)) {
        continue;
      }
      Job job = its.get(0);
      String watermark =
          Optional.ofNullable(watermarks.get(table.table()))
              .flatMap(Watermark::exported)
              .orElse(null);
      table.recovered();
      table.stands(
          watermark, Freshness.of(job, watermark, settings.runs().zones()).orElse(run.startedAt()));
    }
  }
}
