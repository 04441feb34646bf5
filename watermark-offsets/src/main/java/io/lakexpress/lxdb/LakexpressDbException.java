package io.lakexpress.lxdb;

/** The LakeXpress DB could not do something. The message names what and why, never a secret. */
public final class LakexpressDbException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean retriable;

  public LakexpressDbException(String message, Throwable cause, Kind kind) {
    super(message, cause);
    this.retriable = kind == Kind.PASSING;
  }

  /** Whether trying again may help. */
  public enum Kind {
    /** Down, restarting, busy, deadlocked. */
    PASSING,
    /** Wrong password, no right, unknown schema version. */
    LASTING
  }

  /** Whether trying again later may help. */
  public boolean isRetriable() {
    return retriable;
  }
}
