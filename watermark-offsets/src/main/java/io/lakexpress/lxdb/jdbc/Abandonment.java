package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Plan;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.TableId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Fails the jobs that nobody will finish, so that no run stays open for ever. */
final class Abandonment {
  /** A connector that gave its side back may only be restarting, with another configuration. */
  private static final Duration RESTART_GRACE = Duration.ofSeconds(30);

  /**
   * Leases that ended while the database was down prove nothing: their owners get time to renew.
   */
  private static final Duration OUTAGE_GRACE = Duration.ofSeconds(30);

  private final Database database;

  Abandonment(Database database) {
    this.database = database;
  }

  List<Job> failAbandoned(String syncId) {
    // The usual case first, without a lock: this is asked often, and mostly there is no open run.
    Optional<Run> glimpse =
        database.read("look for the open run of sync " + syncId, tx -> RunRows.open(tx, syncId));
    if (glimpse.isEmpty() || database.wasUnansweredWithin(OUTAGE_GRACE)) {
      return List.of();
    }
    return database.write(
        "fail the abandoned jobs of sync " + syncId,
        tx -> {
          SyncRows.lock(tx, syncId);
          Optional<Run> run = RunRows.open(tx, syncId);
          return run.isPresent() ? failAbandoned(tx, run.get()) : List.of();
        });
  }

  private static List<Job> failAbandoned(Tx tx, Run run) throws SQLException {
    Instant now = tx.now();
    boolean hasSource =
        JdbcSyncBook.owner(tx, run.syncId(), Role.SOURCE, now)
            .map(owner -> owner.leaseUntil().plus(RESTART_GRACE).isAfter(now))
            .orElse(false);
    Optional<Set<TableId>> planned = planned(tx, run.syncId());
    Map<String, Instant> leases = leases(tx, run.runId());
    List<Job> failed = new ArrayList<>();
    for (Job job : JobRows.latestOfRun(tx, run.runId())) {
      if (job.status() != Status.RUNNING) {
        continue;
      }
      boolean isPlanned = planned.map(tables -> tables.contains(job.table())).orElse(true);
      Optional<String> reason = reason(job, leases.get(job.jobId()), now, hasSource, isPlanned);
      if (reason.isPresent() && isFailedStillHeldBy(tx, job, now, reason.get())) {
        failed.add(JobRows.find(tx, job.jobId()).orElseThrow());
      }
    }
    RunRows.closeIfDone(tx, run.runId(), now);
    return List.copyOf(failed);
  }

  /**
   * The tables of the plan; empty if none was ever stored. Slices do not count: those of an open
   * run are read whatever number the next one will have.
   */
  private static Optional<Set<TableId>> planned(Tx tx, String syncId) throws SQLException {
    Plan plan = SyncRows.plan(tx, syncId);
    return plan.generation() == 0
        ? Optional.empty()
        : Optional.of(plan.units().stream().map(PlannedUnit::table).collect(Collectors.toSet()));
  }

  private static Map<String, Instant> leases(Tx tx, String runId) throws SQLException {
    record Lease(String jobId, Instant until) {}
    Map<String, Instant> leases = new HashMap<>();
    tx.list(
            "SELECT job_id, lease_until FROM export_jobs"
                + " WHERE run_id = ? AND lease_until IS NOT NULL",
            row -> new Lease(row.text("job_id"), row.instant("lease_until")),
            runId)
        .forEach(lease -> leases.put(lease.jobId(), lease.until()));
    return leases;
  }

  private static Optional<String> reason(
      Job job, Instant leaseUntil, Instant now, boolean hasSource, boolean isPlanned) {
    boolean isHeld = job.owner() != null;
    if (isHeld && leaseUntil != null && leaseUntil.isAfter(now)) {
      return Optional.empty();
    }
    if (isHeld) {
      return Optional.of(
          "Its reader " + job.owner() + " has not been heard of since its lease ended");
    }
    if (!isPlanned) {
      return Optional.of("Its table is no longer in the plan of the sync");
    }
    return hasSource
        ? Optional.empty()
        : Optional.of("No source connector is serving the sync, so nobody read it");
  }

  /** Fails the job unless somebody claimed or renewed it since it was looked at. */
  private static boolean isFailedStillHeldBy(Tx tx, Job job, Instant now, String reason)
      throws SQLException {
    return tx.update(
            "UPDATE export_jobs SET status = ?, error = ?, owner = NULL, lease_until = NULL"
                + " WHERE job_id = ? AND status = ? AND (owner IS NULL OR lease_until <= ?)",
            Status.FAILED.text(),
            reason,
            job.jobId(),
            Status.RUNNING.text(),
            now)
        == 1;
  }

  void abandonTable(String syncId, TableId table, String reason) {
    database.perform(
        "abandon the jobs of table " + table + " of sync " + syncId,
        tx -> {
          SyncRows.lock(tx, syncId);
          Instant now = tx.now();
          List<Job> undelivered =
              JobRows.inPlay(tx, syncId, table).stream()
                  .filter(job -> job.deliveredAt() == null)
                  .toList();
          abandon(tx, undelivered, reason, now);
        });
  }

  /** Fails the jobs for good and moves their runs on; the sync's row must be locked. */
  static void abandon(Tx tx, List<Job> jobs, String reason, Instant now) throws SQLException {
    for (Job job : jobs) {
      JobRows.abandon(tx, job.jobId(), reason, now);
    }
    for (String runId : jobs.stream().map(Job::runId).distinct().toList()) {
      RunRows.failClosed(tx, runId);
      RunRows.closeIfDone(tx, runId, now);
    }
  }
}
