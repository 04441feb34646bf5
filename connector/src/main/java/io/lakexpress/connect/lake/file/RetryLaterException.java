package io.lakexpress.connect.lake.file;

import java.time.Duration;

/**
 * A service is down; the same records are to be handed over again after the delay. Nothing is lost
 * and nothing is written twice by that.
 */
public final class RetryLaterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Duration delay;

  public RetryLaterException(String message, Throwable cause, Duration delay) {
    super(message, cause);
    this.delay = delay;
  }

  public Duration delay() {
    return delay;
  }
}
