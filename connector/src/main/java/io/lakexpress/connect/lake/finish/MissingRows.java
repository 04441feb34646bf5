package io.lakexpress.connect.lake.finish;

import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.watermark.TableId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Tells rows that are late from rows that will never come. Rows count as missing once, for the
 * whole patience and under the eyes of this one finisher, all of this held: the job is delivered
 * and short, no task has a file of it open, and no position of its topic moved in the ledger. A
 * sink that lags has a file open or moves the position; time in which the LakeXpress DB or the
 * store was down does not count.
 */
final class MissingRows {
  private final String syncId;
  private final FileLedger ledger;
  private final Duration patience;
  private final Clock clock;
  private final Map<String, Watch> watches = new HashMap<>();

  MissingRows(String syncId, FileLedger ledger, Duration patience, Clock clock) {
    this.syncId = syncId;
    this.ledger = ledger;
    this.patience = patience;
    this.clock = clock;
  }

  private record Watch(long ledgerRows, Set<Position> positions, Instant since) {
    boolean showsSame(long rows, Set<Position> now) {
      return ledgerRows == rows && positions.equals(now);
    }
  }

  /** Whether the rows this table's run is short of will never come. */
  boolean neverCome(TableRun run) {
    List<LedgerFile> files =
        run.jobIds().stream().flatMap(job -> ledger.filesOfJob(job).stream()).toList();
    boolean beingWritten = files.stream().anyMatch(file -> file.state() == FileState.OPEN);
    Set<Position> positions = positions(run.table(), files);
    Watch watch = watches.get(key(run));
    Instant now = clock.instant();
    if (beingWritten || watch == null || !watch.showsSame(run.ledgerRows(), positions)) {
      watches.put(key(run), new Watch(run.ledgerRows(), positions, now));
      return false;
    }
    return !now.isBefore(watch.since().plus(patience));
  }

  /** Whether any table has been short for a while, so that it matters whether the store is up. */
  boolean isAnyOlderThan(Duration age) {
    Instant limit = clock.instant().minus(age);
    return watches.values().stream().anyMatch(watch -> !watch.since().isAfter(limit));
  }

  /** Forgets tables that are no longer short. */
  void keepOnly(Collection<TableRun> shortOfRows) {
    watches
        .keySet()
        .retainAll(shortOfRows.stream().map(MissingRows::key).collect(Collectors.toSet()));
  }

  /** Begins to wait anew: something was down meanwhile. */
  void startOver() {
    watches.clear();
  }

  private static String key(TableRun run) {
    return run.runId() + " " + run.table();
  }

  /** The positions of the table's topic, as well as it is known; else all of the sync. */
  private Set<Position> positions(TableId table, List<LedgerFile> files) {
    Set<String> topics =
        files.stream().map(file -> file.topicPartition().topic()).collect(Collectors.toSet());
    List<Position> all = ledger.positions(syncId);
    String name = (table.schema() + "." + table.table()).replaceAll("[^A-Za-z0-9._-]", "_");
    Set<Position> own =
        matching(
            all,
            position -> {
              String topic = position.topicPartition().topic();
              return topics.contains(topic) || topic.endsWith(name);
            });
    return own.isEmpty() ? Set.copyOf(all) : own;
  }

  private static Set<Position> matching(List<Position> all, Predicate<Position> wanted) {
    return all.stream().filter(wanted).collect(Collectors.toSet());
  }
}
