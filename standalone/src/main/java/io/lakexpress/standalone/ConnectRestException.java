package io.lakexpress.standalone;

/** Connect's REST interface refused a request; the message is Connect's own. */
public final class ConnectRestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  ConnectRestException(int status, String message) {
    super(message);
    this.status = status;
  }

  /**
   * The HTTP status: 404 no such connector, 409 a rebalance is going on, 400 wrong configuration.
   */
  public int status() {
    return status;
  }
}
