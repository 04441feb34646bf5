package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Status;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The snapshots that the slices of an export share. */
final class Snapshots {
  private final Database database;

  Snapshots(Database database) {
    this.database = database;
  }

  void note(String jobId, String snapshot) {
    database.perform(
        "note the snapshot of job " + jobId,
        tx -> {
          Optional<Job> job = JobRows.findLocked(tx, jobId).filter(found -> !found.isReplaced());
          if (job.isPresent()) {
            tx.update(
                "UPDATE export_jobs SET snapshot = ? WHERE run_id = ? AND source_schema = ?"
                    + " AND source_table = ? AND replaced_by IS NULL",
                snapshot,
                job.get().runId(),
                job.get().table().schema(),
                job.get().table().table());
          }
        });
  }

  Optional<Job> newAttempts(String jobId, String reason) {
    return database.write(
        "begin new attempts of all slices beside job " + jobId,
        tx -> {
          Optional<Job> job = JobRows.findLocked(tx, jobId).filter(found -> !found.isReplaced());
          return job.isPresent() ? newAttempts(tx, job.get(), reason) : Optional.empty();
        });
  }

  private static Optional<Job> newAttempts(Tx tx, Job job, String reason) throws SQLException {
    List<Job> slices =
        JobRows.latestOfRun(tx, job.runId()).stream()
            .filter(one -> one.table().equals(job.table()))
            .toList();
    boolean isWhole = slices.stream().allMatch(one -> one.deliveredAt() != null);
    if (isWhole || isAnyGivenUp(tx, job)) {
      return Optional.empty();
    }
    Instant now = tx.now();
    Optional<Job> own = Optional.empty();
    for (Job slice : slices) {
      String nextId = JobRows.newId();
      JobRows.insertAttempt(tx, slice, nextId, null, null, now);
      if (slice.status() != Status.FAILED) {
        tx.update(
            "UPDATE export_jobs SET status = ?, claimed_at = NULL WHERE job_id = ?",
            Status.RUNNING.text(),
            nextId);
      }
      JobRows.fail(tx, slice.jobId(), reason);
      tx.update("UPDATE export_jobs SET replaced_by = ? WHERE job_id = ?", nextId, slice.jobId());
      if (slice.jobId().equals(job.jobId())) {
        own = JobRows.find(tx, nextId);
      }
    }
    return own;
  }

  private static boolean isAnyGivenUp(Tx tx, Job job) throws SQLException {
    return tx.count(
            "SELECT COUNT(*) AS n FROM export_jobs WHERE run_id = ? AND source_schema = ?"
                + " AND source_table = ? AND replaced_by IS NULL AND abandoned_at IS NOT NULL",
            job.runId(),
            job.table().schema(),
            job.table().table())
        > 0;
  }
}
