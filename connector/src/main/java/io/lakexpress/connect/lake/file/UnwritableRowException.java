package io.lakexpress.connect.lake.file;

/**
 * A row or schema that a file cannot represent without changing a value. Trying again does not
 * help.
 */
public final class UnwritableRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnwritableRowException(String message) {
    super(message);
  }

  public UnwritableRowException(String message, Throwable cause) {
    super(message, cause);
  }
}
