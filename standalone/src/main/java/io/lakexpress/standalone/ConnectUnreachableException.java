package io.lakexpress.standalone;

import java.net.URI;

/** Nobody answers where Connect's REST interface should be. */
public final class ConnectUnreachableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConnectUnreachableException(URI restUrl, Throwable cause) {
    super("Cannot reach Kafka Connect at " + restUrl + ": " + reason(cause), cause);
  }

  private static String reason(Throwable cause) {
    // java.net.http gives a refused connection no message at all.
    return cause.getMessage() == null ? "connection refused" : cause.getMessage();
  }
}
