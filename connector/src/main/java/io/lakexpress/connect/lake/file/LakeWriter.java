package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.StaleEpochException;
import io.lakexpress.lxdb.SyncBook.Owner;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the topic partitions of one task into the lake: rows into open files, files through
 * registering and staging into the ledger. It publishes nothing. Owned by one thread.
 *
 * <p>{@link #put} must be called again with the same records after it threw {@link
 * RetryLaterException}, and now and then with none, so that files roll by time.
 */
public final class LakeWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LakeWriter.class);
  private static final Duration WHILE_FILES_ARE_OPEN = Duration.ofSeconds(1);
  private static final Duration BETWEEN_NOTES = Duration.ofMinutes(1);

  private final Lake lake;
  private final RecordPosition records;
  private final MemoryBudget.Share memory;
  private final FileOpener opener;
  private final JobCatalogue jobs;
  private final Announcements announcements;
  private final CaughtUp caughtUp;
  private final WriterCounters counters = new WriterCounters();
  private final Clock clock;
  private final PartitionWriter.Tools tools;
  private final Map<TopicPartition, PartitionWriter> partitions = new LinkedHashMap<>();
  private final Backoff backoff = new Backoff();
  private Instant notedAt = Instant.EPOCH;

  public LakeWriter(
      Lake lake,
      WriterSettings settings,
      MemoryBudget budget,
      RecordPosition records,
      RefusedRows refusedRows,
      Clock clock) {
    this.lake = lake;
    this.records = records;
    this.clock = clock;
    this.memory = budget.join();
    this.opener = new FileOpener(lake, memory, clock);
    this.jobs = new JobCatalogue(lake.syncId(), lake.book().runs(), lake.book().ledger(), clock);
    this.announcements = new Announcements(lake.syncId(), lake.book().ledger());
    this.caughtUp =
        new CaughtUp(lake.syncId(), lake.book().ledger(), settings.missingRows(), clock);
    this.tools =
        new PartitionWriter.Tools(
            lake,
            opener,
            new RowIntake(jobs, announcements, refusedRows, settings.nullValues(), counters),
            jobs,
            announcements,
            settings.roll(),
            counters,
            clock);
  }

  /** Remembers topic partitions that are ours from now on; asks nothing of any service. */
  public void assign(Collection<TopicPartition> assigned) {
    revoke(assigned);
    assigned.forEach(each -> partitions.put(each, new PartitionWriter(each, tools)));
    records.wakeWithin(WHILE_FILES_ARE_OPEN);
  }

  /** Gives up what is not in the ledger of these topic partitions, and of no others. */
  public void revoke(Collection<TopicPartition> revoked) {
    revoked.stream()
        .map(partitions::remove)
        .filter(Objects::nonNull)
        .forEach(PartitionWriter::discard);
    counters.nowOpen(openFiles());
  }

  private OpenFiles openFiles() {
    return OpenFiles.of(partitions.values().stream().flatMap(PartitionWriter::files));
  }

  /**
   * Takes the next records, and does what is due by time.
   *
   * @throws RetryLaterException if a service is down
   * @throws UnusableRecordException if a record cannot be taken whatever one tries
   * @throws StorageException if the store refuses for good
   * @throws LakexpressDbException if the LakeXpress DB refuses for good
   */
  public void put(Iterable<LakeRecord> batch) {
    try {
      take(batch);
    } catch (RuntimeException failure) {
      caughtUp.startOver();
      throw failure;
    } finally {
      counters.nowOpen(openFiles());
    }
    // A call that only goes back to the ledger proves nothing about what failed before it.
    if (partitions.values().stream().noneMatch(PartitionWriter::isSeeking)) {
      backoff.succeeded();
    }
    partitions.values().forEach(PartitionWriter::callSucceeded);
    boolean waiting = partitions.values().stream().anyMatch(PartitionWriter::isWaiting);
    Duration idle = caughtUp.quiet();
    records.wakeWithin(
        waiting && WHILE_FILES_ARE_OPEN.compareTo(idle) < 0 ? WHILE_FILES_ARE_OPEN : idle);
  }

  private void take(Iterable<LakeRecord> batch) {
    try {
      caughtUp.callBegins();
      claim();
      batch.forEach(this::accept);
      announcements.write();
      refreshJobs();
      for (PartitionWriter partition : partitions.values()) {
        guarded(partition, PartitionWriter::tick);
      }
      caughtUp.callEnds(partitions.values());
    } catch (StorageException failure) {
      throw failure.isRetriable() ? retry(failure) : failure;
    } catch (LakexpressDbException failure) {
      throw failure.isRetriable() ? retry(failure) : failure;
    }
  }

  private RetryLaterException retry(RuntimeException failure) {
    counters.retries.increment();
    return new RetryLaterException(failure.getMessage(), failure, backoff.failed());
  }

  private void claim() {
    List<PartitionWriter> unclaimed =
        partitions.values().stream().filter(PartitionWriter::needsClaim).toList();
    if (!unclaimed.isEmpty()) {
      requireLakeSide();
      unclaimed.forEach(partition -> partition.claim(records));
      Set<TopicPartition> ours =
          unclaimed.stream().map(PartitionWriter::topicPartition).collect(Collectors.toSet());
      opener.sweep(ours);
    }
  }

  /** Connect runs the tasks of a second lake sink too, whose connector was refused. */
  private void requireLakeSide() {
    Optional<Owner> other =
        lake.book()
            .syncs()
            .owner(lake.syncId(), Role.LAKE)
            .filter(owner -> owner.alive() && !owner.connector().equals(lake.connector()));
    if (other.isPresent()) {
      throw new RetryLaterException(
          "Cannot write rows of sync '"
              + lake.syncId()
              + "': connector '"
              + other.get().connector()
              + "' is its lake sink",
          null,
          backoff.failed());
    }
  }

  private void accept(LakeRecord record) {
    PartitionWriter partition = partitions.get(record.topicPartition());
    if (partition == null) {
      throw new IllegalStateException(
          "Cannot write record " + record.place() + ": its topic partition was not assigned");
    }
    caughtUp.brought(record.topicPartition());
    guarded(partition, writer -> writer.accept(record));
    while (memory.mustGive()) {
      rollLargest();
    }
  }

  private void rollLargest() {
    PartitionWriter largest =
        partitions.values().stream()
            .max(Comparator.comparingLong(LakeWriter::largestFile))
            .orElseThrow();
    Instant now = clock.instant();
    if (!now.isBefore(notedAt.plus(BETWEEN_NOTES))) {
      notedAt = now;
      LOG.info(
          "Open files have reached the memory budget (lake.memory.bytes): rolling {} early,"
              + " this task holds {} bytes",
          largest.topicPartition(),
          memory.held());
    }
    counters.earlyRolls.increment();
    guarded(largest, PartitionWriter::roll);
  }

  private static long largestFile(PartitionWriter partition) {
    return partition.files().mapToLong(OpenFile::heldBytes).max().orElse(0);
  }

  private void refreshJobs() {
    Set<String> open =
        partitions.values().stream()
            .flatMap(PartitionWriter::files)
            .map(OpenFile::jobId)
            .filter(Objects::nonNull)
            .collect(Collectors.toSet());
    jobs.refresh(open);
  }

  private static void guarded(PartitionWriter partition, Consumer<PartitionWriter> step) {
    try {
      step.accept(partition);
    } catch (StaleEpochException newerWriter) {
      partition.takenOver(newerWriter);
    } catch (StorageException failure) {
      partition.rewind();
      throw failure;
    }
  }

  /**
   * How far each topic partition is in the ledger; without those that never were or that a newer
   * writer has. Never fails: a LakeXpress DB that is down leaves the positions where they are.
   */
  public Map<TopicPartition, Long> safeOffsets() {
    enterBarePositions();
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (PartitionWriter partition : partitions.values()) {
      if (partition.safeOffset() >= 0) {
        offsets.put(partition.topicPartition(), partition.safeOffset());
      }
    }
    return offsets;
  }

  /** Stops at the first failure: a database that is down makes every partition wait for long. */
  private void enterBarePositions() {
    try {
      partitions.values().forEach(each -> guarded(each, PartitionWriter::enterBarePosition));
    } catch (RuntimeException later) {
      // The frame would seek back by itself; the next put meets the same trouble and reports it.
      LOG.debug("Positions are entered later", later);
    }
  }

  public WriterCounters counters() {
    return counters;
  }

  /** What it does and has done; may be asked by any thread. */
  public WriterFigures figures() {
    return counters.at(clock.instant());
  }

  @Override
  public void close() {
    try {
      revoke(List.copyOf(partitions.keySet()));
    } finally {
      memory.close();
    }
  }
}
