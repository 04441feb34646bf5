package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobStart.Claim;
import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.connect.source.read.ReaderSettings.NullPolicy;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.offset.Cursor;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.SliceRule;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import io.lakexpress.watermark.WatermarkValue;
import io.lakexpress.watermark.Window;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.apache.kafka.connect.data.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one claimed job to its closing record. Every try decides anew from the table's offset, so a
 * broken connection and a restart go the same way.
 */
final class JobReader {
  private static final Logger LOG = LoggerFactory.getLogger(JobReader.class);

  /** An export is begun so often, then its job fails. */
  private static final int EXPORT_ATTEMPTS = 5;

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
  }

  private final ReaderSettings settings;
  private final LakexpressDb db;
  private final SourceDatabase source;
  private final Catalogue catalogue;
  private final UnreachedRows unreached;
  private final TableOffsets offsets;
  private final Leases leases;
  private final Patience patience;
  private final HandOver handOver;
  private final RecordOutlet outlet;
  private final SliceOutlet slices;
  private final Siblings siblings;
  private final HeldSnapshots snapshots;
  private final TopicNames topics;

  private final Runnable whenPaused;
  private final SyncMetrics metrics;

  private Job job;
  private Claim claim = Claim.NEW;
  private String helped;
  private Reading reading;

  /** An open window or export, and what closes it. */
  private record Reading(Job job, RowPump pump, BooleanSupplier closing) {}

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
    this.settings = parts.settings();
    this.db = db;
    this.source = source;
    this.catalogue = new Catalogue(source, settings);
    this.unreached = new UnreachedRows(source);
    this.offsets = parts.offsets();
    this.leases = parts.leases();
    this.patience = parts.patience();
    this.handOver = parts.handOver();
    this.topics = new TopicNames(settings.records().topicPrefix(), settings.identity().syncId());
    this.outlet = new RecordOutlet(parts, topics.runs());
    this.slices = new SliceOutlet(parts, topics.runs());
    this.siblings = new Siblings(parts.patience(), db);
    this.snapshots = snapshots;
    this.whenPaused = whenPaused;
    this.metrics = parts.metrics();
  }

  /** Takes up a job. */
  void begin(Job claimed, Claim origin) {
    job = claimed;
    claim = origin;
    helped = null;
    reading = null;
  }

  /** An earlier job that is being finished first, and has not been. */
  Optional<String> helped() {
    return Optional.ofNullable(helped);
  }

  /** The attempt that is being read. */
  Job current() {
    return job;
  }

  /** Where the claim came from, as long as the job was not begun. */
  Claim claim() {
    return claim;
  }

  /**
   * Goes on with the job by one batch at most.
   *
   * @return whether it ended; if not, it wants to be called again
   * @throws SourceException if the database failed; trying again goes on behind the last row
   * @throws TableFailure if it can never end
   */
  boolean proceed() {
    if (reading != null) {
      return readOn();
    }
    topics
        .refusal(job.table(), plannedTables())
        .ifPresent(
            reason -> {
              throw new TableFailure(reason);
            });
    if (job.mode() == JobMode.FULL) {
      return export();
    }
    return job.slice().isWhole() ? window() : slice();
  }

  private List<TableId> plannedTables() {
    return patience.ask(() -> db.syncs().plan(job.syncId())).units().stream()
        .map(unit -> unit.table())
        .toList();
  }

  private boolean export() {
    JobStart start =
        JobStart.ofExport(
            job, offsets.of(job.table(), job.slice()), claim, settings.identity().delivery());
    if (start instanceof JobStart.Ended ended) {
      return job.slice().isWhole() ? deliver(ended.rows()) : endedExport(ended.rows());
    }
    boolean isOneSnapshot = job.sliceRule() instanceof SliceRule.Blocks;
    if (start instanceof JobStart.Anew anew) {
      checkAttempts();
      if (isOneSnapshot) {
        throw allAnew(anew.reason());
      }
      anotherAttempt(job, anew.reason());
    }
    String snapshot = isOneSnapshot ? snapshot() : null;
    claim = Claim.NEW;
    SourceTable table = catalogue.table(job.table());
    Job exported = job;
    RowPump pump =
        pump(
            exported,
            0,
            (row, at) -> TableOffset.exporting(exported.runId(), exported.jobId(), row));
    try {
      return read(
          new Reading(
              exported,
              pump,
              () -> {
                closeExport(exported, pump);
                return hasEnded(exported);
              }),
          share(exported, ReadRequest.full(table), snapshot));
    } catch (SourceException e) {
      if (isOneSnapshot && pump.rows() == 0 && e.kind() == SourceException.Kind.PASSING) {
        checkAttempts();
        throw allAnew(e.getMessage());
      }
      throw e;
    }
  }

  private void checkAttempts() {
    if (job.attempt() >= EXPORT_ATTEMPTS) {
      throw new TableFailure(
          "Cannot export table "
              + job.table()
              + ": "
              + EXPORT_ATTEMPTS
              + " attempts broke off inside; a window by incremental.tables would go on where it"
              + " stopped");
    }
  }

  /** The snapshot that all slices of the attempt read in; the first one takes it. */
  private String snapshot() {
    Job now = patience.ask(() -> db.runs().job(job.jobId())).orElse(job);
    Optional<String> noted = now.sharedSnapshot();
    if (!SliceOutlet.isFirst(job)) {
      return noted.orElseThrow(() -> siblings.awaited(job, "its snapshot is not taken yet"));
    }
    Optional<String> held = snapshots.of(job.jobId());
    if (held.isPresent()) {
      return held.get();
    }
    if (noted.isPresent()) {
      checkAttempts();
      throw allAnew("The snapshot its slices share is lost");
    }
    HeldSnapshot taken = source.holdSnapshot();
    snapshots.hold(job.jobId(), taken);
    patience.tell(() -> db.runs().noteSnapshot(job.jobId(), taken.name()));
    return taken.name();
  }

  /** All slices of the export begin anew in another snapshot, in whoever's hands. */
  private LeaseLost allAnew(String reason) {
    snapshots.release(job.jobId());
    patience.ask(() -> db.runs().newAttempts(job.jobId(), reason));
    return new LeaseLost(job.jobId(), "begins anew in all slices: " + reason);
  }

  private void closeExport(Job exported, RowPump pump) {
    Schema columns = pump.columnsWithoutRows().orElse(null);
    if (exported.slice().isWhole()) {
      outlet.exported(exported, pump.rows(), columns);
    } else {
      slices.exported(exported, pump.rows(), columns);
    }
  }

  /** A slice of an export is at its end; the first one closes the export once all are. */
  private boolean endedExport(long rows) {
    if (!SliceOutlet.isFirst(job)) {
      patience.tell(() -> db.runs().deliver(job.jobId(), rows, null));
      leases.drop(job.jobId());
      return true;
    }
    TableOffset table = offsets.of(job.table()).offset();
    if (table != null && job.jobId().equals(table.jobId()) && table.exportedAt() != null) {
      return deliver(rows);
    }
    slices.exportClosed(job, rows, siblings.allDelivered(job, job));
    snapshots.release(job.jobId());
    return true;
  }

  /** What is asked of the database for a job: everything, or its slice of it. */
  private static ReadRequest share(Job owner, ReadRequest everything, String snapshot) {
    return owner
        .rule()
        .map(rule -> everything.of(new ReadRequest.Share(owner.slice(), rule, snapshot)))
        .orElse(everything);
  }

  /** A slice of a window. */
  private boolean slice() {
    TableOffset table = offsets.of(job.table()).offset();
    TableOffsets.Known known = offsets.of(job.table(), job.slice());
    SliceStart start =
        SliceStart.ofWindow(job, table, known, claim, settings.identity().delivery());
    if (start instanceof SliceStart.Over) {
      return over();
    }
    if (start instanceof SliceStart.Ended ended) {
      patience.tell(() -> db.runs().deliver(job.jobId(), ended.rows(), null));
      leases.drop(job.jobId());
      return true;
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
      return finishSlice(finish, known, tracking);
    }
    if (start instanceof SliceStart.Close close) {
      return close(close, tracking);
    }
    if (start instanceof SliceStart.GoOn goOn) {
      return resume(job, goOn.at(), tracking);
    }
    if (start instanceof SliceStart.Anew anew) {
      anotherAttempt(job, anew.reason());
      claim = Claim.NEW;
      return false;
    }
    claim = Claim.NEW;
    if (start instanceof SliceStart.Begin begin) {
      return read(job, tracking, begin.lower(), begin.upper(), null, 0);
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
    if (!SliceOutlet.isFirst(job)) {
      throw new TableFailure(
          "Cannot read slice "
              + job.slice()
              + " of table "
              + job.table()
              + ": its window is closed");
    }
    return deliver(offsets.of(job.table()).offset().rows() - siblings.rowsOfOthers(job));
  }

  private boolean openWindow(Tracking tracking, String lower) {
    checkNulls(tracking, isFirst(job, lower));
    unreached.tell(tracking, isFirst(job, lower));
    String upper = job.upperBound() == null ? lower : job.upperBound();
    slices.opened(job, lower, between(tracking, lower, upper).upper().text());
    return false;
  }

  /** A slice of an earlier window is read to its end under its own job. */
  private boolean finishSlice(
      SliceStart.Finish finish, TableOffsets.Known known, Tracking tracking) {
    TableOffset window = finish.window();
    Optional<Job> earlier = siblings.ofSlice(window.runId(), job);
    if (earlier.isEmpty() || earlier.get().deliveredAt() != null) {
      return awaitOrReadAnew(earlier, window, tracking);
    }
    Job owner = earlier.get();
    Optional<Job> claimed = claimed(owner);
    if (claimed.isEmpty()) {
      return awaitOrReadAnew(Optional.empty(), window, tracking);
    }
    helped = owner.jobId();
    Tracking opened = catalogue.tracking(tracking.table(), TableSpec.parse(owner.incremental()));
    LOG.info(
        "Slice {} of table {} first finishes that of job {}",
        job.slice(),
        job.table(),
        owner.jobId());
    boolean isExact = settings.identity().delivery() == Delivery.EXACTLY_ONCE;
    boolean isOwn = known.origin() == TableOffsets.Origin.OWN;
    TableOffset at = finish.at();
    if (at != null && owner.jobId().equals(at.jobId()) && (isOwn || isExact)) {
      return resume(claimed.get(), at, opened);
    }
    Job attempt =
        isExact
            ? claimed.get()
            : anotherAttempt(claimed.get(), "The task was restarted inside the window");
    return read(attempt, opened, window.lastExported(), window.windowUpper(), null, 0);
  }

  /** Claims an earlier run's job; empty if it was given up. */
  private Optional<Job> claimed(Job owner) {
    Optional<Job> claimed =
        patience.ask(
            () ->
                db.runs()
                    .claim(owner.jobId(), settings.identity().owner(), settings.timing().lease()));
    if (claimed.isPresent()) {
      leases.take(owner.jobId());
    } else if (patience.ask(() -> db.runs().job(owner.jobId())).map(Job::owner).isPresent()) {
      throw new Postponed("job " + owner.jobId() + " is still held");
    }
    return claimed;
  }

  /** The first slice decides whether an earlier window can still be closed; the others wait. */
  private boolean awaitOrReadAnew(Optional<Job> earlier, TableOffset window, Tracking tracking) {
    if (!SliceOutlet.isFirst(job)) {
      throw siblings.awaited(job, "its earlier window is not closed yet");
    }
    LOG.warn(
        "The open window of table {} belongs to job {}, which {}: its rows are read again in this"
            + " run",
        job.table(),
        window.jobId(),
        earlier.isPresent() ? "is delivered already" : "is given up or not known");
    claim = Claim.NEW;
    return openWindow(tracking, window.lastExported());
  }

  /** All rows of the first slice are handed over: closes its window once those of all are. */
  private boolean close(SliceStart.Close close, Tracking tracking) {
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
    if (!owner.jobId().equals(job.jobId())) {
      if (claimed(owner).isEmpty()) {
        return awaitOrReadAnew(Optional.empty(), window, tracking);
      }
      helped = owner.jobId();
    }
    checkClaim(owner);
    Tracking opened = catalogue.tracking(tracking.table(), TableSpec.parse(owner.incremental()));
    slices.windowClosed(
        owner, opened, window.lastExported(), window.windowUpper(), close.rows(), all);
    helped = null;
    return owner.jobId().equals(job.jobId());
  }

  private boolean window() {
    TableOffsets.Known known = offsets.of(job.table());
    JobStart start = JobStart.ofWindow(job, known, claim, settings.identity().delivery());
    if (start instanceof JobStart.Ended ended) {
      return deliver(ended.rows());
    }
    Tracking tracking =
        catalogue.tracking(catalogue.table(job.table()), TableSpec.parse(job.incremental()));
    if (start instanceof JobStart.Finish finish) {
      return finish(finish, known, tracking);
    }
    if (start instanceof JobStart.GoOn goOn) {
      return resume(job, goOn.at(), tracking);
    }
    if (start instanceof JobStart.Anew anew) {
      anotherAttempt(job, anew.reason());
    }
    claim = Claim.NEW;
    TableOffset offset = known.offset();
    if (offset != null && offset.isWindowOpen()) {
      // A new attempt of the open window, from its lower bound.
      return read(job, tracking, offset.lastExported(), offset.windowUpper(), null, 0);
    }
    String lower =
        Optional.ofNullable(offset).flatMap(TableOffset::watermark).orElse(job.lowerBound());
    if (offset == null && lower != null && job.mode() == JobMode.INCREMENTAL) {
      tracking.value(lower);
      outlet.adopted(job, lower);
    }
    return ownWindow(tracking, lower);
  }

  /** The window of the open run. */
  private boolean ownWindow(Tracking tracking, String lower) {
    checkNulls(tracking, isFirst(job, lower));
    unreached.tell(tracking, isFirst(job, lower));
    if (job.upperBound() == null) {
      checkBoundless(tracking, lower);
      outlet.closed(job, tracking, lower, null, 0);
      return true;
    }
    return read(job, tracking, lower, job.upperBound(), null, 0);
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
        Optional<Long> later = source.largest(job.table(), tracking.column());
        LOG.debug("Table {} has no bound in this run; now it ends at {}", job.table(), later);
      }
      case DATE, LOCAL_TIME, INSTANT -> {}
    }
  }

  private boolean resume(Job owner, TableOffset at, Tracking tracking) {
    if (at.cursor() != null && !fits(at.cursor(), tracking)) {
      LOG.warn(
          "The columns or the key of table {} changed inside its window, which begins anew",
          job.table());
      Job next = anotherAttempt(owner, "The columns or the key changed inside the window");
      return read(next, tracking, at.lastExported(), at.windowUpper(), null, 0);
    }
    return read(owner, tracking, at.lastExported(), at.windowUpper(), at.cursor(), at.rows());
  }

  /** Whether the cursor was made of the key, or else the columns, that the table has now. */
  private static boolean fits(Cursor cursor, Tracking tracking) {
    SourceTable table = tracking.table();
    if (cursor instanceof Cursor.Hashed hashed) {
      return table.uniqueKey().isEmpty() && hashed.fingerprint().equals(table.fingerprint());
    }
    Cursor.Keyed keyed = (Cursor.Keyed) cursor;
    if (keyed.columns() == null) {
      return keyed.key().size() == table.uniqueKey().size();
    }
    // Earlier versions kept the key's names alone.
    return keyed.columns().equals(table.order(tracking.column()))
        || keyed.columns().equals(Cursor.columnsText(table.uniqueKey()));
  }

  /** An earlier job's window is open: it is read to its end under its own job. */
  private boolean finish(JobStart.Finish finish, TableOffsets.Known known, Tracking tracking) {
    Optional<Job> earlier = latestAttempt(finish.jobId());
    if (earlier.isEmpty()) {
      return readAnew(finish, tracking, "is not known to the LakeXpress DB");
    }
    Job owner = earlier.get();
    if (owner.deliveredAt() != null) {
      return readAnew(finish, tracking, "is delivered already");
    }
    Optional<Job> claimed =
        patience.ask(
            () ->
                db.runs()
                    .claim(owner.jobId(), settings.identity().owner(), settings.timing().lease()));
    if (claimed.isEmpty()) {
      if (patience.ask(() -> db.runs().job(owner.jobId())).map(Job::owner).isPresent()) {
        throw new Postponed("job " + owner.jobId() + " is still held");
      }
      return readAnew(finish, tracking, "was given up");
    }
    leases.take(owner.jobId());
    helped = owner.jobId();
    boolean isSame = owner.jobId().equals(finish.jobId());
    boolean isOwn = known.origin() == TableOffsets.Origin.OWN;
    // The window belongs to the column and direction it was opened with.
    Tracking opened = catalogue.tracking(tracking.table(), TableSpec.parse(owner.incremental()));
    LOG.info("Table {} first finishes the open window of job {}", job.table(), owner.jobId());
    TableOffset at = finish.at();
    if (isSame && (isOwn || settings.identity().delivery() == Delivery.EXACTLY_ONCE)) {
      return resume(claimed.get(), at, opened);
    }
    // The rows of a replaced attempt are discarded. Of its successor none are in the topic where
    // they come together with offsets; elsewhere some may be.
    Job attempt =
        settings.identity().delivery() == Delivery.EXACTLY_ONCE
            ? claimed.get()
            : anotherAttempt(claimed.get(), "The task was restarted inside the window");
    return read(attempt, opened, at.lastExported(), at.windowUpper(), null, 0);
  }

  private Optional<Job> latestAttempt(String jobId) {
    Optional<Job> attempt = patience.ask(() -> db.runs().job(jobId));
    while (attempt.isPresent() && attempt.get().isReplaced()) {
      String next = attempt.get().replacedBy();
      attempt = patience.ask(() -> db.runs().job(next));
    }
    return attempt;
  }

  /** Nobody can close the open window any more: its rows come again in the window of this job. */
  private boolean readAnew(JobStart.Finish finish, Tracking tracking, String why) {
    LOG.warn(
        "The open window of table {} belongs to job {}, which {}: its rows are read again under job"
            + " {}",
        job.table(),
        finish.jobId(),
        why,
        job.jobId());
    claim = Claim.NEW;
    return ownWindow(tracking, finish.at().lastExported());
  }

  private boolean read(
      Job owner, Tracking tracking, String lower, String upper, Cursor after, long rows) {
    Window window = between(tracking, lower, upper);
    String bound = window.upper().text();
    BiFunction<Long, Cursor, TableOffset> position =
        (row, at) -> TableOffset.open(lower, owner.runId(), owner.jobId(), row, bound, at);
    if (beginsWithoutWatermarks(owner, tracking, lower, after)) {
      RowPump pump = pump(owner, rows, position);
      return read(
          new Reading(
              owner,
              pump,
              () -> readWindow(owner, tracking, window, lower, null, pump.rows(), position)),
          share(
              owner,
              ReadRequest.withoutWatermark(tracking.table(), tracking.column(), after),
              null));
    }
    return readWindow(owner, tracking, window, lower, after, rows, position);
  }

  private boolean readWindow(
      Job owner,
      Tracking tracking,
      Window window,
      String lower,
      Cursor after,
      long rows,
      BiFunction<Long, Cursor, TableOffset> position) {
    String bound = window.upper().text();
    if (window.isEmpty()) {
      closeWindow(owner, tracking, lower, bound, rows);
      return hasEnded(owner);
    }
    RowPump pump = pump(owner, rows, position);
    return read(
        new Reading(
            owner,
            pump,
            () -> {
              closeWindow(owner, tracking, lower, bound, pump.rows());
              return hasEnded(owner);
            }),
        share(owner, new ReadRequest(tracking.table(), tracking.column(), window, after), null));
  }

  private void closeWindow(Job owner, Tracking tracking, String lower, String upper, long rows) {
    if (owner.slice().isWhole()) {
      outlet.closed(owner, tracking, lower, upper, rows);
    } else {
      slices.closed(owner, lower, upper, rows);
    }
  }

  /** Whether nothing is left to do for the job in hand, now that a job is read to its end. */
  private boolean hasEnded(Job owner) {
    boolean isOwn = owner.jobId().equals(job.jobId());
    boolean isToClose = !owner.slice().isWhole() && SliceOutlet.isFirst(owner);
    if (!isOwn && isToClose) {
      // It waits for its siblings, perhaps long and in another task's hands.
      leases.drop(owner.jobId());
      patience.tell(() -> db.runs().release(List.of(owner.jobId()), settings.identity().owner()));
    }
    helped = null;
    return isOwn && !isToClose;
  }

  /**
   * Whether the job begins, or goes on, with the rows that have no watermark. They come first: a
   * row that gets one meanwhile comes again rather than never.
   */
  private boolean beginsWithoutWatermarks(
      Job owner, Tracking tracking, String lower, Cursor after) {
    if (after != null) {
      return after.isWithoutWatermark();
    }
    return settings.runs().nullPolicy() == NullPolicy.FIRST_SYNC
        && isFirst(owner, lower)
        && tracking.mayLackWatermarks();
  }

  /** Whether a window is the first one of its table. */
  private static boolean isFirst(Job owner, String lower) {
    return lower == null || owner.mode() == JobMode.FIRST_SYNC;
  }

  private boolean read(Reading begun, ReadRequest request) {
    reading = begun;
    try {
      begun.pump().open(source, request);
    } catch (RuntimeException e) {
      letGo();
      throw e;
    }
    return readOn();
  }

  private boolean readOn() {
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
        tellInfinite(open.pump());
        yield open.closing().getAsBoolean();
      }
    };
  }

  /** Closes the cursor and its transaction; the next call goes on behind the last row. */
  void pause() {
    if (reading != null) {
      reading.pump().close();
    }
  }

  private void letGo() {
    Reading broken = reading;
    reading = null;
    try {
      broken.pump().close();
    } catch (SourceException e) {
      LOG.debug("The cursor of table {} did not close cleanly", broken.job().table(), e);
    }
  }

  private static Window between(Tracking tracking, String lower, String upper) {
    WatermarkValue from = lower == null ? null : tracking.value(lower);
    return new Window(from, tracking.value(upper), tracking.spec().direction());
  }

  private RowPump pump(Job owner, long rows, BiFunction<Long, Cursor, TableOffset> position) {
    leases.begin(owner.jobId());
    return new RowPump(
        settings.records(),
        handOver,
        offsets,
        this::checkClaim,
        owner,
        topics.of(owner.table()),
        position,
        rows,
        whenPaused,
        metrics.table(owner.table()));
  }

  private void checkClaim(Job owner) {
    if (!leases.isLost(owner.jobId())) {
      return;
    }
    Optional<Job> again =
        patience.ask(
            () ->
                db.runs()
                    .claim(owner.jobId(), settings.identity().owner(), settings.timing().lease()));
    if (again.isEmpty()) {
      throw new LeaseLost(owner.jobId());
    }
    leases.take(owner.jobId());
    leases.begin(owner.jobId());
  }

  private void checkNulls(Tracking tracking, boolean isFirst) {
    if (!tracking.mayLackWatermarks()) {
      return;
    }
    long rows = source.rowsWithoutWatermark(job.table(), tracking.column());
    metrics.table(job.table()).withoutWatermark(rows);
    if (rows == 0) {
      return;
    }
    String what =
        rows
            + " rows of table "
            + job.table()
            + " have no "
            + tracking.column().name()
            + " (it is NULL)";
    switch (settings.runs().nullPolicy()) {
      case FAIL -> throw new TableFailure("Cannot export table " + job.table() + " whole: " + what);
      case SKIP -> LOG.warn("{}: they are left out", what);
      case FIRST_SYNC -> {
        if (isFirst) {
          LOG.info("{}: they come once, with this first window", what);
        } else {
          LOG.warn("{}: they are left out, but for those that came with the first window", what);
        }
      }
    }
  }

  private void tellInfinite(RowPump pump) {
    if (pump.infiniteValues() > 0) {
      LOG.warn(
          "Table {} has {} infinite dates or times, handed over as the extremes of their types",
          job.table(),
          pump.infiniteValues());
    }
  }

  private Job anotherAttempt(Job broken, String reason) {
    Job next =
        patience.ask(
            () ->
                db.runs()
                    .newAttempt(
                        broken.jobId(),
                        reason,
                        settings.identity().owner(),
                        settings.timing().lease()));
    leases.drop(broken.jobId());
    leases.take(next.jobId());
    LOG.info(
        "Job {} of table {} begins anew as {}, attempt {}: {}",
        broken.jobId(),
        broken.table(),
        next.jobId(),
        next.attempt(),
        reason);
    if (broken.jobId().equals(job.jobId())) {
      job = next;
    } else {
      helped = next.jobId();
    }
    return next;
  }

  /** The offset proves the delivery, which the book has missed. */
  private boolean deliver(long rows) {
    OffsetProof proof = new OffsetProof(db, catalogue, patience);
    TableOffset offset = offsets.of(job.table()).offset();
    patience.tell(() -> proof.deliver(job, offset, rows));
    leases.drop(job.jobId());
    return true;
  }
}
