package io.lakexpress.lxdb.jdbc;

import static io.lakexpress.lxdb.jdbc.Refusals.cannot;

import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.Registration;
import io.lakexpress.lxdb.FileLedger.Staged;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.StaleEpochException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the writer of a topic partition does to the ledger, fenced by its epoch. */
final class Writing {
  private final Database database;

  Writing(Database database) {
    this.database = database;
  }

  Position raiseEpoch(String syncId, TopicPartition topicPartition) {
    return database.write(
        "take over " + text(topicPartition),
        tx -> {
          Instant now = tx.now();
          tx.insertIfMissing(
              "lake_positions",
              List.of(
                  "sync_id",
                  "topic",
                  "topic_partition",
                  "next_offset",
                  "writer_epoch",
                  "incarnation",
                  "updated_at"),
              List.of("sync_id", "topic", "topic_partition"),
              syncId,
              topicPartition.topic(),
              topicPartition.partition(),
              -1L,
              0L,
              0,
              now);
          tx.update(
              "UPDATE lake_positions SET writer_epoch = writer_epoch + 1, updated_at = ? WHERE "
                  + FileRows.POSITION,
              now,
              syncId,
              topicPartition.topic(),
              topicPartition.partition());
          return FileRows.position(tx, syncId, topicPartition).orElseThrow();
        });
  }

  Position restart(String syncId, Position current, long nextOffset) {
    TopicPartition topicPartition = current.topicPartition();
    return database.write(
        "restart " + text(topicPartition),
        tx -> {
          lockAsWriter(tx, syncId, topicPartition, current.writerEpoch());
          tx.update(
              "UPDATE lake_positions SET next_offset = ?, incarnation = incarnation + 1,"
                  + " updated_at = ? WHERE "
                  + FileRows.POSITION,
              nextOffset,
              tx.now(),
              syncId,
              topicPartition.topic(),
              topicPartition.partition());
          return FileRows.position(tx, syncId, topicPartition).orElseThrow();
        });
  }

  long register(String syncId, long writerEpoch, Registration registration) {
    return database.write(
        "register file " + registration.path(),
        tx -> {
          lockAsWriter(tx, syncId, registration.topicPartition(), writerEpoch);
          return FileRows.insert(tx, syncId, writerEpoch, registration, tx.now());
        });
  }

  void enter(
      String syncId,
      Position writer,
      long nextOffset,
      Collection<Staged> files,
      Map<String, Long> refusedRows) {
    TopicPartition topicPartition = writer.topicPartition();
    String deed = "enter files of " + text(topicPartition) + " up to offset " + nextOffset;
    database.perform(
        deed,
        tx -> {
          Position present = lockAsWriter(tx, syncId, topicPartition, writer.writerEpoch());
          List<Staged> fresh = fresh(tx, deed, files);
          if (nextOffset == present.nextOffset() && fresh.isEmpty()) {
            // Entered before; only the answer to the writer was lost.
            return;
          }
          if (nextOffset < present.nextOffset()) {
            throw cannot(deed, "the ledger is at offset " + present.nextOffset() + " already");
          }
          Instant now = tx.now();
          enter(tx, fresh, now);
          refuse(tx, refusedRows);
          tx.update(
              "UPDATE lake_positions SET next_offset = ?, updated_at = ? WHERE "
                  + FileRows.POSITION,
              nextOffset,
              now,
              syncId,
              topicPartition.topic(),
              topicPartition.partition());
        });
  }

  /** The files that are still open; files that are staged already were entered before. */
  private static List<Staged> fresh(Tx tx, String deed, Collection<Staged> files)
      throws SQLException {
    List<Staged> fresh = new ArrayList<>();
    for (Staged file : files) {
      Optional<FileState> state = FileRows.find(tx, file.fileId()).map(LedgerFile::state);
      if (state.filter(FileState.OPEN::equals).isPresent()) {
        fresh.add(file);
      } else if (state.isEmpty()
          || state.get() == FileState.DISCARDED
          || state.get() == FileState.LOST) {
        throw cannot(
            deed, "file " + file.fileId() + " is " + state.map(FileState::text).orElse("unknown"));
      }
    }
    return fresh;
  }

  private static void enter(Tx tx, List<Staged> files, Instant now) throws SQLException {
    for (Staged file : files) {
      tx.update(
          "UPDATE export_files SET state = ?, handle = ?, rows = ?, bytes = ?, last_offset = ?,"
              + " updated_at = ? WHERE file_id = ?",
          FileState.STAGED.text(),
          file.handle(),
          file.rows(),
          file.bytes(),
          file.lastOffset(),
          now,
          file.fileId());
    }
  }

  private static void refuse(Tx tx, Map<String, Long> refusedRows) throws SQLException {
    // In one order everywhere, so that two writers cannot block each other.
    for (Map.Entry<String, Long> refused : new TreeMap<>(refusedRows).entrySet()) {
      tx.update(
          "UPDATE export_jobs SET refused_rows = refused_rows + ? WHERE job_id = ?",
          refused.getValue(),
          refused.getKey());
    }
  }

  private static Position lockAsWriter(
      Tx tx, String syncId, TopicPartition topicPartition, long writerEpoch) throws SQLException {
    Optional<Position> present = FileRows.lockPosition(tx, syncId, topicPartition);
    if (present.isEmpty() || present.get().writerEpoch() != writerEpoch) {
      throw new StaleEpochException(
          "Cannot write "
              + text(topicPartition)
              + " with epoch "
              + writerEpoch
              + ": a newer writer has epoch "
              + present.map(Position::writerEpoch).orElse(-1L));
    }
    return present.get();
  }

  private static String text(TopicPartition topicPartition) {
    return "topic partition " + topicPartition.topic() + "-" + topicPartition.partition();
  }
}
