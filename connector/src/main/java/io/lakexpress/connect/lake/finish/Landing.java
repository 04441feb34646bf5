package io.lakexpress.connect.lake.finish;

import io.lakexpress.lxdb.EventLog;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Waiting;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the run of one table part of the lake, or fails it; both in steps that can be repeated. */
final class Landing {
  private static final Logger LOG = LoggerFactory.getLogger(Landing.class);

  private final String syncId;
  private final FileLedger ledger;
  private final LakeFiles files;
  private final EventLog log;
  private final FinisherCounters counters;

  Landing(
      String syncId, FileLedger ledger, LakeFiles files, EventLog log, FinisherCounters counters) {
    this.counters = counters;
    this.syncId = syncId;
    this.ledger = ledger;
    this.files = files;
    this.log = log;
  }

  /** Publishes the files of a complete run of a table and lands it. */
  void land(TableRun run) {
    List<LedgerFile> all = filesOf(run);
    Optional<LedgerFile> lost =
        all.stream().filter(file -> file.state() == FileState.LOST).findFirst();
    for (LedgerFile file : all) {
      if (lost.isEmpty() && file.state() == FileState.STAGED && !files.publish(file)) {
        lost = Optional.of(file);
      }
    }
    if (lost.isPresent()) {
      fail(run, "the store has lost " + lost.get().path());
      return;
    }
    List<LedgerFile> superseded = ledger.land(run.jobIds());
    counters.landed.increment();
    long count = all.stream().filter(Landing::isPartOfLake).count();
    String message =
        "Landed " + run + ": " + run.rows() + " rows in " + count + " files" + replaced(superseded);
    LOG.info("{}", message);
    log.write("INFO", syncId, run.runId(), run.jobIds().get(0), message);
    files.retire(superseded);
  }

  private static String replaced(List<LedgerFile> superseded) {
    return superseded.isEmpty() ? "" : ", in place of " + superseded.size() + " older ones";
  }

  private static boolean isPartOfLake(LedgerFile file) {
    return file.state() == FileState.STAGED || file.state() == FileState.PUBLISHED;
  }

  /** A later export that replaces its predecessors landed first: this one is not needed. */
  void discardOvertaken(TableRun run) {
    giveUp(run, "a later export of the table landed first and replaced it");
  }

  /** Fails all jobs of a table's run, saying what to do; nothing of it stays in the lake. */
  void fail(TableRun run, String reason) {
    giveUp(run, reason + "; " + remedy(run));
    counters.failed.increment();
  }

  private static String remedy(TableRun run) {
    return run.jobs().get(0).mode() == JobMode.FULL
        ? "the next run exports the table again"
        : "the lake misses this window: set the table's source offset to null to export it anew";
  }

  private void giveUp(TableRun run, String reason) {
    // The ledger first: it refuses when another finisher has landed the run meanwhile. Then the
    // files are orphans, whoever removes them.
    for (Job job : run.jobs()) {
      ledger.failLanding(job.jobId(), "Cannot land " + run + ": " + reason);
    }
    LakeFiles.each(ledger.orphanedFiles(syncId), files::remove);
    LOG.error("Cannot land {}: {}", run, reason);
    log.write(
        "ERROR", syncId, run.runId(), run.jobIds().get(0), "Cannot land " + run + ": " + reason);
  }

  boolean isOvertaken(TableRun run) {
    return run.jobs().stream().anyMatch(ledger::isOvertaken);
  }

  /** Why a run holds more rows than were announced; empty if it does not. */
  static Optional<String> surplus(TableRun run) {
    return run.slices().stream()
        .filter(slice -> slice.ledgerRows() > slice.job().rows())
        .findFirst()
        .map(Landing::surplus);
  }

  private static String surplus(Waiting slice) {
    return "job "
        + slice.job().jobId()
        + " announced "
        + slice.job().rows()
        + " rows and the topic held "
        + slice.ledgerRows()
        + "; read committed records only (consumer.override.isolation.level=read_committed)";
  }

  /** What a run is short of, as people read it. */
  static String shortage(TableRun run) {
    return run.rows()
        + " rows were announced and "
        + run.ledgerRows()
        + " came; the others expired from the topic, were compacted away or were dropped by a"
        + " transform (topics must be cleanup.policy=delete with enough retention)";
  }

  private List<LedgerFile> filesOf(TableRun run) {
    return run.jobIds().stream().flatMap(job -> ledger.filesOfJob(job).stream()).toList();
  }
}
