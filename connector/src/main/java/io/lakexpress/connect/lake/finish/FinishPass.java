package io.lakexpress.connect.lake.finish;

import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.StorageException;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.RunBook;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.TableId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look at everything that waits to become part of the lake. Whatever was left behind by whoever
 * came before is taken up where it stands; two passes at once do no harm.
 */
final class FinishPass {
  private static final Logger LOG = LoggerFactory.getLogger(FinishPass.class);
  private static final Duration BETWEEN_CLEANINGS = Duration.ofSeconds(10);
  private static final Duration BETWEEN_PROBES = Duration.ofSeconds(30);

  private final String syncId;
  private final FileLedger ledger;
  private final RunBook runs;
  private final LakeStorage storage;
  private final LakeFiles files;
  private final Landing landing;
  private final MissingRows missing;
  private final Duration patience;
  private final Clock clock;
  private final FinisherCounters counters;

  /**
   * Whether files of topics without jobs have come of late: without any they are asked for less.
   */
  private boolean takesPlainTopics;

  private Instant cleanedAt = Instant.EPOCH;
  private Instant probedAt = Instant.EPOCH;

  FinishPass(
      FinisherSettings settings,
      LakexpressDb book,
      LakeStorage storage,
      FinisherCounters counters,
      Clock clock) {
    this.counters = counters;
    this.syncId = settings.syncId();
    this.ledger = book.ledger();
    this.runs = book.runs();
    this.storage = storage;
    this.files = new LakeFiles(book, storage, settings.supersededRetention(), counters);
    this.landing = new Landing(syncId, ledger, files, book.log(), counters);
    this.patience = settings.missingRows();
    this.missing = new MissingRows(syncId, book, settings.missingRows(), clock);
    this.clock = clock;
  }

  /**
   * Does all that can be done now.
   *
   * @return whether something waits
   */
  boolean run() {
    try {
      boolean waits = pass();
      probeStorage();
      return waits;
    } catch (RuntimeException failure) {
      missing.startOver();
      throw failure;
    }
  }

  private boolean pass() {
    boolean thorough = !clock.instant().isBefore(cleanedAt.plus(BETWEEN_CLEANINGS));
    if (thorough) {
      runs.failAbandoned(syncId);
      cleanedAt = clock.instant();
    }
    Troubles troubles = new Troubles();
    if (thorough) {
      troubles.within(() -> LakeFiles.each(ledger.orphanedFiles(syncId), files::remove));
      troubles.within(() -> LakeFiles.each(ledger.staleOpenFiles(syncId), files::remove));
      troubles.within(() -> files.cleanSuperseded(syncId));
    }
    if (thorough || takesPlainTopics) {
      List<LedgerFile> staged = ledger.stagedWithoutJob(syncId);
      takesPlainTopics = !staged.isEmpty();
      troubles.within(() -> LakeFiles.each(staged, files::publish));
    }
    List<TableRun> waiting = TableRun.group(ledger.waiting(syncId));
    counters.waiting.set(waiting.size());
    finishAll(waiting, thorough ? Look.THOROUGH : Look.QUICK, troubles);
    troubles.report();
    return !waiting.isEmpty();
  }

  /** Lets one file or table that the store refuses hold no other back; the first one is told. */
  private static final class Troubles {
    private StorageException first;

    void within(Runnable step) {
      try {
        step.run();
      } catch (StorageException failure) {
        note(failure);
      }
    }

    void note(StorageException failure) {
      first = first == null ? failure : first;
    }

    void report() {
      if (first != null) {
        throw first;
      }
    }
  }

  private enum Look {
    QUICK,
    THOROUGH
  }

  private void finishAll(List<TableRun> waiting, Look look, Troubles troubles) {
    Set<TableId> blocked = new HashSet<>();
    List<TableRun> shortOfRows = new ArrayList<>();
    missing.beginLook();
    for (int i = 0; i < waiting.size(); i++) {
      TableRun run = waiting.get(i);
      // What replaces everything before it need not wait for it.
      boolean mayGo =
          !blocked.contains(run.table()) || (run.isComplete() && run.replacesPredecessors());
      try {
        if (mayGo && !finish(run, look, waiting.subList(i + 1, waiting.size()))) {
          blocked.add(run.table());
          shortOfRows.add(run);
        }
      } catch (StorageException failure) {
        blocked.add(run.table());
        troubles.note(failure);
      }
    }
    missing.keepOnly(shortOfRows);
  }

  /** True if the run of the table has reached its end, well or badly. */
  private boolean finish(TableRun run, Look look, List<TableRun> later) {
    boolean complete = run.isComplete();
    if ((complete || look == Look.THOROUGH) && landing.isOvertaken(run)) {
      landing.discardOvertaken(run);
      return true;
    }
    if (complete && files.awaitsFileWithoutRows(run, patience)) {
      return false;
    }
    if (complete) {
      landing.land(run);
      return true;
    }
    if (Landing.surplus(run).isPresent()) {
      landing.fail(run, Landing.surplus(run).get());
      return true;
    }
    if (!run.hasAllSlices()) {
      return look == Look.THOROUGH
          && later.stream().anyMatch(next -> next.table().equals(run.table()))
          && failBroken(run);
    }
    if (missing.neverCome(run)) {
      landing.fail(run, Landing.shortage(run));
      return true;
    }
    return false;
  }

  /**
   * A slice failed for good: a later run of the table was delivered, so nobody reads it any more.
   */
  private boolean failBroken(TableRun run) {
    boolean broken =
        runs.jobs(run.runId()).stream()
            .anyMatch(job -> job.table().equals(run.table()) && job.status() == Status.FAILED);
    if (broken) {
      landing.fail(run, "one of its slices failed");
    }
    return broken;
  }

  /**
   * While rows are missing the store must be known to work: tasks that cannot write are no proof.
   */
  private void probeStorage() {
    Instant now = clock.instant();
    if (missing.isAnyOlderThan(BETWEEN_PROBES) && !now.isBefore(probedAt.plus(BETWEEN_PROBES))) {
      probedAt = now;
      storage.verifyWritable();
      LOG.debug("The store at {} works; rows are still missing", storage.location());
    }
  }
}
