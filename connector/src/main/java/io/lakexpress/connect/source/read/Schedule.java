package io.lakexpress.connect.source.read;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * When the next run is due, measured by the clock of the LakeXpress DB.
 *
 * @param cron takes the place of the interval; null where the interval counts
 */
public record Schedule(Duration interval, CronExpression cron) {
  /** A run this long after the last one was opened. */
  public static Schedule every(Duration interval) {
    return new Schedule(Objects.requireNonNull(interval, "interval"), null);
  }

  /** A run at each time the expression names. */
  public static Schedule cron(CronExpression cron) {
    return new Schedule(null, Objects.requireNonNull(cron, "cron"));
  }

  /**
   * Whether a run is due.
   *
   * @param lastOpened when the last run was opened; null if none ever was
   */
  public boolean isDue(Instant lastOpened, Instant now) {
    return untilDue(lastOpened, now).isZero();
  }

  /**
   * How long until a run is due; zero if it is. A last run in the future (the clock was set back)
   * makes the next one due at once, so that no sync falls silent.
   */
  public Duration untilDue(Instant lastOpened, Instant now) {
    if (lastOpened == null || lastOpened.isAfter(now)) {
      return Duration.ZERO;
    }
    Instant due = cron == null ? lastOpened.plus(interval) : cron.next(lastOpened);
    return due.isAfter(now) ? Duration.between(now, due) : Duration.ZERO;
  }
}
