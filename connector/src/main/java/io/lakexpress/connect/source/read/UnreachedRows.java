package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.UpperBound;
import io.lakexpress.watermark.WatermarkValue;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of rows dated so far in the future that no window reaches them for long, or, at infinity,
 * ever. They never become a watermark, as windows end by the clock.
 */
final class UnreachedRows {
  private static final Logger LOG = LoggerFactory.getLogger(UnreachedRows.class);

  /** Rows of the coming day may well be meant. */
  private static final Duration SOON = Duration.ofDays(1);

  private final SourceDatabase source;

  UnreachedRows(SourceDatabase source) {
    this.source = source;
  }

  /**
   * Looks and tells, where looking is cheap beside the window itself.
   *
   * @param isFirst whether it is the table's first window, which reads everything anyhow
   */
  void tell(Tracking tracking, boolean isFirst) {
    switch (tracking.column().kind()) {
      case INTEGER, ROWVERSION -> {}
      case DATE, LOCAL_TIME, INSTANT -> {
        if (isFirst
            || source.hasIndexLeadingWith(tracking.table().id(), tracking.column().name())) {
          tellOfTimes(tracking);
        }
      }
    }
  }

  private void tellOfTimes(Tracking tracking) {
    WatermarkValue soon =
        UpperBound.of(
            source.now().plus(SOON), tracking.column(), Direction.INCLUSIVE, tracking.zone());
    long rows = source.rowsAbove(tracking.table().id(), tracking.column(), soon);
    if (rows > 0) {
      LOG.warn(
          "{} rows of table {} have a {} later than {}: no window reaches them before that time,"
              + " and none reaches infinity",
          rows,
          tracking.table().id(),
          tracking.column().name(),
          soon.text());
    }
  }
}
