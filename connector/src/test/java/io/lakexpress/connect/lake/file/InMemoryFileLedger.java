package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.StaleEpochException;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.TableId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The ledger's rules in memory: epochs, states, what is waiting and what supersedes what. */
final class InMemoryFileLedger implements FileLedger {
  private final InMemoryLakexpressDb db;
  private final Clock clock;
  private final Map<TopicPartition, Position> positions = new LinkedHashMap<>();
  private final Map<Long, LedgerFile> files = new LinkedHashMap<>();
  private final Map<String, List<Column>> columns = new HashMap<>();
  private final Map<String, Instant> announced = new HashMap<>();
  private final Map<TopicPartition, Instant> caughtUp = new HashMap<>();

  InMemoryFileLedger(InMemoryLakexpressDb db, Clock clock) {
    this.db = db;
    this.clock = clock;
  }

  @Override
  public Position raiseEpoch(String syncId, TopicPartition topicPartition) {
    return positions.merge(
        topicPartition,
        new Position(topicPartition, -1, 1, 0),
        (present, first) ->
            new Position(
                topicPartition,
                present.nextOffset(),
                present.writerEpoch() + 1,
                present.incarnation()));
  }

  @Override
  public Position restart(String syncId, Position current, long nextOffset) {
    Position present = asWriter(current.topicPartition(), current.writerEpoch());
    Position next =
        new Position(
            present.topicPartition(), nextOffset, present.writerEpoch(), present.incarnation() + 1);
    positions.put(next.topicPartition(), next);
    return next;
  }

  @Override
  public List<Position> positions(String syncId) {
    return List.copyOf(positions.values());
  }

  @Override
  public long register(String syncId, long writerEpoch, Registration registration) {
    asWriter(registration.topicPartition(), writerEpoch);
    long fileId = files.size() + 1L;
    files.put(
        fileId,
        new LedgerFile(
            fileId,
            syncId,
            registration.path(),
            registration.jobId(),
            registration.table(),
            FileState.OPEN,
            registration.handle(),
            writerEpoch,
            0,
            0,
            registration.topicPartition(),
            registration.firstOffset(),
            -1,
            clock.instant()));
    return fileId;
  }

  @Override
  public void enter(
      String syncId,
      Position writer,
      long nextOffset,
      Collection<Staged> entered,
      Map<String, Long> refusedRows) {
    Position present = asWriter(writer.topicPartition(), writer.writerEpoch());
    List<Staged> fresh =
        entered.stream()
            .filter(file -> files.get(file.fileId()).state() == FileState.OPEN)
            .toList();
    if (nextOffset == present.nextOffset() && fresh.isEmpty()) {
      return;
    }
    if (entered.stream().anyMatch(each -> isGivenUp(files.get(each.fileId()).state()))) {
      throw refused("a file was discarded");
    }
    if (nextOffset < present.nextOffset()) {
      throw refused("the ledger is at offset " + present.nextOffset() + " already");
    }
    for (Staged file : fresh) {
      LedgerFile open = files.get(file.fileId());
      files.put(
          file.fileId(),
          new LedgerFile(
              open.fileId(),
              open.syncId(),
              open.path(),
              open.jobId(),
              open.table(),
              FileState.STAGED,
              file.handle(),
              open.writerEpoch(),
              file.rows(),
              file.bytes(),
              open.topicPartition(),
              open.firstOffset(),
              file.lastOffset(),
              clock.instant()));
    }
    refusedRows.forEach(db::refuse);
    positions.put(
        writer.topicPartition(),
        new Position(
            writer.topicPartition(), nextOffset, present.writerEpoch(), present.incarnation()));
  }

  private static boolean isGivenUp(FileState state) {
    return state == FileState.DISCARDED || state == FileState.LOST;
  }

  private Position asWriter(TopicPartition topicPartition, long writerEpoch) {
    Position present = positions.get(topicPartition);
    if (present == null || present.writerEpoch() != writerEpoch) {
      throw new StaleEpochException("Cannot write " + topicPartition + ": a newer writer has it");
    }
    return present;
  }

  private static LakexpressDbException refused(String reason) {
    return new LakexpressDbException(
        "Cannot do that: " + reason, null, LakexpressDbException.Kind.LASTING);
  }

  @Override
  public void discard(long fileId) {
    move(fileId, Set.of(FileState.OPEN, FileState.STAGED), FileState.DISCARDED, Set.of());
  }

  @Override
  public void markPublished(long fileId) {
    move(
        fileId,
        Set.of(FileState.STAGED),
        FileState.PUBLISHED,
        Set.of(FileState.SUPERSEDED, FileState.DELETED));
  }

  @Override
  public void markLost(long fileId) {
    move(fileId, Set.of(FileState.STAGED, FileState.PUBLISHED), FileState.LOST, Set.of());
  }

  @Override
  public void markDeleted(long fileId) {
    move(fileId, Set.of(FileState.SUPERSEDED), FileState.DELETED, Set.of());
  }

  private void move(long fileId, Set<FileState> from, FileState to, Set<FileState> beyond) {
    LedgerFile file = files.get(fileId);
    if (from.contains(file.state())) {
      files.put(
          fileId,
          new LedgerFile(
              fileId,
              file.syncId(),
              file.path(),
              file.jobId(),
              file.table(),
              to,
              file.handle(),
              file.writerEpoch(),
              file.rows(),
              file.bytes(),
              file.topicPartition(),
              file.firstOffset(),
              file.lastOffset(),
              clock.instant()));
    } else if (file.state() != to && !beyond.contains(file.state())) {
      throw refused("file " + file.path() + " is " + file.state() + ", not to become " + to);
    }
  }

  private List<LedgerFile> matching(Predicate<LedgerFile> wanted) {
    return files.values().stream().filter(wanted).toList();
  }

  private boolean isStale(LedgerFile file) {
    return file.writerEpoch() < positions.get(file.topicPartition()).writerEpoch();
  }

  @Override
  public List<LedgerFile> staleOpenFiles(String syncId) {
    return matching(file -> file.state() == FileState.OPEN && isStale(file));
  }

  @Override
  public List<LedgerFile> orphanedFiles(String syncId) {
    return matching(
        file ->
            file.jobId() != null
                && (isGone(db.job(file.jobId()))
                    ? file.state() == FileState.STAGED
                        || file.state() == FileState.PUBLISHED
                        || (file.state() == FileState.OPEN && isStale(file))
                    : file.state() == FileState.STAGED
                        && db.job(file.jobId()).status() == Status.LANDED));
  }

  private static boolean isGone(Job job) {
    return job.isReplaced() || (job.status() == Status.FAILED && job.deliveredAt() != null);
  }

  @Override
  public List<LedgerFile> filesOfJob(String jobId) {
    return matching(file -> jobId.equals(file.jobId()));
  }

  @Override
  public List<LedgerFile> stagedWithoutJob(String syncId) {
    return matching(file -> file.jobId() == null && file.state() == FileState.STAGED);
  }

  @Override
  public List<LedgerFile> publishedFiles(String syncId, TableId table) {
    return matching(file -> file.table().equals(table) && file.state() == FileState.PUBLISHED);
  }

  @Override
  public List<LedgerFile> supersededFiles(String syncId, Duration retention) {
    Instant before = clock.instant().minus(retention);
    return matching(
        file -> file.state() == FileState.SUPERSEDED && !file.updatedAt().isAfter(before));
  }

  @Override
  public List<Waiting> waiting(String syncId) {
    return db.jobs.values().stream()
        .filter(job -> job.status() == Status.DELIVERED && !job.isReplaced())
        .sorted(
            Comparator.comparingLong(Job::runNumber)
                .thenComparing(Job::table)
                .thenComparing(Job::slice))
        .map(job -> new Waiting(job, ledgerRows(job), announced.get(job.jobId())))
        .toList();
  }

  private long ledgerRows(Job job) {
    return job.refusedRows()
        + filesOfJob(job.jobId()).stream()
            .filter(file -> file.state() == FileState.STAGED || file.state() == FileState.PUBLISHED)
            .mapToLong(LedgerFile::rows)
            .sum();
  }

  @Override
  public void noteAnnounced(String syncId, Collection<String> jobIds) {
    jobIds.forEach(jobId -> announced.putIfAbsent(jobId, clock.instant()));
  }

  @Override
  public void noteCaughtUp(String syncId, Collection<Position> writers) {
    for (Position writer : writers) {
      Position present = positions.get(writer.topicPartition());
      if (present != null && present.writerEpoch() == writer.writerEpoch()) {
        caughtUp.put(writer.topicPartition(), clock.instant());
      }
    }
  }

  @Override
  public Map<TopicPartition, Instant> caughtUp(String syncId) {
    return Map.copyOf(caughtUp);
  }

  @Override
  public List<Job> deliveredAmong(Collection<String> jobIds) {
    return jobIds.stream()
        .map(db::job)
        .filter(job -> job.deliveredAt() != null && !job.isReplaced())
        .toList();
  }

  @Override
  public List<LedgerFile> land(Collection<String> jobIds) {
    List<LedgerFile> superseded = new ArrayList<>();
    for (String jobId : jobIds) {
      Job job = db.job(jobId);
      if (job.status() == Status.FAILED || job.status() == Status.RUNNING) {
        throw refused("job " + jobId + " is " + job.status());
      }
      if (job.status() == Status.DELIVERED && isOvertaken(job)) {
        throw refused("a later export has landed");
      }
      db.end(jobId, Status.LANDED, null);
      if (job.mode().replacesPredecessors()) {
        for (LedgerFile file : publishedFiles(job.syncId(), job.table())) {
          if (file.jobId() != null && db.job(file.jobId()).runNumber() < job.runNumber()) {
            move(file.fileId(), Set.of(FileState.PUBLISHED), FileState.SUPERSEDED, Set.of());
            superseded.add(files.get(file.fileId()));
          }
        }
      }
    }
    return superseded;
  }

  @Override
  public void failLanding(String jobId, String reason) {
    if (db.job(jobId).status() == Status.DELIVERED) {
      db.end(jobId, Status.FAILED, reason);
    }
  }

  @Override
  public boolean isOvertaken(Job job) {
    return db.jobs.values().stream()
        .anyMatch(
            later ->
                later.table().equals(job.table())
                    && later.status() == Status.LANDED
                    && later.mode().replacesPredecessors()
                    && later.runNumber() > job.runNumber());
  }

  @Override
  public void recordColumns(String jobId, List<Column> recorded) {
    List<Column> known = new ArrayList<>(columns(jobId));
    known.addAll(Column.added(known, recorded));
    columns.put(jobId, known);
  }

  @Override
  public List<Column> columns(String jobId) {
    return columns.getOrDefault(jobId, List.of());
  }

  @Override
  public Optional<LedgerFile> publishedFile(String syncId, String path) {
    return matching(file -> file.path().equals(path) && file.state() == FileState.PUBLISHED)
        .stream()
        .findFirst();
  }
}
