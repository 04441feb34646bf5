package io.lakexpress.watermark;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * Turns the instant of a run into the upper bound of a table's window, in the column's own type,
 * zone and precision, such that no row stamped later can still receive a value inside the window.
 * The exception is {@code date} with {@link Direction#INCLUSIVE}: it includes the running day, as
 * the seed has it.
 */
public final class UpperBound {
  /** Longest look ahead for a clock that will be set back; no zone's repeated stretch is longer. */
  private static final Duration LOOK_AHEAD = Duration.ofHours(26);

  private UpperBound() {}

  /**
   * The instant that bounds a run: its start less the safety lag.
   *
   * @throws IllegalArgumentException for a negative lag, which would read rows still to come
   */
  public static Instant instant(Instant runStart, Duration safetyLag) {
    if (safetyLag.isNegative()) {
      throw new IllegalArgumentException(
          "Invalid safety lag " + safetyLag + ": expected 0 seconds or more");
    }
    return runStart.minus(safetyLag);
  }

  /**
   * The bound of a date or time column.
   *
   * @param instant run start less safety lag, or the guard's earlier instant
   * @param zone the zone that zone-less values of the column are in
   * @throws IllegalArgumentException for columns that hold no time
   */
  public static WatermarkValue of(
      Instant instant, WatermarkColumn column, Direction direction, ZoneId zone) {
    return switch (column.kind()) {
      case DATE -> new WatermarkValue.Day(smallestLocalTime(instant, zone).toLocalDate());
      case LOCAL_TIME ->
          new WatermarkValue.LocalTime(
              below(floor(smallestLocalTime(instant, zone), column), column, direction));
      case INSTANT -> {
        LocalDateTime utc = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
        yield new WatermarkValue.PointInTime(
            below(floor(utc, column), column, direction).toInstant(ZoneOffset.UTC));
      }
      case INTEGER, ROWVERSION ->
          throw new IllegalArgumentException(
              "Cannot compute the bound of column "
                  + column.name()
                  + " from a clock: it holds no time");
    };
  }

  private static LocalDateTime below(
      LocalDateTime floored, WatermarkColumn column, Direction direction) {
    return direction == Direction.INCLUSIVE ? floored.minus(column.step()) : floored;
  }

  /**
   * The last value the column keeps exactly at or before the time. Databases round to the nearest
   * value they keep; rounding never passes a value that is kept exactly, so no later time is
   * rounded below this one.
   */
  private static LocalDateTime floor(LocalDateTime time, WatermarkColumn column) {
    return time.minusNanos(time.toLocalTime().toNanoOfDay() % column.step().toNanos());
  }

  /** The smallest local time that this or any later instant can have in the zone. */
  private static LocalDateTime smallestLocalTime(Instant instant, ZoneId zone) {
    ZoneRules rules = zone.getRules();
    LocalDateTime smallest = LocalDateTime.ofInstant(instant, zone);
    Instant horizon = instant.plus(LOOK_AHEAD);
    ZoneOffsetTransition next = rules.nextTransition(instant);
    while (next != null && next.getInstant().isBefore(horizon)) {
      if (next.getDateTimeAfter().isBefore(smallest)) {
        smallest = next.getDateTimeAfter();
      }
      next = rules.nextTransition(next.getInstant());
    }
    return smallest;
  }
}
