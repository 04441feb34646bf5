package io.lakexpress.lxdb.jdbc;

import static io.lakexpress.lxdb.jdbc.Refusals.cannot;

import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Waiting;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Status;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How delivered jobs become part of the lake. */
final class Landing {
  private static final String LEDGER_ROWS =
      "(SELECT COALESCE(SUM(f.rows), 0) FROM export_files f WHERE f.job_id = j.job_id"
          + " AND f.state IN ('staged', 'published')) + j.refused_rows AS ledger_rows";

  private final Database database;

  Landing(Database database) {
    this.database = database;
  }

  List<Waiting> waiting(String syncId) {
    return database.read(
        "list what waits to land of sync " + syncId,
        tx ->
            tx.list(
                "SELECT "
                    + JobRows.COLUMNS
                    + ", "
                    + LEDGER_ROWS
                    + JobRows.FROM
                    + "WHERE j.sync_id = ? AND j.status = ? AND "
                    + JobRows.IN_PLAY
                    + " ORDER BY r.run_number, j.source_schema, j.source_table, j.slice",
                row ->
                    new Waiting(
                        JobRows.read(row), row.number("ledger_rows"), row.instant("announced_at")),
                syncId,
                Status.DELIVERED.text()));
  }

  List<LedgerFile> land(Collection<String> jobIds) {
    if (jobIds.isEmpty()) {
      return List.of();
    }
    return database.write(
        "land jobs " + String.join(", ", jobIds),
        tx -> {
          List<Job> jobs = new ArrayList<>();
          for (String jobId : jobIds) {
            Job job = landable(tx, jobId);
            if (job.status() == Status.DELIVERED && isOvertaken(tx, job)) {
              throw cannot("land job " + jobId, "a later export of its table has landed");
            }
            jobs.add(job);
          }
          Instant now = tx.now();
          for (Job job : jobs) {
            tx.update(
                "UPDATE export_jobs SET status = ?, landed_at = ? WHERE job_id = ? AND status = ?",
                Status.LANDED.text(),
                now,
                job.jobId(),
                Status.DELIVERED.text());
          }
          List<LedgerFile> superseded = new ArrayList<>();
          for (Job job : jobs) {
            superseded.addAll(supersede(tx, job, Set.copyOf(jobIds), now));
            if (isWholeTableLanded(tx, job) && !hasLaterLanded(tx, job, "")) {
              Watermarks.land(tx, job);
            }
            RunRows.landIfAllLanded(tx, job.runId());
          }
          return List.copyOf(superseded);
        });
  }

  private static Job landable(Tx tx, String jobId) throws SQLException {
    Job job =
        JobRows.findLocked(tx, jobId)
            .orElseThrow(() -> cannot("land job " + jobId, "the LakeXpress DB does not know it"));
    boolean mayLand =
        switch (job.status()) {
          case DELIVERED, LANDED, PUBLISHED -> !job.isReplaced();
          case RUNNING, FAILED -> false;
        };
    if (!mayLand) {
      throw cannot("land job " + jobId, "it is " + job.status().text());
    }
    return job;
  }

  /** Takes the place of the files that earlier runs left; files of no run are not ours to judge. */
  private static List<LedgerFile> supersede(Tx tx, Job job, Set<String> landed, Instant now)
      throws SQLException {
    if (!job.mode().replacesPredecessors()) {
      return List.of();
    }
    // The jobs of pruned runs are gone: those were earlier ones.
    List<LedgerFile> earlier =
        tx.list(
            FileRows.SELECT
                + "LEFT JOIN export_jobs j ON j.job_id = f.job_id"
                + " LEFT JOIN export_runs r ON r.run_id = j.run_id"
                + " WHERE f.sync_id = ? AND f.source_schema = ? AND f.source_table = ?"
                + " AND f.state = 'published' AND f.job_id IS NOT NULL"
                + " AND (r.run_number IS NULL OR r.run_number < ?) ORDER BY f.file_id",
            FileRows::read,
            job.syncId(),
            job.table().schema(),
            job.table().table(),
            job.runNumber());
    List<LedgerFile> superseded = new ArrayList<>();
    for (LedgerFile file : earlier) {
      if (!landed.contains(file.jobId())
          && FileRows.move(tx, file.fileId(), FileState.PUBLISHED, FileState.SUPERSEDED, now)) {
        superseded.add(FileRows.find(tx, file.fileId()).orElseThrow());
      }
    }
    return superseded;
  }

  private static boolean isWholeTableLanded(Tx tx, Job job) throws SQLException {
    return tx.count(
            "SELECT COUNT(*) AS n FROM export_jobs WHERE run_id = ? AND source_schema = ?"
                + " AND source_table = ? AND replaced_by IS NULL AND landed_at IS NULL",
            job.runId(),
            job.table().schema(),
            job.table().table())
        == 0;
  }

  private static boolean hasLaterLanded(Tx tx, Job job, String condition) throws SQLException {
    return tx.count(
            "SELECT COUNT(*) AS n FROM export_jobs j"
                + " JOIN export_runs r ON r.run_id = j.run_id"
                + " WHERE j.sync_id = ? AND j.source_schema = ? AND j.source_table = ?"
                + " AND j.landed_at IS NOT NULL AND r.run_number > ?"
                + condition,
            job.syncId(),
            job.table().schema(),
            job.table().table(),
            job.runNumber())
        > 0;
  }

  void failLanding(String jobId, String reason) {
    database.perform(
        "record that job " + jobId + " cannot land",
        tx -> {
          Optional<Job> job = JobRows.findLocked(tx, jobId);
          if (job.isPresent()
              && job.get().status() == Status.DELIVERED
              && !job.get().isReplaced()) {
            Abandonment.abandon(tx, List.of(job.get()), reason, tx.now());
          }
        });
  }

  boolean isOvertaken(Job job) {
    return database.read(
        "look for later exports of table " + job.table(), tx -> isOvertaken(tx, job));
  }

  private static boolean isOvertaken(Tx tx, Job job) throws SQLException {
    return hasLaterLanded(tx, job, " AND j.mode IN ('full', 'first-sync')");
  }
}
