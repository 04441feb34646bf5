package io.lakexpress.watermark;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Moments around the clock changes of zones that do it in different ways. */
final class ClockChanges {
  private static final String[] ZONES = {
    "UTC",
    "America/New_York",
    "Europe/Berlin",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "America/Havana",
    "America/Sitka",
    "Pacific/Kwajalein",
    "Africa/Casablanca",
    "Antarctica/Troll"
  };

  private static final long DAY = Duration.ofDays(1).toNanos();

  private ClockChanges() {}

  /** An instant and the zone in which zone-less values are written. */
  record Moment(Instant instant, ZoneId zone) {}

  /** Moments up to two days before and after a change. */
  static Arbitrary<Moment> nearby() {
    Arbitrary<ZoneId> zones = Arbitraries.of(ZONES).map(ZoneId::of);
    Arbitrary<Instant> anchors =
        Arbitraries.of(
            Instant.parse("1867-10-01T00:00:00Z"),
            Instant.parse("1969-09-01T00:00:00Z"),
            Instant.parse("1993-08-01T00:00:00Z"),
            Instant.parse("2011-12-20T00:00:00Z"),
            Instant.parse("2026-03-01T00:00:00Z"),
            Instant.parse("2026-07-01T00:00:00Z"));
    return Combinators.combine(zones, anchors, Arbitraries.longs().between(-2 * DAY, 2 * DAY))
        .as((zone, anchor, nanos) -> new Moment(change(zone, anchor).plusNanos(nanos), zone));
  }

  private static Instant change(ZoneId zone, Instant after) {
    ZoneOffsetTransition next = zone.getRules().nextTransition(after);
    return next == null ? after : next.getInstant();
  }

  /** The last multiple of a step, counted from midnight, at or before a time. */
  static LocalDateTime cut(LocalDateTime time, Duration step) {
    return time.minusNanos(time.toLocalTime().toNanoOfDay() % step.toNanos());
  }
}
