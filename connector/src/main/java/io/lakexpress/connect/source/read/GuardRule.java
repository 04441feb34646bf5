package io.lakexpress.connect.source.read;

import java.time.Duration;

/**
 * How late commits are looked for.
 *
 * @param longestWait how long a run waits for open transactions to end
 * @param readerHold how long a transaction that has only read holds runs back
 */
public record GuardRule(Mode mode, Duration longestWait, Duration readerHold) {
  /** Whether they are looked for. */
  public enum Mode {
    AUTO,
    OFF
  }

  /** Late commits are not looked for; only the safety lag helps. */
  public static GuardRule off() {
    return new GuardRule(Mode.OFF, Duration.ZERO, Duration.ZERO);
  }

  /** Open transactions are looked for. */
  public static GuardRule auto(Duration longestWait, Duration readerHold) {
    return new GuardRule(Mode.AUTO, longestWait, readerHold);
  }
}
