package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.lxdb.Job;
import io.lakexpress.offset.TableOffset;

/** How to begin with a claimed job, decided from the table's offset alone. */
sealed interface JobStart {
  /** Where the claim on a job came from. */
  enum Claim {
    /** Nobody read it before. */
    NEW,
    /** An earlier start of this task held it, and may have handed rows over. */
    INHERITED
  }

  /** Begin with it. */
  record Begin() implements JobStart {}

  /** Go on behind the row that the offset names. */
  record GoOn(TableOffset at) implements JobStart {}

  /** Rows of it may be in the topic: read it anew under another job id. */
  record Anew(String reason) implements JobStart {}

  /** This task handed over all of it, and Connect has not said yet that it is kept. */
  record HandedOver() implements JobStart {}

  /** The offset proves that it ended. */
  record Ended(long rows) implements JobStart {}

  /** Another job left its window open: that one first. */
  record Finish(String jobId, TableOffset at) implements JobStart {}

  /** The decision for an incremental table. */
  static JobStart ofWindow(Job job, TableOffsets.Known known, Claim claim, Delivery delivery) {
    TableOffset offset = known.offset();
    boolean isOwn = known.origin() == TableOffsets.Origin.OWN;
    boolean isSame = offset != null && job.jobId().equals(offset.jobId());
    if (offset != null && offset.isWindowOpen()) {
      if (!isSame) {
        return new Finish(offset.jobId(), offset);
      }
      return isOwn || delivery == Delivery.EXACTLY_ONCE
          ? new GoOn(offset)
          : new Anew("The task was restarted inside the window");
    }
    if (isSame) {
      return isOwn ? new HandedOver() : new Ended(offset.rows());
    }
    return claim == Claim.INHERITED && delivery == Delivery.AT_LEAST_ONCE
        ? new Anew("The task was restarted inside the window")
        : new Begin();
  }

  /** The decision for a full export. */
  static JobStart ofExport(Job job, TableOffsets.Known known, Claim claim, Delivery delivery) {
    TableOffset offset = known.offset();
    if (offset != null && job.jobId().equals(offset.jobId())) {
      if (offset.exportedAt() == null) {
        return new Anew("The export was broken off inside");
      }
      return known.origin() == TableOffsets.Origin.OWN
          ? new HandedOver()
          : new Ended(offset.rows());
    }
    return claim == Claim.INHERITED && delivery == Delivery.AT_LEAST_ONCE
        ? new Anew("The task was restarted inside the export")
        : new Begin();
  }
}
