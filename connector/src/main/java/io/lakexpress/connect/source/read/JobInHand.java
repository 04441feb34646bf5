package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobStart.Claim;
import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.offset.Cursor;
import io.lakexpress.offset.TableOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job that one lane has in hand, its attempts, its open cursor, and the earlier job that may
 * have to be finished first. Each step that asks the LakeXpress DB may be repeated when the answer
 * was lost. Owned by the reader's thread.
 */
final class JobInHand {
  private static final Logger LOG = LoggerFactory.getLogger(JobInHand.class);

  private final ReaderParts parts;
  private final LakexpressDb db;
  private final SourceDatabase source;
  private final TopicNames topics;
  private final Runnable whenPaused;

  private Job job;
  private Claim claim = Claim.NEW;
  private String helped;
  private String untouched;
  private Reading reading;

  /** An open window or export, and what closes it. */
  private record Reading(Job job, RowPump pump, BooleanSupplier closing) {}

  JobInHand(
      ReaderParts parts,
      LakexpressDb db,
      SourceDatabase source,
      TopicNames topics,
      Runnable whenPaused) {
    this.parts = parts;
    this.db = db;
    this.source = source;
    this.topics = topics;
    this.whenPaused = whenPaused;
  }

  void begin(Job claimed, Claim origin) {
    letGo();
    job = claimed;
    claim = origin;
    helped = null;
    untouched = null;
  }

  /** The attempt that is being read. */
  Job job() {
    return job;
  }

  Claim claim() {
    return claim;
  }

  /** It is decided how to begin: where the claim came from does not count any more. */
  void settle() {
    claim = Claim.NEW;
  }

  Delivery delivery() {
    return parts.settings().identity().delivery();
  }

  boolean isExact() {
    return delivery() == Delivery.EXACTLY_ONCE;
  }

  private boolean isOwn(Job owner) {
    return owner.jobId().equals(job.jobId());
  }

  /** Whether the attempt was begun here, and no row of it was handed over. */
  boolean isUntouched(Job attempt) {
    return attempt.jobId().equals(untouched);
  }

  /**
   * Claims an earlier job, or the one in hand again.
   *
   * @return empty if it was given up, or is delivered
   * @throws JobReader.Postponed while somebody else holds it
   */
  Optional<Job> help(Job earlier) {
    Optional<Job> claimed = claimAgain(earlier);
    if (claimed.isEmpty()) {
      if (db.runs().job(earlier.jobId()).map(Job::owner).isPresent()) {
        throw new JobReader.Postponed("job " + earlier.jobId() + " is still held");
      }
      return claimed;
    }
    parts.leases().take(earlier.jobId());
    helped = isOwn(earlier) ? null : earlier.jobId();
    return claimed;
  }

  private Optional<Job> claimAgain(Job owner) {
    ReaderSettings settings = parts.settings();
    return db.runs().claim(owner.jobId(), settings.identity().owner(), settings.timing().lease());
  }

  /** Makes sure that the job is still ours. */
  void checkClaim(Job owner) {
    if (!parts.leases().isLost(owner.jobId())) {
      return;
    }
    if (claimAgain(owner).isEmpty()) {
      throw new JobReader.LeaseLost(owner.jobId());
    }
    parts.leases().take(owner.jobId());
    parts.leases().begin(owner.jobId());
  }

  /** Begins the job, or the earlier one that is being finished, anew under another job id. */
  Job anotherAttempt(Job broken, String reason) {
    ReaderSettings settings = parts.settings();
    Job next =
        unheardAttempt(broken)
            .orElseGet(
                () ->
                    db.runs()
                        .newAttempt(
                            broken.jobId(),
                            reason,
                            settings.identity().owner(),
                            settings.timing().lease()));
    parts.leases().drop(broken.jobId());
    parts.leases().take(next.jobId());
    LOG.info(
        "Job {} of table {} begins anew as {}, attempt {}: {}",
        broken.jobId(),
        broken.table(),
        next.jobId(),
        next.attempt(),
        reason);
    if (isOwn(broken)) {
      job = next;
      claim = Claim.NEW;
    } else {
      helped = next.jobId();
    }
    untouched = next.jobId();
    return next;
  }

  /** The attempt that the database wrote for us before, while its answer was lost. */
  private Optional<Job> unheardAttempt(Job broken) {
    Optional<Job> known = db.runs().job(broken.jobId()).filter(Job::isReplaced);
    if (known.isEmpty()) {
      return Optional.empty();
    }
    Optional<Job> next =
        db.runs()
            .job(known.get().replacedBy())
            .filter(one -> parts.settings().identity().owner().equals(one.owner()))
            .flatMap(this::claimAgain);
    if (next.isEmpty()) {
      throw new JobReader.LeaseLost(broken.jobId());
    }
    return next;
  }

  RowPump pump(Job owner, long rows, BiFunction<Long, Cursor, TableOffset> position) {
    parts.leases().begin(owner.jobId());
    return new RowPump(
        parts.settings().records(),
        parts.handOver(),
        parts.offsets(),
        this::checkClaim,
        owner,
        topics.of(owner.table()),
        position,
        rows,
        whenPaused,
        parts.metrics().table(owner.table()));
  }

  /**
   * Opens a cursor and reads its first batch.
   *
   * @param closing what to do at its end; true if the job in hand ended with it
   */
  boolean read(Job owner, RowPump pump, BooleanSupplier closing, ReadRequest everything) {
    return read(owner, pump, closing, everything, null);
  }

  /** As above, in a snapshot that somebody holds. */
  boolean read(
      Job owner, RowPump pump, BooleanSupplier closing, ReadRequest everything, String snapshot) {
    ReadRequest share =
        owner
            .rule()
            .map(rule -> everything.of(new ReadRequest.Share(owner.slice(), rule, snapshot)))
            .orElse(everything);
    reading = new Reading(owner, pump, closing);
    try {
      pump.open(source, share);
    } catch (RuntimeException e) {
      letGo();
      throw e;
    }
    return readOn();
  }

  boolean isReading() {
    return reading != null;
  }

  /** Goes on with the open cursor by one batch. */
  boolean readOn() {
    Reading open = reading;
    RowPump.Step step;
    try {
      step = open.pump().advance();
    } catch (RuntimeException e) {
      letGo();
      throw e;
    }
    return switch (step) {
      case MORE -> false;
      case PAUSED -> {
        reading = null;
        yield false;
      }
      case ENDED -> {
        reading = null;
        tellInfinite(open);
        yield open.closing().getAsBoolean();
      }
    };
  }

  private static void tellInfinite(Reading ended) {
    if (ended.pump().infiniteValues() > 0) {
      LOG.warn(
          "Table {} has {} infinite dates or times, handed over as the extremes of their types",
          ended.job().table(),
          ended.pump().infiniteValues());
    }
  }

  /** Closes the cursor and its transaction; the next call goes on behind the last row. */
  void pause() {
    if (reading != null) {
      reading.pump().close();
    }
  }

  /** Closes the cursor, whatever comes of it. */
  void letGo() {
    Reading broken = reading;
    reading = null;
    if (broken == null) {
      return;
    }
    try {
      broken.pump().close();
    } catch (SourceException e) {
      LOG.debug("The cursor of table {} did not close cleanly", broken.job().table(), e);
    }
  }

  /** Whether nothing is left to do for the job in hand, now that a job is read to its end. */
  boolean hasEnded(Job owner) {
    boolean isToClose = !owner.slice().isWhole() && SliceOutlet.isFirst(owner);
    if (!isOwn(owner) && isToClose) {
      // It waits for its siblings, perhaps long and in another task's hands.
      helped = owner.jobId();
      letGoOfHelped();
    }
    helped = null;
    return isOwn(owner) && !isToClose;
  }

  /** The closing record of the earlier job is handed over: it is held until it is delivered. */
  void helpedToTheEnd() {
    helped = null;
  }

  /** Gives the earlier job back; if the database does not hear of it, its lease ends by itself. */
  void letGoOfHelped() {
    if (helped == null) {
      return;
    }
    parts.leases().drop(helped);
    try {
      db.runs().release(List.of(helped), parts.settings().identity().owner());
    } catch (LakexpressDbException e) {
      LOG.debug("Job {} is not given back", helped, e);
    }
    helped = null;
  }

  /** The job is delivered, as its offset proves, which the book has missed. */
  boolean deliver(Runnable deed) {
    deed.run();
    parts.leases().drop(job.jobId());
    return true;
  }
}
