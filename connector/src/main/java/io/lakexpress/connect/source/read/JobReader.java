package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobStart.Claim;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.watermark.TableId;
import java.util.List;
import java.util.Optional;

/**
 * Reads one claimed job to its closing record. Every try decides anew from the table's offset, so a
 * broken connection, a LakeXpress DB that was down and a restart go the same way.
 */
final class JobReader {
  /** Others have to come to an end first. */
  static final class Postponed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Postponed(String reason) {
      super(reason, null, false, false);
    }
  }

  /** Somebody else took the job. */
  static final class LeaseLost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LeaseLost(String jobId) {
      this(jobId, "was taken by somebody else");
    }

    private LeaseLost(String jobId, String reason) {
      super("Job " + jobId + " " + reason, null, false, false);
    }

    /** All slices have other jobs now, which anybody may take. */
    static LeaseLost begunAnew(String jobId, String reason) {
      return new LeaseLost(jobId, "begins anew in all slices: " + reason);
    }
  }

  private final LakexpressDb db;
  private final TopicNames topics;
  private final JobInHand hand;
  private final WindowReader windows;
  private final SliceReader slices;
  private final ExportReader exports;

  /**
   * A reader of jobs, one after the other.
   *
   * @param source for this reader alone, as its cursor stays open between two batches
   * @param snapshots those that the task holds
   * @param whenPaused closes all cursors of the task
   */
  JobReader(
      ReaderParts parts,
      LakexpressDb db,
      SourceDatabase source,
      HeldSnapshots snapshots,
      Runnable whenPaused) {
    ReaderSettings settings = parts.settings();
    this.db = db;
    this.topics = new TopicNames(settings.records().topicPrefix(), settings.identity().syncId());
    this.hand = new JobInHand(parts, db, source, topics, whenPaused);
    RecordOutlet outlet = new RecordOutlet(parts, topics.runs());
    SliceOutlet ofSlices = new SliceOutlet(parts, topics.runs());
    this.windows = new WindowReader(hand, parts, db, source, outlet);
    this.slices = new SliceReader(hand, parts, db, source, outlet, ofSlices);
    this.exports = new ExportReader(hand, parts, db, source, outlet, ofSlices, snapshots);
  }

  /** Takes up a job. */
  void begin(Job claimed, Claim origin) {
    hand.begin(claimed, origin);
  }

  /** Gives back an earlier job that was to be finished first. */
  void letGoOfHelped() {
    hand.letGoOfHelped();
  }

  /** The attempt that is being read. */
  Job current() {
    return hand.job();
  }

  /** Where the claim came from, as long as the job was not begun. */
  Claim claim() {
    return hand.claim();
  }

  /**
   * Goes on with the job by one batch at most.
   *
   * @return whether it ended; if not, it wants to be called again
   * @throws SourceException if the database failed; trying again goes on behind the last row
   * @throws LakexpressDbException if the LakeXpress DB failed or refused; the same holds if it is
   *     worth a repetition
   * @throws TableFailure if it can never end
   */
  boolean proceed() {
    if (hand.isReading()) {
      return hand.readOn();
    }
    Job job = hand.job();
    Optional<String> refusal = topics.refusal(job.table(), plannedTables(job));
    if (refusal.isPresent()) {
      throw new TableFailure(refusal.get());
    }
    if (job.mode() == JobMode.FULL) {
      return exports.proceed();
    }
    return job.slice().isWhole() ? windows.proceed() : slices.proceed();
  }

  private List<TableId> plannedTables(Job job) {
    return db.syncs().plan(job.syncId()).units().stream().map(unit -> unit.table()).toList();
  }

  /** Closes the cursor and its transaction; the next call goes on behind the last row. */
  void pause() {
    hand.pause();
  }

  /** Nothing is in hand any more, and no cursor is open. */
  void end() {
    hand.letGo();
  }
}
