package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.TableSpec;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads slices of windows; the first slice's reader opens the window and closes it. */
final class SliceReader {
  private static final Logger LOG = LoggerFactory.getLogger(SliceReader.class);

  private final JobInHand hand;
  private final LakexpressDb db;
  private final Catalogue catalogue;
  private final TableOffsets offsets;
  private final Siblings siblings;
  private final RecordOutlet outlet;
  private final SliceOutlet slices;
  private final WindowRows rows;

  SliceReader(
      JobInHand hand,
      ReaderParts parts,
      LakexpressDb db,
      SourceDatabase source,
      RecordOutlet outlet,
      SliceOutlet slices) {
    this.hand = hand;
    this.db = db;
    this.catalogue = new Catalogue(source, parts.settings());
    this.offsets = parts.offsets();
    this.siblings = new Siblings(db);
    this.outlet = outlet;
    this.slices = slices;
    this.rows =
        new WindowRows(
            hand,
            parts,
            source,
            (owner, tracking, lower, upper, read) -> slices.closed(owner, lower, upper, read));
  }

  boolean proceed() {
    Job job = hand.job();
    TableOffset table = offsets.of(job.table()).offset();
    TableOffsets.Known known = offsets.of(job.table(), job.slice());
    SliceStart start = SliceStart.ofWindow(job, table, known, hand.claim(), hand.delivery());
    if (start instanceof SliceStart.HandedOver) {
      return true;
    }
    if (start instanceof SliceStart.Over) {
      return over();
    }
    if (start instanceof SliceStart.Ended ended) {
      return hand.deliver(() -> db.runs().deliver(job.jobId(), ended.rows(), null));
    }
    if (start instanceof SliceStart.AwaitOpening) {
      throw siblings.awaited(job, "its window is not open yet");
    }
    if (start instanceof SliceStart.AwaitClosing) {
      throw siblings.awaited(job, "its earlier window is not closed yet");
    }
    Tracking tracking =
        catalogue.tracking(catalogue.table(job.table()), TableSpec.parse(job.incremental()));
    if (start instanceof SliceStart.Finish finish) {
      return finish(finish, known, tracking);
    }
    if (start instanceof SliceStart.Close close) {
      return close(close, tracking);
    }
    if (start instanceof SliceStart.GoOn goOn) {
      return rows.resume(job, goOn.at(), tracking);
    }
    if (start instanceof SliceStart.Anew anew) {
      hand.anotherAttempt(job, anew.reason());
      return false;
    }
    hand.settle();
    if (start instanceof SliceStart.Begin begin) {
      return rows.read(job, tracking, begin.lower(), begin.upper());
    }
    String lower =
        Optional.ofNullable(table).flatMap(TableOffset::watermark).orElse(job.lowerBound());
    if (table == null && lower != null && job.mode() == JobMode.INCREMENTAL) {
      tracking.value(lower);
      outlet.adopted(job, lower);
    }
    return openWindow(tracking, lower);
  }

  /** The window was closed before the LakeXpress DB was told. */
  private boolean over() {
    Job job = hand.job();
    TableOffsets.Known table = offsets.of(job.table());
    if (table.origin() == TableOffsets.Origin.OWN) {
      // Whoever acknowledges its closing record tells the LakeXpress DB.
      return true;
    }
    if (!SliceOutlet.isFirst(job)) {
      throw new TableFailure(
          "Cannot read slice "
              + job.slice()
              + " of table "
              + job.table()
              + ": its window is closed");
    }
    long own = table.offset().rows() - siblings.rowsOfOthers(job);
    OffsetProof proof = new OffsetProof(db, catalogue);
    return hand.deliver(() -> proof.deliver(job, table.offset(), own));
  }

  private boolean openWindow(Tracking tracking, String lower) {
    Job job = hand.job();
    rows.lookAt(job, tracking, lower);
    String upper = job.upperBound() == null ? lower : job.upperBound();
    slices.opened(job, lower, WindowRows.between(tracking, lower, upper).upper().text());
    return false;
  }

  /** A slice of an earlier window is read to its end under its own job. */
  private boolean finish(SliceStart.Finish finish, TableOffsets.Known known, Tracking tracking) {
    Job job = hand.job();
    TableOffset window = finish.window();
    Optional<Job> earlier = siblings.ofSlice(window.runId(), job);
    if (earlier.isEmpty() || earlier.get().deliveredAt() != null) {
      return awaitOrReadAnew(earlier, window, tracking);
    }
    Job owner = earlier.get();
    Optional<Job> claimed = hand.help(owner);
    if (claimed.isEmpty()) {
      return awaitOrReadAnew(Optional.empty(), window, tracking);
    }
    Tracking opened = catalogue.tracking(tracking.table(), TableSpec.parse(owner.incremental()));
    LOG.info(
        "Slice {} of table {} first finishes that of job {}",
        job.slice(),
        job.table(),
        owner.jobId());
    boolean isOwn = known.origin() == TableOffsets.Origin.OWN;
    TableOffset at = finish.at();
    if (at != null && owner.jobId().equals(at.jobId()) && (isOwn || hand.isExact())) {
      return rows.resume(claimed.get(), at, opened);
    }
    Job attempt =
        hand.isExact() || hand.isUntouched(owner)
            ? claimed.get()
            : hand.anotherAttempt(claimed.get(), "The task was restarted inside the window");
    return rows.read(attempt, opened, window.lastExported(), window.windowUpper());
  }

  /** The first slice decides whether an earlier window can still be closed; the others wait. */
  private boolean awaitOrReadAnew(Optional<Job> earlier, TableOffset window, Tracking tracking) {
    Job job = hand.job();
    if (!SliceOutlet.isFirst(job)) {
      throw siblings.awaited(job, "its earlier window is not closed yet");
    }
    LOG.warn(
        "The open window of table {} belongs to job {}, which {}: its rows are read again in this"
            + " run",
        job.table(),
        window.jobId(),
        earlier.isPresent() ? "is delivered already" : "is given up or not known");
    return openWindow(tracking, window.lastExported());
  }

  /** All rows of the first slice are handed over: closes its window once those of all are. */
  private boolean close(SliceStart.Close close, Tracking tracking) {
    Job job = hand.job();
    TableOffset window = close.window();
    Optional<Job> first =
        window.runId().equals(job.runId())
            ? Optional.of(job)
            : siblings.ofSlice(window.runId(), job);
    if (first.isEmpty() || first.get().deliveredAt() != null) {
      return awaitOrReadAnew(first, window, tracking);
    }
    Job owner = first.get();
    List<Job> all = siblings.allDelivered(owner, job);
    boolean isOwn = owner.jobId().equals(job.jobId());
    if (!isOwn && hand.help(owner).isEmpty()) {
      return awaitOrReadAnew(Optional.empty(), window, tracking);
    }
    hand.checkClaim(owner);
    Tracking opened = catalogue.tracking(tracking.table(), TableSpec.parse(owner.incremental()));
    slices.windowClosed(
        owner, opened, window.lastExported(), window.windowUpper(), close.rows(), all);
    hand.helpedToTheEnd();
    return isOwn;
  }
}
