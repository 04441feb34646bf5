package io.lakexpress.lxdb;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs and jobs. Every call is one transaction on the LakeXpress DB, leases run on its clock.
 * Thread-safe.
 */
public interface RunBook {
  /** The LakeXpress DB's clock. */
  Instant now();

  /** The run of the sync that is open, if one is. */
  Optional<Run> openRun(String syncId);

  Optional<Run> latestRun(String syncId);

  Optional<Run> run(String runId);

  /** The newest runs first. */
  List<Run> runs(String syncId, int max);

  /**
   * Opens a run with all its jobs in one transaction and takes a queued request with it. If a run
   * is open already, or somebody else opened one at the same moment, nothing is written and that
   * run is returned. A run without jobs is closed at once.
   */
  Run open(NewRun run);

  /** The latest attempts of all units of a run. */
  List<Job> jobs(String runId);

  Optional<Job> job(String jobId);

  /**
   * Claims the largest job of the run that nobody holds (or that {@code owner} itself held before a
   * restart), status running.
   */
  Optional<Job> claimNext(String runId, String owner, Duration ttl);

  /** As {@link #claimNext}, but the smallest one: it passes by the large ones that are in hand. */
  Optional<Job> claimSmallest(String runId, String owner, Duration ttl);

  /**
   * Claims one job by id whatever its run, if it is not delivered, not replaced and nobody else
   * with a live lease holds it. A failed job can be claimed: its open window is finished first.
   */
  Optional<Job> claim(String jobId, String owner, Duration ttl);

  /** Renews leases and returns the job ids that the owner still holds. */
  Set<String> renew(Collection<String> jobIds, String owner, Duration ttl);

  /** Ends the owner's leases at once without failing the jobs, so that the next start goes on. */
  void release(Collection<String> jobIds, String owner);

  /**
   * Begins a new attempt of a job under a new job id with the same bounds: the old one is failed
   * with the reason and points to the new one. If the old one had been closed as failed for its
   * run, the new one is too, until it is delivered.
   */
  Job newAttempt(String jobId, String reason, String owner, Duration ttl);

  /**
   * Notes the snapshot that the slices of a table's export share, on all of its latest attempts in
   * the job's run; nothing if the job is replaced.
   */
  void noteSnapshot(String jobId, String snapshot);

  /**
   * Begins new attempts of all slices of a table in a job's run, whether delivered or not, as the
   * snapshot they shared is lost: nobody holds the new ones, and none of them has a snapshot.
   *
   * @return the new attempt of the job; empty if it was replaced already, delivered with its whole
   *     table, or given up
   */
  Optional<Job> newAttempts(String jobId, String reason);

  /**
   * Records that a job is delivered: its rows and, for an incremental table whose closing record
   * has been acknowledged, the watermark's move with its history (cause run); closes the run when
   * it was the last. Idempotent. A failed job becomes delivered.
   *
   * @param watermark the move to mirror, or null if this job moves none (full exports, slices)
   */
  void deliver(String jobId, long rows, WatermarkMove watermark);

  /** Fails a running job with what happened and what to do; closes the run when it was the last. */
  void fail(String jobId, String error);

  /**
   * Fails running jobs of open runs whose lease is dead, or that nobody claimed while the sync's
   * source lease is dead, or whose unit is no longer in the plan and nobody holds; closes runs that
   * have no running job left.
   *
   * @return the jobs failed by this call
   */
  List<Job> failAbandoned(String syncId);

  /**
   * Marks undelivered jobs of a table replaced by nothing more to come (the table starts anew or
   * its offset was set by hand): they are failed with the reason and their files will be discarded.
   */
  void abandonTable(String syncId, io.lakexpress.watermark.TableId table, String reason);

  /**
   * Removes rows about runs closed before the given instant whose files are all gone or published.
   */
  int prune(String syncId, Instant before);
}
