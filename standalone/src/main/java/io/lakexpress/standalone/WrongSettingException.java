package io.lakexpress.standalone;

/** A part of the stack cannot start with what it was given: another port or directory would do. */
public final class WrongSettingException extends StackException {
  private static final long serialVersionUID = 1L;

  public WrongSettingException(String message) {
    super(message);
  }

  public WrongSettingException(String message, Throwable cause) {
    super(message, cause);
  }
}
