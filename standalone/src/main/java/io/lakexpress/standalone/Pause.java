package io.lakexpress.standalone;

/** The short wait between two looks at something that has no event to wait for. */
final class Pause {
  private static final long MILLIS = 100;

  private Pause() {}

  static void brief() {
    try {
      Thread.sleep(MILLIS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  static StackException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new StackException("Interrupted while waiting for a part of the stack", cause);
  }
}
