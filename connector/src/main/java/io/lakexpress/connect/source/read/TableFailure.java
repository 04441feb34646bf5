package io.lakexpress.connect.source.read;

/** A table cannot be read, and trying again will not help. Its message says why and what to do. */
final class TableFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TableFailure(String message) {
    super(message);
  }

  TableFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
