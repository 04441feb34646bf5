package io.lakexpress.connect.source.read;

import java.time.Duration;

/**
 * How long the reader waits for what.
 *
 * @param lease how long a claim on a sync or job lives without renewal
 * @param renewal how often claims are renewed
 * @param pause how long poll() may stay away before the cursor is closed
 * @param look how often an idle reader looks for something to do
 * @param poll how long poll() waits for rows
 * @param firstRetry wait before the first repetition; doubled each time
 * @param lastRetry longest wait between repetitions
 * @param tries how often a job is tried without progress before it fails
 */
public record Timing(
    Duration lease,
    Duration renewal,
    Duration pause,
    Duration look,
    Duration poll,
    Duration firstRetry,
    Duration lastRetry,
    int tries) {

  /** What the product runs with. */
  public static Timing standard() {
    return new Timing(
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(5),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(60),
        10);
  }

  /** The wait before repetition {@code number}, counted from 1. */
  Duration wait(int number) {
    Duration wait = firstRetry.multipliedBy(1L << Math.min(number - 1, 20));
    return wait.compareTo(lastRetry) > 0 ? lastRetry : wait;
  }

  /**
   * The wait before repetition {@code number} of a renewal: never longer than between renewals, so
   * that a claim which outlived an outage is renewed before anybody gives it up.
   */
  Duration renewalWait(int number) {
    Duration wait = wait(number);
    return wait.compareTo(renewal) > 0 ? renewal : wait;
  }
}
