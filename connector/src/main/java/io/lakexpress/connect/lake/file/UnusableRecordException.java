package io.lakexpress.connect.lake.file;

/** A record that the sink is not configured to take. The message says what to change. */
public final class UnusableRecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnusableRecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
