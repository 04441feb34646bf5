package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.Registration;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.FileState;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** Reads and writes {@code export_files} and {@code lake_positions}. */
final class FileRows {
  static final String SELECT = "SELECT f.* FROM export_files f ";
  static final String POSITION = "sync_id = ? AND topic = ? AND topic_partition = ?";

  private FileRows() {}

  static LedgerFile read(Row row) throws SQLException {
    return new LedgerFile(
        row.number("file_id"),
        row.text("sync_id"),
        row.text("path"),
        row.text("job_id"),
        row.table(),
        FileState.parse(row.text("state")),
        row.text("handle"),
        row.number("writer_epoch"),
        row.number("rows"),
        row.number("bytes"),
        new TopicPartition(row.text("topic"), row.integer("topic_partition")),
        row.number("first_offset"),
        row.number("last_offset"),
        row.instant("updated_at"));
  }

  static Position readPosition(Row row) throws SQLException {
    return new Position(
        new TopicPartition(row.text("topic"), row.integer("topic_partition")),
        row.number("next_offset"),
        row.number("writer_epoch"),
        row.integer("incarnation"));
  }

  static Optional<LedgerFile> find(Tx tx, long fileId) throws SQLException {
    return tx.first(SELECT + "WHERE f.file_id = ?", FileRows::read, fileId);
  }

  static Optional<Position> position(Tx tx, String syncId, TopicPartition topicPartition)
      throws SQLException {
    return tx.first(
        "SELECT * FROM lake_positions WHERE " + POSITION,
        FileRows::readPosition,
        syncId,
        topicPartition.topic(),
        topicPartition.partition());
  }

  /** The position, kept locked: no other writer can take the topic partition meanwhile. */
  static Optional<Position> lockPosition(Tx tx, String syncId, TopicPartition topicPartition)
      throws SQLException {
    return tx.lock(
        "*",
        "lake_positions",
        POSITION,
        FileRows::readPosition,
        syncId,
        topicPartition.topic(),
        topicPartition.partition());
  }

  static long insert(Tx tx, String syncId, long writerEpoch, Registration file, Instant now)
      throws SQLException {
    return tx.insertNumbered(
        "file_id",
        "INSERT INTO export_files (sync_id, path, job_id, source_schema, source_table, state,"
            + " handle, writer_epoch, rows, bytes, topic, topic_partition, first_offset,"
            + " last_offset, created_at, updated_at) VALUES ("
            + Tx.marks(16)
            + ")",
        syncId,
        file.path(),
        file.jobId(),
        file.table().schema(),
        file.table().table(),
        FileState.OPEN.text(),
        file.handle(),
        writerEpoch,
        0L,
        0L,
        file.topicPartition().topic(),
        file.topicPartition().partition(),
        file.firstOffset(),
        -1L,
        now,
        now);
  }

  /** Moves a file on if it is in the expected state. */
  static boolean move(Tx tx, long fileId, FileState from, FileState to, Instant now)
      throws SQLException {
    return tx.update(
            "UPDATE export_files SET state = ?, updated_at = ? WHERE file_id = ? AND state = ?",
            to.text(),
            now,
            fileId,
            from.text())
        == 1;
  }
}
