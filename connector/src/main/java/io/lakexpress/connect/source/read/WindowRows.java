package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.ReaderSettings.NullPolicy;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.offset.Cursor;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.WatermarkValue;
import io.lakexpress.watermark.Window;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the rows of a window, or of a slice of it, to their closing record. */
final class WindowRows {
  private static final Logger LOG = LoggerFactory.getLogger(WindowRows.class);

  /** Hands over what closes a window, or a slice of it. */
  interface Closing {
    void close(Job owner, Tracking tracking, String lower, String upper, long rows);
  }

  private final JobInHand hand;
  private final SourceDatabase source;
  private final UnreachedRows unreached;
  private final NullPolicy nullPolicy;
  private final SyncMetrics metrics;
  private final Closing closing;

  WindowRows(JobInHand hand, ReaderParts parts, SourceDatabase source, Closing closing) {
    this.hand = hand;
    this.source = source;
    this.unreached = new UnreachedRows(source);
    this.nullPolicy = parts.settings().runs().nullPolicy();
    this.metrics = parts.metrics();
    this.closing = closing;
  }

  static Window between(Tracking tracking, String lower, String upper) {
    WatermarkValue from = lower == null ? null : tracking.value(lower);
    return new Window(from, tracking.value(upper), tracking.spec().direction());
  }

  /** Looks at a table once before its window is read. */
  void lookAt(Job owner, Tracking tracking, String lower) {
    checkNulls(owner, tracking, isFirst(owner, lower));
    unreached.tell(tracking, isFirst(owner, lower));
  }

  /** Goes on where the offset says the window stands. */
  boolean resume(Job owner, TableOffset at, Tracking tracking) {
    if (at.cursor() != null && !fits(at.cursor(), tracking)) {
      LOG.warn(
          "The columns or the key of table {} changed inside its window, which begins anew",
          owner.table());
      Job next = hand.anotherAttempt(owner, "The columns or the key changed inside the window");
      return read(next, tracking, at.lastExported(), at.windowUpper());
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

  /** Reads a window from its beginning. */
  boolean read(Job owner, Tracking tracking, String lower, String upper) {
    return read(owner, tracking, lower, upper, null, 0);
  }

  private boolean read(
      Job owner, Tracking tracking, String lower, String upper, Cursor after, long rows) {
    Window window = between(tracking, lower, upper);
    String bound = window.upper().text();
    BiFunction<Long, Cursor, TableOffset> position =
        (row, at) -> TableOffset.open(lower, owner.runId(), owner.jobId(), row, bound, at);
    if (beginsWithoutWatermarks(owner, tracking, lower, after)) {
      RowPump pump = hand.pump(owner, rows, position);
      return hand.read(
          owner,
          pump,
          () -> readWindow(owner, tracking, window, lower, null, pump.rows(), position),
          ReadRequest.withoutWatermark(tracking.table(), tracking.column(), after));
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
      closing.close(owner, tracking, lower, bound, rows);
      return hand.hasEnded(owner);
    }
    RowPump pump = hand.pump(owner, rows, position);
    return hand.read(
        owner,
        pump,
        () -> {
          closing.close(owner, tracking, lower, bound, pump.rows());
          return hand.hasEnded(owner);
        },
        new ReadRequest(tracking.table(), tracking.column(), window, after));
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
    return nullPolicy == NullPolicy.FIRST_SYNC
        && isFirst(owner, lower)
        && tracking.mayLackWatermarks();
  }

  /** Whether a window is the first one of its table. */
  private static boolean isFirst(Job owner, String lower) {
    return lower == null || owner.mode() == JobMode.FIRST_SYNC;
  }

  private void checkNulls(Job owner, Tracking tracking, boolean isFirst) {
    if (!tracking.mayLackWatermarks()) {
      return;
    }
    long rows = source.rowsWithoutWatermark(owner.table(), tracking.column());
    metrics.table(owner.table()).withoutWatermark(rows);
    if (rows == 0) {
      return;
    }
    String what =
        rows
            + " rows of table "
            + owner.table()
            + " have no "
            + tracking.column().name()
            + " (it is NULL)";
    switch (nullPolicy) {
      case FAIL ->
          throw new TableFailure(
              "Cannot read all rows: "
                  + what
                  + ", and incremental.null.policy is fail; give them a value, or choose skip or"
                  + " first-sync");
      case SKIP -> LOG.warn("{}: they are left out", what);
      case FIRST_SYNC -> {
        if (isFirst) {
          LOG.info("{}: they come once, with this first window", what);
        } else {
          LOG.debug("{}: they are left out, but for those that came with the first window", what);
        }
      }
    }
  }
}
