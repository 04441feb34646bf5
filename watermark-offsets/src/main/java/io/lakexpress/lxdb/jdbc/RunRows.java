package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.NewRun;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.TableId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** Reads {@code export_runs} and moves runs on as their jobs move. */
final class RunRows {
  static final String SELECT = "SELECT * FROM export_runs ";

  private RunRows() {}

  static Run read(Row row) throws SQLException {
    return new Run(
        row.text("run_id"),
        row.text("sync_id"),
        row.number("run_number"),
        row.text("trigger_cause"),
        row.instant("started_at"),
        row.instant("opened_at"),
        row.instant("upper_bound"),
        row.text("guard_note"),
        Status.parse(row.text("status")),
        row.instant("closed_at"),
        row.text("error"));
  }

  static Optional<Run> find(Tx tx, String runId) throws SQLException {
    return tx.first(SELECT + "WHERE run_id = ?", RunRows::read, runId);
  }

  static Optional<Run> open(Tx tx, String syncId) throws SQLException {
    return tx.first(SELECT + "WHERE sync_id = ? AND closed_at IS NULL", RunRows::read, syncId);
  }

  static Run insert(Tx tx, NewRun run, Instant now) throws SQLException {
    String runId = UUID.randomUUID().toString();
    long number =
        tx.count(
                "SELECT COALESCE(MAX(run_number), 0) AS n FROM export_runs WHERE sync_id = ?",
                run.syncId())
            + 1;
    tx.update(
        "INSERT INTO export_runs (run_id, sync_id, run_number, trigger_cause, started_at,"
            + " opened_at, upper_bound, guard_note, status) VALUES ("
            + Tx.marks(9)
            + ")",
        runId,
        run.syncId(),
        number,
        run.cause(),
        run.startedAt(),
        now,
        run.upperBound(),
        run.guardNote() == null ? "" : run.guardNote(),
        Status.RUNNING.text());
    return find(tx, runId).orElseThrow();
  }

  /** Closes an open run none of whose jobs is running any more. */
  static void closeIfDone(Tx tx, String runId, Instant now) throws SQLException {
    List<Job> jobs = JobRows.latestOfRun(tx, runId);
    if (jobs.stream().anyMatch(job -> job.status() == Status.RUNNING)) {
      return;
    }
    Optional<String> error = error(jobs);
    tx.update(
        "UPDATE export_runs SET status = ?, error = ?, closed_at = ?"
            + " WHERE run_id = ? AND closed_at IS NULL",
        (error.isPresent() ? Status.FAILED : Status.DELIVERED).text(),
        error.orElse(null),
        now,
        runId);
  }

  /** Fails a closed run because of a job that failed afterwards; an open one waits for its end. */
  static void failClosed(Tx tx, String runId) throws SQLException {
    Optional<String> error = error(JobRows.latestOfRun(tx, runId));
    if (error.isPresent()) {
      tx.update(
          "UPDATE export_runs SET status = ?, error = ?"
              + " WHERE run_id = ? AND closed_at IS NOT NULL",
          Status.FAILED.text(),
          error.get(),
          runId);
    }
  }

  /** Makes a delivered run landed once all its jobs are. */
  static void landIfAllLanded(Tx tx, String runId) throws SQLException {
    tx.update(
        "UPDATE export_runs SET status = ? WHERE run_id = ? AND status = ? AND NOT EXISTS"
            + " (SELECT 1 FROM export_jobs j WHERE j.run_id = export_runs.run_id"
            + " AND j.replaced_by IS NULL AND j.status NOT IN (?, ?))",
        Status.LANDED.text(),
        runId,
        Status.DELIVERED.text(),
        Status.LANDED.text(),
        Status.PUBLISHED.text());
  }

  private static Optional<String> error(List<Job> jobs) {
    SortedSet<TableId> failed =
        jobs.stream()
            .filter(job -> job.status() == Status.FAILED)
            .map(Job::table)
            .collect(Collectors.toCollection(TreeSet::new));
    if (failed.isEmpty()) {
      return Optional.empty();
    }
    long tables = jobs.stream().map(Job::table).distinct().count();
    return Optional.of(
        failed.size()
            + " of "
            + tables
            + " tables failed: "
            + failed.stream().map(TableId::toString).collect(Collectors.joining(", ")));
  }
}
