package io.lakexpress.lxdb;

/**
 * A newer writer took the topic partition: the caller must discard what it staged and stop writing
 * it.
 */
public final class StaleEpochException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StaleEpochException(String message) {
    super(message);
  }
}
