package io.lakexpress.connect.lake.file;

import java.time.Duration;

/** Delays that double from one second to one minute, until something succeeds. Not thread-safe. */
public final class Backoff {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private int failures;

  /** The delay after one more failure. */
  public Duration failed() {
    Duration delay = FIRST.multipliedBy(1L << Math.min(failures, 6));
    failures++;
    return delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
  }

  public void succeeded() {
    failures = 0;
  }

  /** How many times it failed in a row. */
  public int failures() {
    return failures;
  }
}
