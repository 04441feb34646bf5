package io.lakexpress.connect;

/** A credentials file or an entry of it cannot be used. The message never holds a secret. */
public final class CredentialsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CredentialsException(String message) {
    super(message);
  }
}
