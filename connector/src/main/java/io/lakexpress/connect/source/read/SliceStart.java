package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobStart.Claim;
import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.lxdb.Job;
import io.lakexpress.offset.TableOffset;

/**
 * How to go on with a claimed slice of a window, decided from the table's offset and the slice's. A
 * slice's offset counts only while its run's window is the one that the table's offset says is
 * open; the job of the first slice opens and closes it.
 */
sealed interface SliceStart {
  /** Read the slice of the window, from its beginning. */
  record Begin(String lower, String upper) implements SliceStart {}

  /** Go on behind the row that the slice's offset names. */
  record GoOn(TableOffset at) implements SliceStart {}

  /** Rows of it may be in the topic: read it anew under another job id. */
  record Anew(String reason) implements SliceStart {}

  /** The slice's offset proves that it ended; nobody may have told the LakeXpress DB. */
  record Ended(long rows) implements SliceStart {}

  /** The table's offset proves that the whole window was closed. */
  record Over() implements SliceStart {}

  /** Open the table's window. */
  record Open() implements SliceStart {}

  /** Wait until the first slice's reader has opened the window. */
  record AwaitOpening() implements SliceStart {}

  /**
   * An earlier run left the window open, and this slice of it unfinished: that first.
   *
   * @param at where it stands; null if it was not begun
   */
  record Finish(TableOffset window, TableOffset at) implements SliceStart {}

  /** This slice of the open window is at its end: close the window once all are. */
  record Close(TableOffset window, long rows) implements SliceStart {}

  /** This slice of an earlier window is at its end: wait until that window is closed. */
  record AwaitClosing() implements SliceStart {}

  /**
   * The decision.
   *
   * @param table the table's offset, or null
   * @param known the slice's
   */
  static SliceStart ofWindow(
      Job job, TableOffset table, TableOffsets.Known known, Claim claim, Delivery delivery) {
    boolean isFirst = SliceOutlet.isFirst(job);
    TableOffset slice = known.offset();
    boolean isOpen = table != null && table.isWindowOpen();
    boolean isOurs = table != null && job.runId().equals(table.runId());
    if (isOpen && !isOurs) {
      boolean counts = slice != null && table.runId().equals(slice.runId());
      if (!counts || slice.isWindowOpen()) {
        return new Finish(table, counts ? slice : null);
      }
      return isFirst ? new Close(table, slice.rows()) : new AwaitClosing();
    }
    if (isOurs && !isOpen) {
      return new Over();
    }
    boolean isBegun = slice != null && job.jobId().equals(slice.jobId());
    if (isBegun && (isOpen || !isFirst)) {
      return begun(job, table, known, delivery);
    }
    if ((isBegun || claim == Claim.INHERITED) && delivery == Delivery.AT_LEAST_ONCE) {
      return new Anew("The task was restarted inside the window");
    }
    if (isOpen) {
      return new Begin(table.lastExported(), table.windowUpper());
    }
    if (isFirst) {
      return new Open();
    }
    if (delivery == Delivery.EXACTLY_ONCE) {
      // Rows of a slice whose offset does not count yet would come twice after a restart.
      return new AwaitOpening();
    }
    String watermark = table == null ? null : table.lastExported();
    String lower = watermark == null ? job.lowerBound() : watermark;
    return new Begin(lower, job.upperBound() == null ? lower : job.upperBound());
  }

  private static SliceStart begun(
      Job job, TableOffset table, TableOffsets.Known known, Delivery delivery) {
    TableOffset slice = known.offset();
    boolean isOwn = known.origin() == TableOffsets.Origin.OWN;
    if (!slice.isWindowOpen()) {
      return SliceOutlet.isFirst(job)
          ? new Close(table, slice.rows())
          : isOwn ? new AwaitClosing() : new Ended(slice.rows());
    }
    return isOwn || delivery == Delivery.EXACTLY_ONCE
        ? new GoOn(slice)
        : new Anew("The task was restarted inside the window");
  }
}
