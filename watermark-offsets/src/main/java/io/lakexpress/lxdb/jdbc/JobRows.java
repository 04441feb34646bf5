package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.NewJob;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.SliceRule;
import io.lakexpress.watermark.TableId;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads and writes {@code export_jobs}. */
final class JobRows {
  static final String COLUMNS = "j.*, r.run_number, r.started_at AS run_started_at";
  static final String FROM = " FROM export_jobs j JOIN export_runs r ON r.run_id = j.run_id ";
  static final String SELECT = "SELECT " + COLUMNS + FROM;

  /** Neither replaced by a later attempt nor given up for good. */
  static final String IN_PLAY = "j.replaced_by IS NULL AND j.abandoned_at IS NULL";

  private static final String ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
  private static final int ID_LENGTH = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private JobRows() {}

  static Job read(Row row) throws SQLException {
    return new Job(
        row.text("job_id"),
        row.text("run_id"),
        row.number("run_number"),
        row.instant("run_started_at"),
        row.text("sync_id"),
        row.table(),
        Slice.parse(row.text("slice")),
        JobMode.parse(row.text("mode")),
        row.text("incremental"),
        row.text("lower_bound"),
        row.text("upper_bound"),
        row.integer("attempt"),
        row.text("owner"),
        Status.parse(row.text("status")),
        row.number("rows"),
        row.number("refused_rows"),
        row.text("error"),
        row.text("replaced_by"),
        row.instant("delivered_at"),
        row.text("slice_rule") == null ? null : SliceRule.parse(row.text("slice_rule")),
        row.text("snapshot"));
  }

  static Optional<Job> find(Tx tx, String jobId) throws SQLException {
    return tx.first(SELECT + "WHERE j.job_id = ?", JobRows::read, jobId);
  }

  /** The job, with its sync's row locked: nobody else changes its status meanwhile. */
  static Optional<Job> findLocked(Tx tx, String jobId) throws SQLException {
    Optional<String> syncId =
        tx.first(
            "SELECT sync_id FROM export_jobs WHERE job_id = ?", row -> row.text("sync_id"), jobId);
    if (syncId.isEmpty()) {
      return Optional.empty();
    }
    SyncRows.lock(tx, syncId.get());
    return find(tx, jobId);
  }

  static List<Job> latestOfRun(Tx tx, String runId) throws SQLException {
    return tx.list(
        SELECT
            + "WHERE j.run_id = ? AND j.replaced_by IS NULL"
            + " ORDER BY j.source_schema, j.source_table, j.slice",
        JobRows::read,
        runId);
  }

  /** The jobs of a table, in run order, that can still become something. */
  static List<Job> inPlay(Tx tx, String syncId, TableId table) throws SQLException {
    return tx.list(
        SELECT
            + "WHERE j.sync_id = ? AND j.source_schema = ? AND j.source_table = ? AND "
            + IN_PLAY
            + " ORDER BY r.run_number, j.slice",
        JobRows::read,
        syncId,
        table.schema(),
        table.table());
  }

  static void insert(Tx tx, String runId, String syncId, List<NewJob> jobs, Instant now)
      throws SQLException {
    tx.batch(
        "INSERT INTO export_jobs (job_id, run_id, sync_id, source_schema, source_table, slice,"
            + " mode, incremental, lower_bound, upper_bound, slice_rule, estimated_rows, attempt,"
            + " status, rows, refused_rows, created_at) VALUES ("
            + Tx.marks(17)
            + ")",
        jobs.stream().map(job -> values(runId, syncId, job, now)).toList());
  }

  private static Object[] values(String runId, String syncId, NewJob job, Instant now) {
    return new Object[] {
      newId(),
      runId,
      syncId,
      job.unit().table().schema(),
      job.unit().table().table(),
      job.unit().slice().toString(),
      job.mode().text(),
      job.unit().incremental(),
      job.lowerBound(),
      job.upperBound(),
      job.sliceRule() == null ? null : job.sliceRule().text(),
      job.unit().estimatedRows(),
      1,
      Status.RUNNING.text(),
      -1L,
      0L,
      now
    };
  }

  /** Writes the next attempt, which takes everything but its progress from the earlier one. */
  static void insertAttempt(
      Tx tx, Job earlier, String jobId, String owner, Instant leaseUntil, Instant now)
      throws SQLException {
    tx.update(
        "INSERT INTO export_jobs (job_id, run_id, sync_id, source_schema, source_table, slice,"
            + " mode, incremental, lower_bound, upper_bound, slice_rule, estimated_rows, attempt,"
            + " owner, lease_until, status, rows, refused_rows, error, created_at, claimed_at)"
            + " SELECT ?, run_id, sync_id, source_schema, source_table, slice, mode, incremental,"
            + " lower_bound, upper_bound, slice_rule, estimated_rows, attempt + 1, ?, ?, status,"
            + " -1, 0, error, ?, ? FROM export_jobs WHERE job_id = ?",
        jobId,
        owner,
        leaseUntil,
        now,
        now,
        earlier.jobId());
  }

  static void fail(Tx tx, String jobId, String error) throws SQLException {
    tx.update(
        "UPDATE export_jobs SET status = ?, error = ?, owner = NULL, lease_until = NULL"
            + " WHERE job_id = ?",
        Status.FAILED.text(),
        error,
        jobId);
  }

  /** Fails a job for good: it can neither be claimed nor delivered nor landed any more. */
  static void abandon(Tx tx, String jobId, String reason, Instant now) throws SQLException {
    fail(tx, jobId, reason);
    tx.update("UPDATE export_jobs SET abandoned_at = ? WHERE job_id = ?", now, jobId);
  }

  static String newId() {
    StringBuilder id = new StringBuilder("j-");
    for (int i = 0; i < ID_LENGTH; i++) {
      id.append(ID_CHARACTERS.charAt(RANDOM.nextInt(ID_CHARACTERS.length())));
    }
    return id.toString();
  }
}
