package io.lakexpress.lxdb.jdbc;

import static io.lakexpress.lxdb.jdbc.Refusals.cannot;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.NewRun;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.RunBook;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.watermark.TableId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class JdbcRunBook implements RunBook {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcRunBook.class);

  private final Database database;
  private final Abandonment abandonment;
  private final Pruning pruning;
  private final Snapshots snapshots;

  JdbcRunBook(Database database) {
    this.database = database;
    this.abandonment = new Abandonment(database);
    this.pruning = new Pruning(database);
    this.snapshots = new Snapshots(database);
  }

  @Override
  public Instant now() {
    return database.read("read the clock of the LakeXpress DB", Tx::now);
  }

  @Override
  public Optional<Run> openRun(String syncId) {
    return database.read("look for the open run of sync " + syncId, tx -> RunRows.open(tx, syncId));
  }

  @Override
  public Optional<Run> latestRun(String syncId) {
    return runs(syncId, 1).stream().findFirst();
  }

  @Override
  public Optional<Run> run(String runId) {
    return database.read("find run " + runId, tx -> RunRows.find(tx, runId));
  }

  @Override
  public List<Run> runs(String syncId, int max) {
    return database.read(
        "list the runs of sync " + syncId,
        tx ->
            tx.top(
                max,
                RunRows.SELECT + "WHERE sync_id = ? ORDER BY run_number DESC",
                RunRows::read,
                syncId));
  }

  @Override
  public Run open(NewRun run) {
    return database.write(
        "open a run of sync " + run.syncId(),
        tx -> {
          SyncRows.lock(tx, run.syncId());
          Optional<Run> present = RunRows.open(tx, run.syncId());
          if (present.isPresent()) {
            return present.get();
          }
          Instant now = tx.now();
          Run opened = RunRows.insert(tx, run, now);
          JobRows.insert(tx, opened.runId(), run.syncId(), run.jobs(), now);
          tx.update(
              "UPDATE sync_configurations SET requested_cause = NULL, requested_at = NULL"
                  + " WHERE sync_id = ?",
              run.syncId());
          RunRows.closeIfDone(tx, opened.runId(), now);
          return RunRows.find(tx, opened.runId()).orElseThrow();
        });
  }

  @Override
  public List<Job> jobs(String runId) {
    return database.read("list the jobs of run " + runId, tx -> JobRows.latestOfRun(tx, runId));
  }

  @Override
  public Optional<Job> job(String jobId) {
    return database.read("find job " + jobId, tx -> JobRows.find(tx, jobId));
  }

  @Override
  public Optional<Job> claimNext(String runId, String owner, Duration ttl) {
    return database.write(
        "claim a job of run " + runId, tx -> claimFirst(tx, "DESC", runId, owner, ttl));
  }

  @Override
  public Optional<Job> claimSmallest(String runId, String owner, Duration ttl) {
    return database.write(
        "claim a job of run " + runId, tx -> claimFirst(tx, "ASC", runId, owner, ttl));
  }

  private static Optional<Job> claimFirst(
      Tx tx, String order, String runId, String owner, Duration ttl) throws SQLException {
    Instant now = tx.now();
    String free = "status = ? AND (owner IS NULL OR (owner = ? AND lease_until <= ?))";
    List<String> candidates =
        tx.list(
            "SELECT job_id FROM export_jobs j WHERE run_id = ? AND "
                + JobRows.IN_PLAY
                + " AND "
                + free
                + " ORDER BY estimated_rows "
                + order
                + ", source_schema, source_table, slice",
            row -> row.text("job_id"),
            runId,
            Status.RUNNING.text(),
            owner,
            now);
    for (String jobId : candidates) {
      // Somebody else may have been quicker; then the next one.
      int claimed =
          tx.update(
              "UPDATE export_jobs SET owner = ?, lease_until = ?, claimed_at = ?"
                  + " WHERE job_id = ? AND "
                  + free,
              owner,
              now.plus(ttl),
              now,
              jobId,
              Status.RUNNING.text(),
              owner,
              now);
      if (claimed == 1) {
        return JobRows.find(tx, jobId);
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<Job> claim(String jobId, String owner, Duration ttl) {
    return database.write(
        "claim job " + jobId,
        tx -> {
          Instant now = tx.now();
          int claimed =
              tx.update(
                  "UPDATE export_jobs SET owner = ?, lease_until = ?, claimed_at = ?"
                      + " WHERE job_id = ? AND delivered_at IS NULL AND replaced_by IS NULL"
                      + " AND abandoned_at IS NULL"
                      + " AND (owner IS NULL OR owner = ? OR lease_until <= ?)",
                  owner,
                  now.plus(ttl),
                  now,
                  jobId,
                  owner,
                  now);
          return claimed == 1 ? JobRows.find(tx, jobId) : Optional.empty();
        });
  }

  @Override
  public Set<String> renew(Collection<String> jobIds, String owner, Duration ttl) {
    return database.write(
        "renew the leases of " + owner,
        tx -> {
          Instant until = tx.now().plus(ttl);
          // In one order everywhere, so that two renewals cannot block each other.
          for (String jobId : jobIds.stream().sorted().toList()) {
            tx.update(
                "UPDATE export_jobs SET lease_until = ? WHERE job_id = ? AND owner = ?"
                    + " AND delivered_at IS NULL AND replaced_by IS NULL"
                    + " AND abandoned_at IS NULL",
                until,
                jobId,
                owner);
          }
          return tx
              .listByIds(
                  JobRows.SELECT
                      + "WHERE "
                      + JobRows.IN_PLAY
                      + " AND j.delivered_at IS NULL AND j.job_id IN ",
                  JobRows::read,
                  jobIds)
              .stream()
              .filter(job -> owner.equals(job.owner()))
              .map(Job::jobId)
              .collect(Collectors.toUnmodifiableSet());
        });
  }

  @Override
  public void release(Collection<String> jobIds, String owner) {
    database.perform(
        "release the leases of " + owner,
        tx -> {
          for (String jobId : jobIds.stream().sorted().toList()) {
            tx.update(
                "UPDATE export_jobs SET owner = NULL, lease_until = NULL"
                    + " WHERE job_id = ? AND owner = ?",
                jobId,
                owner);
          }
        });
  }

  @Override
  public Job newAttempt(String jobId, String reason, String owner, Duration ttl) {
    String deed = "begin a new attempt of job " + jobId;
    return database.write(
        deed,
        tx -> {
          Job job =
              JobRows.findLocked(tx, jobId)
                  .orElseThrow(() -> cannot(deed, "the LakeXpress DB does not know it"));
          if (job.isReplaced()) {
            throw cannot(deed, "job " + job.replacedBy() + " took its place already");
          }
          if (job.deliveredAt() != null || isAbandoned(tx, jobId)) {
            throw cannot(deed, "it is " + job.status().text());
          }
          Instant now = tx.now();
          String nextId = JobRows.newId();
          JobRows.insertAttempt(tx, job, nextId, owner, now.plus(ttl), now);
          JobRows.fail(tx, jobId, reason);
          tx.update("UPDATE export_jobs SET replaced_by = ? WHERE job_id = ?", nextId, jobId);
          return JobRows.find(tx, nextId).orElseThrow();
        });
  }

  private static boolean isAbandoned(Tx tx, String jobId) throws SQLException {
    return tx.count(
            "SELECT COUNT(*) AS n FROM export_jobs WHERE job_id = ? AND abandoned_at IS NOT NULL",
            jobId)
        > 0;
  }

  @Override
  public void noteSnapshot(String jobId, String snapshot) {
    snapshots.note(jobId, snapshot);
  }

  @Override
  public Optional<Job> newAttempts(String jobId, String reason) {
    return snapshots.newAttempts(jobId, reason);
  }

  @Override
  public void deliver(String jobId, long rows, WatermarkMove watermark) {
    database.perform(
        "record that job " + jobId + " is delivered",
        tx -> {
          Optional<Job> found = JobRows.findLocked(tx, jobId);
          if (found.isEmpty()) {
            LOG.warn("Job {} is delivered, but the LakeXpress DB does not know it", jobId);
            return;
          }
          deliver(tx, found.get(), rows, watermark);
        });
  }

  private static void deliver(Tx tx, Job job, long rows, WatermarkMove watermark)
      throws SQLException {
    if (job.isReplaced() || isAbandoned(tx, job.jobId())) {
      return;
    }
    Instant now = tx.now();
    boolean isNew = job.deliveredAt() == null;
    if (isNew) {
      tx.update(
          "UPDATE export_jobs SET status = ?, rows = ?, error = NULL, delivered_at = ?,"
              + " owner = NULL, lease_until = NULL WHERE job_id = ?",
          Status.DELIVERED.text(),
          rows,
          now,
          job.jobId());
      RunRows.closeIfDone(tx, job.runId(), now);
    }
    // The closing record of a sliced table comes after the slices were delivered.
    boolean mayMove = isNew || (!job.slice().isWhole() && !Watermarks.wasMovedBy(tx, job));
    if (watermark != null && mayMove) {
      Watermarks.move(
          tx,
          job.syncId(),
          watermark,
          new Watermarks.Origin(WatermarkCause.RUN, job.runId(), job.jobId(), rowsOfTable(tx, job)),
          now);
    }
  }

  private static long rowsOfTable(Tx tx, Job job) throws SQLException {
    return tx.count(
        "SELECT COALESCE(SUM(rows), 0) AS n FROM export_jobs WHERE run_id = ? AND source_schema = ?"
            + " AND source_table = ? AND replaced_by IS NULL AND delivered_at IS NOT NULL",
        job.runId(),
        job.table().schema(),
        job.table().table());
  }

  @Override
  public void fail(String jobId, String error) {
    database.perform(
        "record that job " + jobId + " failed",
        tx -> {
          Optional<Job> job = JobRows.findLocked(tx, jobId);
          if (job.isPresent() && job.get().status() == Status.RUNNING && !job.get().isReplaced()) {
            JobRows.fail(tx, jobId, error);
            RunRows.closeIfDone(tx, job.get().runId(), tx.now());
          }
        });
  }

  @Override
  public List<Job> failAbandoned(String syncId) {
    return abandonment.failAbandoned(syncId);
  }

  @Override
  public void abandonTable(String syncId, TableId table, String reason) {
    abandonment.abandonTable(syncId, table, reason);
  }

  @Override
  public int prune(String syncId, Instant before) {
    return pruning.prune(syncId, before);
  }
}
