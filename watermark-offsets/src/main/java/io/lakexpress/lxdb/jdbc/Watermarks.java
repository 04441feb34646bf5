package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.WatermarkBook.Watermark;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.watermark.TableId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads and moves {@code incremental_watermarks} together with their history. Whoever moves one has
 * locked the sync's row.
 */
final class Watermarks {
  static final String ONE = "sync_id = ? AND source_schema = ? AND source_table = ?";

  private Watermarks() {}

  /** Why a watermark moves; run and job are null if none moved it. */
  record Origin(WatermarkCause cause, String runId, String jobId, long rows) {
    /** Not by a run. */
    static Origin of(WatermarkCause cause) {
      return new Origin(cause, null, null, 0);
    }
  }

  static Watermark read(Row row) throws SQLException {
    return new Watermark(
        row.table(),
        row.text("column_name"),
        row.text("column_type"),
        row.text("last_exported_value"),
        row.text("last_landed_value"),
        row.text("last_run_id"),
        row.instant("updated_at"));
  }

  static Optional<Watermark> find(Tx tx, String syncId, TableId table) throws SQLException {
    return tx.first(
        "SELECT * FROM incremental_watermarks WHERE " + ONE,
        Watermarks::read,
        syncId,
        table.schema(),
        table.table());
  }

  static void move(Tx tx, String syncId, WatermarkMove move, Origin origin, Instant now)
      throws SQLException {
    TableId table = move.table();
    Optional<Watermark> present = find(tx, syncId, table);
    tx.insertIfMissing(
        "incremental_watermarks",
        List.of(
            "sync_id", "source_schema", "source_table", "column_name", "column_type", "updated_at"),
        List.of("sync_id", "source_schema", "source_table"),
        syncId,
        table.schema(),
        table.table(),
        move.column(),
        move.type(),
        now);
    tx.update(
        "UPDATE incremental_watermarks SET column_name = ?, column_type = ?,"
            + " last_exported_value = ?, last_run_id = COALESCE(?, last_run_id), updated_at = ?"
            + " WHERE "
            + ONE,
        move.column(),
        move.type(),
        move.value(),
        origin.runId(),
        now,
        syncId,
        table.schema(),
        table.table());
    record(
        tx,
        syncId,
        table,
        present.map(Watermark::lastExportedValue).orElse(null),
        move.value(),
        origin,
        now);
  }

  static void record(
      Tx tx, String syncId, TableId table, String previous, String next, Origin origin, Instant now)
      throws SQLException {
    tx.update(
        "INSERT INTO watermark_history (sync_id, source_schema, source_table, previous_value,"
            + " new_value, run_id, job_id, rows, moved_at, cause) VALUES ("
            + Tx.marks(10)
            + ")",
        syncId,
        table.schema(),
        table.table(),
        previous,
        next,
        origin.runId(),
        origin.jobId(),
        origin.rows(),
        now,
        origin.cause().text());
  }

  /** Whether a job of the same run and table has moved the watermark already. */
  static boolean wasMovedBy(Tx tx, Job job) throws SQLException {
    return tx.count(
            "SELECT COUNT(*) AS n FROM watermark_history WHERE " + ONE + " AND run_id = ?",
            job.syncId(),
            job.table().schema(),
            job.table().table(),
            job.runId())
        > 0;
  }

  /** Moves the landed value; a table whose watermark was forgotten meanwhile stays so. */
  static void land(Tx tx, Job job) throws SQLException {
    if (job.upper().isPresent()) {
      tx.update(
          "UPDATE incremental_watermarks SET last_landed_value = ? WHERE " + ONE,
          job.upperBound(),
          job.syncId(),
          job.table().schema(),
          job.table().table());
    }
  }
}
