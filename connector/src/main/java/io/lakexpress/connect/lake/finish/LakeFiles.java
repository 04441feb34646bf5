package io.lakexpress.connect.lake.finish;

import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.LakeStorage.PublishOutcome;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.StorageException;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.RunBook;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves single files through their last states, first in the store, then in the ledger; so every
 * step can be taken again by whoever comes after a crash.
 */
final class LakeFiles {
  private static final Logger LOG = LoggerFactory.getLogger(LakeFiles.class);

  private final FileLedger ledger;
  private final RunBook runs;
  private final LakeStorage storage;
  private final Duration supersededRetention;
  private final FinisherCounters counters;
  private final Set<Long> retired = new HashSet<>();

  LakeFiles(
      LakexpressDb book,
      LakeStorage storage,
      Duration supersededRetention,
      FinisherCounters counters) {
    this.ledger = book.ledger();
    this.runs = book.runs();
    this.counters = counters;
    this.storage = storage;
    this.supersededRetention = supersededRetention;
  }

  /** Makes a staged file visible; false if the store has lost it. */
  boolean publish(LedgerFile file) {
    PublishOutcome outcome = storage.publish(path(file), new StagingHandle(file.handle()));
    return switch (outcome) {
      case PUBLISHED -> {
        ledger.markPublished(file.fileId());
        counters.published(Duration.between(file.updatedAt(), runs.now()));
        LOG.info("Published {} with {} rows, {} bytes", file.path(), file.rows(), file.bytes());
        yield true;
      }
      case LOST -> {
        ledger.markLost(file.fileId());
        counters.lostFiles.increment();
        LOG.error("The store has lost staged file {} with {} rows", file.path(), file.rows());
        yield false;
      }
    };
  }

  /**
   * Removes a file that never became, or must not stay, part of the lake. A published one counts as
   * lost then: its rows have to be exported again.
   */
  void remove(LedgerFile file) {
    if (file.state() == FileState.OPEN || file.state() == FileState.STAGED) {
      storage.discard(path(file), new StagingHandle(file.handle()));
      ledger.discard(file.fileId());
    } else if (file.state() == FileState.PUBLISHED) {
      storage.delete(path(file));
      ledger.markLost(file.fileId());
    }
  }

  /** Does something to each file; one that cannot be handled holds no other back. */
  static void each(List<LedgerFile> files, Consumer<LedgerFile> deed) {
    StorageException trouble = null;
    for (LedgerFile file : files) {
      try {
        deed.accept(file);
      } catch (StorageException failure) {
        trouble = trouble == null ? failure : trouble;
      }
    }
    if (trouble != null) {
      throw trouble;
    }
  }

  /**
   * Whether an export without rows lacks the file that shows its columns. A sink that does not read
   * the runs topic never writes one, so it is awaited for a while only.
   */
  boolean awaitsFileWithoutRows(TableRun run, Duration patience) {
    if (!run.replacesPredecessors()
        || run.rows() > 0
        || !run.jobIds().stream().allMatch(job -> filesInLedger(job).isEmpty())) {
      return false;
    }
    Instant now = runs.now();
    return run.jobs().stream().anyMatch(job -> job.deliveredAt().plus(patience).isAfter(now));
  }

  private List<LedgerFile> filesInLedger(String jobId) {
    return ledger.filesOfJob(jobId).stream()
        .filter(file -> file.state() == FileState.STAGED || file.state() == FileState.PUBLISHED)
        .toList();
  }

  /** Takes superseded files out of every glob at once. */
  void retire(List<LedgerFile> superseded) {
    each(superseded, this::retire);
  }

  private void retire(LedgerFile file) {
    if (supersededRetention.isZero()) {
      delete(file);
    } else if (!retired.contains(file.fileId())) {
      storage.retire(path(file));
      retired.add(file.fileId());
    }
  }

  /** Goes on where an earlier finisher stopped, and removes what was kept long enough. */
  void cleanSuperseded(String syncId) {
    if (!supersededRetention.isZero()) {
      retire(ledger.supersededFiles(syncId, Duration.ZERO));
    }
    each(ledger.supersededFiles(syncId, supersededRetention), this::delete);
  }

  private void delete(LedgerFile file) {
    storage.delete(path(file));
    ledger.markDeleted(file.fileId());
    counters.deletedFiles.increment();
    retired.remove(file.fileId());
    LOG.debug("Deleted superseded file {}", file.path());
  }

  private static LakePath path(LedgerFile file) {
    return new LakePath(file.path());
  }
}
