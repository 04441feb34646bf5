package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.Staged;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.StaleEpochException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one topic partition into the lake, each row exactly once. The ledger's position is the
 * only truth: all open files are entered together with it, and after any doubt everything above it
 * is given up and read again under a new writer epoch. Owned by one thread.
 */
final class PartitionWriter {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionWriter.class);
  private static final Duration QUIET = Duration.ofSeconds(1);
  private static final Duration BETWEEN_BARE_ENTRIES = Duration.ofSeconds(10);
  private static final Duration BEFORE_TAKING_BACK = Duration.ofMinutes(1);

  private enum State {
    /** Ours, but nothing was asked of the ledger yet. */
    ASSIGNED,
    /** Records up to the end of the present call come from before the seek. */
    SEEKING,
    WRITING,
    /** A newer writer has it. */
    TAKEN_OVER
  }

  private final TopicPartition topicPartition;
  private final Lake lake;
  private final FileLedger ledger;
  private final FileOpener opener;
  private final RowIntake intake;
  private final JobCatalogue jobs;
  private final Announcements announcements;
  private final RollPolicy policy;
  private final WriterCounters counters;
  private final Clock clock;
  private final List<OpenFile> files = new ArrayList<>();
  private final List<Sealed> sealed = new ArrayList<>();
  private final RefusedSinceEntry refused = new RefusedSinceEntry();
  private State state = State.ASSIGNED;
  private Position position;
  private Entry entry;
  private boolean entryMayBeIn;
  private long soughtOffset = -1;
  private long nextOffset = -1;
  private Instant enteredAt;
  private Position seenInLedger;

  PartitionWriter(TopicPartition topicPartition, Tools tools) {
    this.topicPartition = topicPartition;
    this.lake = tools.lake();
    this.ledger = tools.lake().book().ledger();
    this.opener = tools.opener();
    this.intake = tools.intake();
    this.jobs = tools.jobs();
    this.announcements = tools.announcements();
    this.policy = tools.policy();
    this.counters = tools.counters();
    this.clock = tools.clock();
    this.enteredAt = clock.instant();
  }

  /** What all writers of a task share. */
  record Tools(
      Lake lake,
      FileOpener opener,
      RowIntake intake,
      JobCatalogue jobs,
      Announcements announcements,
      RollPolicy policy,
      WriterCounters counters,
      Clock clock) {}

  /** A file that is staged and not known to be in the ledger. */
  private record Sealed(OpenFile file, Staged staged) {}

  /** What is to be entered together with the sealed files. */
  private record Entry(long nextOffset, Map<String, Long> refused) {}

  boolean needsClaim() {
    return state == State.ASSIGNED;
  }

  /** Nothing of the present call was written, the records of the next one come from the ledger. */
  boolean isSeeking() {
    return state == State.SEEKING;
  }

  /** Becomes the only writer and seeks to the ledger's position. */
  void claim(RecordPosition records) {
    position = ledger.raiseEpoch(lake.syncId(), topicPartition);
    soughtOffset = position.nextOffset();
    nextOffset = position.nextOffset();
    if (position.nextOffset() < 0) {
      state = State.WRITING;
    } else {
      records.seek(topicPartition, position.nextOffset());
      state = State.SEEKING;
    }
  }

  /**
   * A call went well. What comes now comes from after the seek that it asked for, and no record of
   * it comes again: one below is the first of a topic that was created anew.
   */
  void callSucceeded() {
    if (state == State.SEEKING) {
      state = State.WRITING;
    } else if (state == State.WRITING) {
      soughtOffset = nextOffset;
    }
  }

  void accept(LakeRecord record) {
    if (state != State.WRITING) {
      return;
    }
    settle();
    if (record.offset() < soughtOffset) {
      restart(record.offset());
    }
    if (nextOffset < 0) {
      pin(record.offset());
    }
    if (record.offset() >= nextOffset) {
      intake.take(record, this);
      nextOffset = record.offset() + 1;
      rollIfFull();
    }
  }

  private void rollIfFull() {
    for (OpenFile file : files) {
      if (file.isFull(policy)) {
        roll();
        return;
      }
    }
  }

  /** Writes a row into the file it belongs to. */
  void write(FileTarget target, Schema schema, Struct row, long offset) {
    fileFor(target, schema, offset).write(row, offset);
    counters.rows.increment();
  }

  /** Opens a file that is kept although no row comes. */
  void beginWithoutRows(FileTarget target, Schema schema, long offset) {
    fileFor(target, schema, offset).keepWithoutRows(offset);
  }

  RefusedSinceEntry refused() {
    return refused;
  }

  private OpenFile fileFor(FileTarget target, Schema schema, long offset) {
    for (OpenFile file : files) {
      if (file.takes(target, schema, lake.format())) {
        return file;
      }
    }
    try {
      OpenFile file = opener.open(position, target, schema, offset);
      files.add(file);
      return file;
    } catch (LakexpressDbException failure) {
      // It may be registered all the same; only a new epoch gives the next try another name.
      rewind();
      throw failure;
    }
  }

  /** Rolls what is due by time; called often, also when no record comes. */
  void tick() {
    switch (state) {
      case WRITING -> {
        settle();
        if (isDue()) {
          roll();
        }
      }
      case TAKEN_OVER -> takeBackIfAbandoned();
      case ASSIGNED, SEEKING -> {}
    }
  }

  private boolean isDue() {
    if (files.isEmpty()) {
      return hasProgressed() && !clock.instant().isBefore(enteredAt.plus(BETWEEN_BARE_ENTRIES));
    }
    return files.stream()
        .anyMatch(
            file ->
                file.isDue(policy)
                    || (file.jobId() != null
                        && jobs.isDelivered(file.jobId())
                        && file.isQuietFor(QUIET)));
  }

  private boolean hasProgressed() {
    return nextOffset > position.nextOffset() || !refused.isEmpty();
  }

  /** Enters the position alone where no file is open, so that passed over records stay passed. */
  void enterBarePosition() {
    if (state == State.WRITING && files.isEmpty() && (entry != null || hasProgressed())) {
      roll();
    }
  }

  /** Stages all open files and enters them with the position. */
  void roll() {
    settle();
    if (!hasProgressed()) {
      return;
    }
    announcements.write();
    stageAll();
    entry = new Entry(nextOffset, refused.awaitSafe(topicPartition));
    enter();
  }

  private void stageAll() {
    while (!files.isEmpty()) {
      OpenFile file = files.get(0);
      if (file.isUseless()) {
        opener.discard(file);
      } else {
        sealed.add(new Sealed(file, file.stage()));
      }
      files.remove(0);
    }
  }

  private void enter() {
    List<Staged> staged = sealed.stream().map(Sealed::staged).toList();
    try {
      ledger.enter(lake.syncId(), position, entry.nextOffset(), staged, entry.refused());
    } catch (LakexpressDbException failure) {
      entryMayBeIn = true;
      throw failure;
    }
    entered();
  }

  private void entered() {
    position = at(entry.nextOffset());
    sealed.forEach(each -> counters.entered(each.staged().bytes(), each.file().parts()));
    sealed.clear();
    refused.clear();
    entry = null;
    entryMayBeIn = false;
    enteredAt = clock.instant();
  }

  /** Finds out what became of an entry whose answer was lost, and enters it if it is not in. */
  private void settle() {
    if (entry == null) {
      return;
    }
    Position now =
        inLedger()
            .filter(known -> known.writerEpoch() == position.writerEpoch())
            .orElseThrow(
                () -> new StaleEpochException("a newer writer took the topic partition over"));
    if (now.nextOffset() == entry.nextOffset() && now.nextOffset() != position.nextOffset()) {
      entered();
    } else {
      enter();
    }
  }

  private Optional<Position> inLedger() {
    return ledger.positions(lake.syncId()).stream()
        .filter(known -> known.topicPartition().equals(topicPartition))
        .findFirst();
  }

  private Position at(long offset) {
    return new Position(topicPartition, offset, position.writerEpoch(), position.incarnation());
  }

  /** Makes the start durable before the first file, so that a crash cannot skip records. */
  private void pin(long offset) {
    ledger.enter(lake.syncId(), position, offset, List.of(), Map.of());
    startAt(at(offset));
  }

  /** The topic was deleted and created anew: what is open is the last of the old one. */
  private void restart(long offset) {
    roll();
    LOG.warn(
        "Topic partition {} begins anew at offset {}, below the expected {}:"
            + " the topic was created again. The lake goes on with a new incarnation",
        topicPartition,
        offset,
        soughtOffset);
    startAt(ledger.restart(lake.syncId(), position, offset));
  }

  private void startAt(Position start) {
    position = start;
    soughtOffset = start.nextOffset();
    nextOffset = start.nextOffset();
  }

  /** Gives up everything above the ledger's position; a new epoch reads it again. */
  void rewind() {
    state = State.ASSIGNED;
    discard();
  }

  /** Stops writing: a newer writer has the topic partition. */
  void takenOver(StaleEpochException reason) {
    LOG.warn("Stopped writing {}: {}", topicPartition, reason.getMessage());
    state = State.TAKEN_OVER;
    seenInLedger = null;
    enteredAt = clock.instant();
    discard();
  }

  /**
   * Comes back after a writer that woke up late, raised the epoch and vanished: only if it holds
   * the epoch for a while without writing anything.
   */
  private void takeBackIfAbandoned() {
    Instant now = clock.instant();
    if (now.isBefore(enteredAt.plus(BEFORE_TAKING_BACK))) {
      return;
    }
    enteredAt = now;
    Optional<Position> present = inLedger();
    if (present.isEmpty() || present.get().equals(seenInLedger)) {
      LOG.warn("Taking {} back: its newer writer wrote nothing", topicPartition);
      state = State.ASSIGNED;
    }
    seenInLedger = present.orElse(null);
  }

  /** Discards what is not in the ledger; what may be in it is left to the next epoch's sweep. */
  void discard() {
    files.forEach(opener::discard);
    files.clear();
    if (!entryMayBeIn) {
      sealed.forEach(
          given -> opener.discardStaged(given.file(), new StagingHandle(given.staged().handle())));
    }
    sealed.clear();
    refused.clear();
    entry = null;
    entryMayBeIn = false;
  }

  /** The first offset that is not in the ledger, or -1 if there is none or it is not ours. */
  long safeOffset() {
    return position == null || state == State.TAKEN_OVER || state == State.ASSIGNED
        ? -1
        : position.nextOffset();
  }

  /** Everything that came is in the ledger, and we may say so. */
  boolean hasNothingToDo() {
    return state == State.WRITING && entry == null && files.isEmpty() && !hasProgressed();
  }

  Position position() {
    return position;
  }

  TopicPartition topicPartition() {
    return topicPartition;
  }

  Stream<OpenFile> files() {
    return files.stream();
  }

  boolean isWaiting() {
    return state == State.ASSIGNED || entry != null || !files.isEmpty();
  }
}
