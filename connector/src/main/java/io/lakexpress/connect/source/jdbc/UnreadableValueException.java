package io.lakexpress.connect.source.jdbc;

/** A value that has no place in the record; the cursor adds table, column and key. */
final class UnreadableValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableValueException(String reason) {
    super(reason);
  }
}
