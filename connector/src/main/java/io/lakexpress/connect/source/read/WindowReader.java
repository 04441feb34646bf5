package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobStart.Claim;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.TableSpec;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the windows of tables that are not sliced. */
final class WindowReader {
  private static final Logger LOG = LoggerFactory.getLogger(WindowReader.class);

  private final JobInHand hand;
  private final LakexpressDb db;
  private final SourceDatabase source;
  private final Catalogue catalogue;
  private final TableOffsets offsets;
  private final RecordOutlet outlet;
  private final WindowRows rows;

  WindowReader(
      JobInHand hand,
      ReaderParts parts,
      LakexpressDb db,
      SourceDatabase source,
      RecordOutlet outlet) {
    this.hand = hand;
    this.db = db;
    this.source = source;
    this.catalogue = new Catalogue(source, parts.settings());
    this.offsets = parts.offsets();
    this.outlet = outlet;
    this.rows = new WindowRows(hand, parts, source, outlet::closed);
  }

  boolean proceed() {
    Job job = hand.job();
    TableOffsets.Known known = offsets.of(job.table());
    JobStart start = JobStart.ofWindow(job, known, hand.claim(), hand.delivery());
    if (start instanceof JobStart.HandedOver) {
      return true;
    }
    if (start instanceof JobStart.Ended ended) {
      return deliver(known.offset(), ended.rows());
    }
    Tracking tracking =
        catalogue.tracking(catalogue.table(job.table()), TableSpec.parse(job.incremental()));
    if (start instanceof JobStart.Finish finish) {
      return finish(finish, known, tracking);
    }
    if (start instanceof JobStart.GoOn goOn) {
      return rows.resume(job, goOn.at(), tracking);
    }
    if (start instanceof JobStart.Anew anew) {
      job = hand.anotherAttempt(job, anew.reason());
    }
    hand.settle();
    TableOffset offset = known.offset();
    if (offset != null && offset.isWindowOpen()) {
      // A new attempt of the open window, from its lower bound.
      return rows.read(job, tracking, offset.lastExported(), offset.windowUpper());
    }
    String lower =
        Optional.ofNullable(offset).flatMap(TableOffset::watermark).orElse(job.lowerBound());
    if (offset == null && lower != null && job.mode() == JobMode.INCREMENTAL) {
      tracking.value(lower);
      outlet.adopted(job, lower);
    }
    return ownWindow(tracking, lower);
  }

  private boolean deliver(TableOffset offset, long delivered) {
    OffsetProof proof = new OffsetProof(db, catalogue);
    return hand.deliver(() -> proof.deliver(hand.job(), offset, delivered));
  }

  /** The window of the open run. */
  private boolean ownWindow(Tracking tracking, String lower) {
    Job job = hand.job();
    rows.lookAt(job, tracking, lower);
    if (job.upperBound() == null) {
      checkBoundless(tracking, lower);
      outlet.closed(job, tracking, lower, null, 0);
      return true;
    }
    return rows.read(job, tracking, lower, job.upperBound());
  }

  /** Fails the table if its job has no bound because of a fault, and not for want of rows. */
  private void checkBoundless(Tracking tracking, String lower) {
    if (lower != null) {
      tracking.value(lower);
    } else if (tracking.spec().startValue().isPresent()) {
      RunOpener.start(tracking);
    }
    switch (tracking.column().kind()) {
      case INTEGER, ROWVERSION -> {
        // The value is not used: it was taken after the run's instant.
        Optional<Long> later = source.largest(tracking.table().id(), tracking.column());
        LOG.debug(
            "Table {} has no bound in this run; now it ends at {}", tracking.table().id(), later);
      }
      case DATE, LOCAL_TIME, INSTANT -> {}
    }
  }

  /** Another job's window is open: it is read to its end under its own job. */
  private boolean finish(JobStart.Finish finish, TableOffsets.Known known, Tracking tracking) {
    Optional<Job> earlier = latestAttempt(finish.jobId());
    if (earlier.isEmpty()) {
      return readAnew(finish, tracking, "is not known to the LakeXpress DB");
    }
    Job owner = earlier.get();
    if (owner.deliveredAt() != null) {
      return readAnew(finish, tracking, "is delivered already");
    }
    if (!owner.slice().isWhole()) {
      return readAnew(finish, tracking, "reads a slice of it alone");
    }
    Optional<Job> claimed = hand.help(owner);
    if (claimed.isEmpty()) {
      return readAnew(finish, tracking, "was given up");
    }
    // The window belongs to the column and direction it was opened with.
    Tracking opened = catalogue.tracking(tracking.table(), TableSpec.parse(owner.incremental()));
    LOG.info("Table {} first finishes the open window of job {}", owner.table(), owner.jobId());
    TableOffset at = finish.at();
    boolean isSame = owner.jobId().equals(finish.jobId());
    boolean isOwn = known.origin() == TableOffsets.Origin.OWN;
    if (isSame && (isOwn || hand.isExact())) {
      return rows.resume(claimed.get(), at, opened);
    }
    // The rows of a replaced attempt are discarded. Of its successor none are in the topic where
    // they come together with offsets, or if it was begun here; elsewhere some may be.
    Job attempt =
        hand.isExact() || hand.isUntouched(owner)
            ? claimed.get()
            : hand.anotherAttempt(claimed.get(), "The task was restarted inside the window");
    return rows.read(attempt, opened, at.lastExported(), at.windowUpper());
  }

  private Optional<Job> latestAttempt(String jobId) {
    Optional<Job> attempt = db.runs().job(jobId);
    while (attempt.isPresent() && attempt.get().isReplaced()) {
      attempt = db.runs().job(attempt.get().replacedBy());
    }
    return attempt;
  }

  /** Nobody can close the open window any more: its rows come again in the window of this job. */
  private boolean readAnew(JobStart.Finish finish, Tracking tracking, String why) {
    LOG.warn(
        "The open window of table {} belongs to job {}, which {}: its rows are read again under job"
            + " {}",
        tracking.table().id(),
        finish.jobId(),
        why,
        hand.job().jobId());
    if (hand.claim() == Claim.INHERITED && !hand.isExact()) {
      // It may have begun to read them again before, and left no offset.
      hand.anotherAttempt(hand.job(), "The task was restarted inside the window");
    }
    hand.settle();
    return ownWindow(tracking, finish.at().lastExported());
  }
}
