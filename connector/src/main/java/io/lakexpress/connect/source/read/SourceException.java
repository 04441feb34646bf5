package io.lakexpress.connect.source.read;

/** The source database refused something or could not be reached. Messages never hold a secret. */
public final class SourceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Decided in one place, by SQLState. */
  public enum Kind {
    /** Connection, deadlock, restart, standby conflict: try again, resume at the cursor. */
    PASSING,
    /** No such table, no right, bad column, bad value: fails the table. */
    LASTING,
    /** Stopped on purpose by {@link SourceDatabase#cancel}. */
    CANCELLED
  }

  private final Kind kind;

  public SourceException(String message, Throwable cause, Kind kind) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
