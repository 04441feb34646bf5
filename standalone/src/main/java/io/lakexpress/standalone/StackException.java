package io.lakexpress.standalone;

/** A part of the stack cannot start or stop; the message is fit for the person who started it. */
public class StackException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StackException(String message) {
    super(message);
  }

  public StackException(String message, Throwable cause) {
    super(message, cause);
  }
}
