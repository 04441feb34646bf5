package io.lakexpress.connect.lake.file;

/** A store refused or did not confirm an operation. */
public final class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean retriable;

  private StorageException(String message, boolean retriable, Throwable cause) {
    super(message, cause);
    this.retriable = retriable;
  }

  /** A failure that may pass by itself: the store is down, slow or overloaded. */
  public static StorageException passing(String message, Throwable cause) {
    return new StorageException(message, true, cause);
  }

  /** A failure that a person must mend: no right, no such container, a full disk quota. */
  public static StorageException lasting(String message, Throwable cause) {
    return new StorageException(message, false, cause);
  }

  /** Whether trying again later may help. */
  public boolean isRetriable() {
    return retriable;
  }
}
