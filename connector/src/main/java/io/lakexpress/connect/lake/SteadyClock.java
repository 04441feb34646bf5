package io.lakexpress.connect.lake;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/**
 * The time of day when it was made, and from then on the time that really passed: whoever sets the
 * machine's clock back or forward makes nothing late or early. Good for how long, not for when.
 * Thread-safe.
 */
final class SteadyClock extends Clock {
  private final Clock wall;
  private final LongSupplier nanos;
  private final Instant begun;
  private final long begunAtNanos;

  SteadyClock() {
    this(Clock.systemUTC(), System::nanoTime);
  }

  SteadyClock(Clock wall, LongSupplier nanos) {
    this.wall = wall;
    this.nanos = nanos;
    this.begun = wall.instant();
    this.begunAtNanos = nanos.getAsLong();
  }

  @Override
  public Instant instant() {
    return begun.plusNanos(nanos.getAsLong() - begunAtNanos);
  }

  @Override
  public ZoneId getZone() {
    return wall.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return new SteadyClock(wall.withZone(zone), nanos);
  }
}
