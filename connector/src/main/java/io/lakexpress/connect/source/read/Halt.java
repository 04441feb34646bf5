package io.lakexpress.connect.source.read;

import java.time.Duration;

/** Tells the reader's thread to stop, and lets it wait until something happens. Thread-safe. */
final class Halt {
  /** Unwinds the reader's thread once it is to stop. */
  static final class Halted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Halted() {
      super("The reader was stopped", null, false, false);
    }
  }

  private boolean requested;
  private boolean woken;

  synchronized void request() {
    requested = true;
    notifyAll();
  }

  /** Ends a wait early. */
  synchronized void wake() {
    woken = true;
    notifyAll();
  }

  synchronized boolean isRequested() {
    return requested;
  }

  void check() {
    if (isRequested()) {
      throw new Halted();
    }
  }

  /** Waits, at most so long; a wake-up since the last wait counts. */
  synchronized void await(Duration longest) {
    waitFor(longest, Ending.WAKE_UP);
    woken = false;
    check();
  }

  /** Waits the whole time, whatever happens meanwhile. */
  synchronized void sleep(Duration time) {
    waitFor(time, Ending.TIME);
    check();
  }

  private enum Ending {
    WAKE_UP,
    TIME
  }

  private synchronized void waitFor(Duration longest, Ending ending) {
    long end = System.nanoTime() + longest.toNanos();
    try {
      while (!requested && !(woken && ending == Ending.WAKE_UP) && end > System.nanoTime()) {
        wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      requested = true;
    }
  }
}
