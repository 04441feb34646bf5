package io.lakexpress.lxdb;

import io.lakexpress.watermark.TableId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which files make up the lake, and how far each topic partition is in it. One transaction per
 * call; positions and files are guarded by the writer epoch. Thread-safe.
 */
public interface FileLedger {
  /** A topic partition as the topic is named in Kafka, before any transform renamed it. */
  record TopicPartition(String topic, int partition) {}

  /**
   * Where a topic partition stands.
   *
   * @param nextOffset the first offset that is not in the ledger; -1 if none ever was
   * @param writerEpoch the epoch of the last writer
   * @param incarnation counts re-creations of the topic, from 0
   */
  record Position(
      TopicPartition topicPartition, long nextOffset, long writerEpoch, int incarnation) {}

  /** A file of the ledger; {@code jobId} is null for topics that carry no jobs. */
  record LedgerFile(
      long fileId,
      String syncId,
      String path,
      String jobId,
      TableId table,
      FileState state,
      String handle,
      long writerEpoch,
      long rows,
      long bytes,
      TopicPartition topicPartition,
      long firstOffset,
      long lastOffset,
      Instant updatedAt) {}

  /** A file to be registered before its first byte. */
  record Registration(
      String path,
      String jobId,
      TableId table,
      String handle,
      TopicPartition topicPartition,
      long firstOffset) {}

  /** A staged file to be entered. */
  record Staged(long fileId, String handle, long rows, long bytes, long lastOffset) {}

  /** One column of a job, for {@code export_columns}. */
  record Column(
      String name, int ordinal, String sourceType, String connectType, String parquetType) {
    private Column at(int place) {
      return new Column(name, place, sourceType, connectType, parquetType);
    }

    /** Those of {@code found} that are not among the known, by name and types, behind the known. */
    public static List<Column> added(List<Column> known, List<Column> found) {
      int place = 0;
      Set<Column> seen = new HashSet<>();
      for (Column column : known) {
        place = Math.max(place, column.ordinal());
        seen.add(column.at(0));
      }
      List<Column> added = new ArrayList<>();
      for (Column column : found) {
        if (seen.add(column.at(0))) {
          place++;
          added.add(column.at(place));
        }
      }
      return added;
    }
  }

  /**
   * Becomes the only writer of a topic partition: raises its epoch.
   *
   * @return the position to seek to
   */
  Position raiseEpoch(String syncId, TopicPartition topicPartition);

  /**
   * Restarts a re-created topic partition: a new incarnation and {@code nextOffset}, if the epoch
   * is current.
   */
  Position restart(String syncId, Position current, long nextOffset);

  List<Position> positions(String syncId);

  /**
   * Registers a file that is about to be written.
   *
   * @return its file id
   * @throws StaleEpochException if a newer writer took the topic partition
   */
  long register(String syncId, long writerEpoch, Registration registration);

  /**
   * Enters all staged files of a topic partition and its next offset together.
   *
   * @param refusedRows rows refused to the dead letter queue since the last call, by job id
   * @throws StaleEpochException if a newer writer took the topic partition; nothing was entered
   */
  void enter(
      String syncId,
      Position writer,
      long nextOffset,
      Collection<Staged> files,
      Map<String, Long> refusedRows);

  /** Notes that a registered or staged file will never be part of the lake. */
  void discard(long fileId);

  /** Registered files whose writer epoch is stale: what a sweep may remove from the store. */
  List<LedgerFile> staleOpenFiles(String syncId);

  /**
   * Files that are not, or must not stay, part of the lake: those of replaced or abandoned jobs
   * that nobody is writing, and those that came after their job had landed.
   */
  List<LedgerFile> orphanedFiles(String syncId);

  List<LedgerFile> filesOfJob(String jobId);

  /** Staged files that belong to no job: published as soon as they are in the ledger. */
  List<LedgerFile> stagedWithoutJob(String syncId);

  /** The files that make up the table now. */
  List<LedgerFile> publishedFiles(String syncId, TableId table);

  /** Superseded files last changed at least {@code retention} ago. */
  List<LedgerFile> supersededFiles(String syncId, Duration retention);

  /**
   * Jobs that wait to land: the latest attempts with status delivered (also of failed runs), in run
   * order; with the rows the ledger has of each (refused rows included).
   */
  List<Waiting> waiting(String syncId);

  /**
   * A delivered job and how many of its rows the ledger holds.
   *
   * @param announcedAt when a sink first read the job's closing record, by the database's clock;
   *     null if none did yet
   */
  record Waiting(Job job, long ledgerRows, Instant announcedAt) {
    public boolean isComplete() {
      return ledgerRows == job.rows();
    }
  }

  /**
   * Notes that the closing records of these jobs were read from the topic; the first time counts.
   * Ids that the sync does not know are passed over.
   */
  void noteAnnounced(String syncId, Collection<String> jobIds);

  /**
   * Notes that the writers of these positions found nothing more to read just now. Passes over
   * those whose epoch is no longer current.
   */
  void noteCaughtUp(String syncId, Collection<Position> writers);

  /**
   * When the writers of topic partitions last found nothing more to read, by the database's clock;
   * without those that never did.
   */
  Map<TopicPartition, Instant> caughtUp(String syncId);

  /** Of the given jobs, those delivered: their files can be entered at once. */
  List<Job> deliveredAmong(Collection<String> jobIds);

  void markPublished(long fileId);

  void markLost(long fileId);

  void markDeleted(long fileId);

  /**
   * Makes jobs part of the lake in one transaction: their files are published already; they become
   * landed, the table's last landed watermark moves, older published files of the table are
   * superseded where the mode replaces them, and the run becomes landed when all its jobs are.
   * Idempotent. Refused if a later job that replaces predecessors has landed for the table already.
   *
   * @return the files superseded by this call
   */
  List<LedgerFile> land(Collection<String> jobIds);

  /**
   * Fails a delivered job that can never become whole, with the reason; its files will be
   * discarded.
   */
  void failLanding(String jobId, String reason);

  /** Whether a later job that replaces predecessors has landed for the table already. */
  boolean isOvertaken(Job job);

  /**
   * Adds to the columns on record of a job those that are not there yet. A column whose type
   * changed within the job is there once with each.
   */
  void recordColumns(String jobId, List<Column> columns);

  /** The columns of a job in order. */
  List<Column> columns(String jobId);

  /** The published file of a path, if there is one. */
  Optional<LedgerFile> publishedFile(String syncId, String path);
}
