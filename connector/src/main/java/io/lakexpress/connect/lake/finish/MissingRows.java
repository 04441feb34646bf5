package io.lakexpress.connect.lake.finish;

import io.lakexpress.lxdb.EventLog;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.RunBook;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells rows that are late from rows that will never come. Silence proves nothing: a task that
 * failed, waits for a service or is paused is silent too. Rows count as missing once
 *
 * <ul>
 *   <li>for the whole patience and under the eyes of this one finisher the job was short, no task
 *       had a file of it open, and no position of its topic moved in the ledger;
 *   <li>a task has read the job's closing record, which follows all its rows;
 *   <li>and after that, and after the whole patience besides, every topic partition of the table
 *       had a live writer that found nothing more to read.
 * </ul>
 *
 * What is missing for a verdict is told now and then, since the run waits for as long.
 */
final class MissingRows {
  private static final Logger LOG = LoggerFactory.getLogger(MissingRows.class);
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(10);
  private static final Duration LONGEST_BETWEEN_LOOKS = Duration.ofSeconds(10);

  private final String syncId;
  private final FileLedger ledger;
  private final RunBook runs;
  private final EventLog log;
  private final Duration patience;
  private final Clock clock;
  private final Map<String, Watch> watches = new HashMap<>();
  private final Map<String, Instant> warnedAt = new HashMap<>();
  private Instant lookedAt = Instant.EPOCH;
  private boolean looks;
  private List<Position> positions;

  MissingRows(String syncId, LakexpressDb book, Duration patience, Clock clock) {
    this.syncId = syncId;
    this.ledger = book.ledger();
    this.runs = book.runs();
    this.log = book.log();
    this.patience = patience;
    this.clock = clock;
  }

  /**
   * What a table's run looked like.
   *
   * @param since by our clock
   * @param ledgerSince by the clock of the LakeXpress DB, to compare with what tasks noted
   */
  private record Watch(
      long ledgerRows,
      Set<Position> positions,
      boolean beingWritten,
      Instant since,
      Instant ledgerSince) {
    boolean showsSame(long rows, Set<Position> now, boolean written) {
      return ledgerRows == rows && positions.equals(now) && beingWritten == written;
    }
  }

  /** A pass begins: from time to time it looks for rows that never come, most leave it be. */
  void beginLook() {
    Instant now = clock.instant();
    Duration shorter = patience.dividedBy(10);
    Duration between =
        shorter.compareTo(LONGEST_BETWEEN_LOOKS) < 0 ? shorter : LONGEST_BETWEEN_LOOKS;
    looks = !now.isBefore(lookedAt.plus(between));
    lookedAt = looks ? now : lookedAt;
    positions = null;
  }

  /** Of the whole sync, asked once per look, however many tables are short. */
  private List<Position> positions() {
    if (positions == null) {
      positions = ledger.positions(syncId);
    }
    return positions;
  }

  /** Whether the rows this table's run is short of will never come. */
  boolean neverCome(TableRun run) {
    if (!looks) {
      return false;
    }
    List<LedgerFile> files =
        run.jobIds().stream().flatMap(job -> ledger.filesOfJob(job).stream()).toList();
    boolean beingWritten = files.stream().anyMatch(file -> file.state() == FileState.OPEN);
    Set<Position> ofTable = TableTopics.positions(run.table(), files, positions());
    Watch watch = watches.get(key(run));
    Instant now = clock.instant();
    if (watch == null || !watch.showsSame(run.ledgerRows(), ofTable, beingWritten)) {
      watches.put(key(run), new Watch(run.ledgerRows(), ofTable, beingWritten, now, runs.now()));
      return false;
    }
    if (now.isBefore(watch.since().plus(patience))) {
      return false;
    }
    Optional<String> doubt = doubt(run, watch);
    doubt.ifPresent(reason -> warn(run, reason));
    return doubt.isEmpty();
  }

  /** Why rows may still come although nothing moves; empty if they cannot. */
  private Optional<String> doubt(TableRun run, Watch watch) {
    if (watch.beingWritten()) {
      return Optional.of("a task has a file of it open and has not finished it; do all tasks run?");
    }
    if (run.announcedAt().isEmpty()) {
      return Optional.of(
          "no task has read its closing record yet; is the runs topic (<topic.prefix>"
              + syncId
              + ".runs) among the topics of the sink, and do its tasks run?");
    }
    if (watch.positions().isEmpty()) {
      return Optional.of(
          "no topic of the table was ever read; is it among the topics of the sink?");
    }
    Instant announced = run.announcedAt().get();
    Instant begun = announced.isAfter(watch.ledgerSince()) ? announced : watch.ledgerSince();
    String behind = behind(watch.positions(), begun.plus(patience));
    return behind.isEmpty()
        ? Optional.empty()
        : Optional.of("these topic partitions are not known to be read to their end: " + behind);
  }

  private String behind(Set<Position> positions, Instant after) {
    Map<TopicPartition, Instant> caughtUp = ledger.caughtUp(syncId);
    return positions.stream()
        .map(Position::topicPartition)
        .filter(each -> !caughtUp.getOrDefault(each, Instant.MIN).isAfter(after))
        .sorted(
            Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition))
        .map(each -> each.topic() + "-" + each.partition())
        .collect(Collectors.joining(", "));
  }

  private void warn(TableRun run, String reason) {
    Instant now = clock.instant();
    Instant last = warnedAt.get(key(run));
    if (last == null || !now.isBefore(last.plus(BETWEEN_WARNINGS))) {
      warnedAt.put(key(run), now);
      String message =
          "Waiting for rows of "
              + run
              + ": "
              + run.rows()
              + " were announced and "
              + run.ledgerRows()
              + " came; "
              + reason;
      LOG.warn("{}", message);
      log.write("WARN", syncId, run.runId(), run.jobIds().get(0), message);
    }
  }

  /** Whether any table has been short for a while, so that it matters whether the store is up. */
  boolean isAnyOlderThan(Duration age) {
    Instant limit = clock.instant().minus(age);
    return watches.values().stream().anyMatch(watch -> !watch.since().isAfter(limit));
  }

  /** Forgets tables that are no longer short. */
  void keepOnly(Collection<TableRun> shortOfRows) {
    Set<String> kept = shortOfRows.stream().map(MissingRows::key).collect(Collectors.toSet());
    watches.keySet().retainAll(kept);
    warnedAt.keySet().retainAll(kept);
  }

  /** Begins to wait anew: something was down meanwhile. */
  void startOver() {
    watches.clear();
  }

  private static String key(TableRun run) {
    return run.runId() + " " + run.table();
  }
}
