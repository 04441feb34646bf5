package io.lakexpress.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** The ports of this machine's loopback address that the stack listens on. */
public final class ListenPorts {
  private ListenPorts() {}

  /** A port nobody listens on at this moment. */
  public static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Throws unless the port can be listened on.
   *
   * @param option the option that chooses another port, named in the message
   */
  public static void requireFree(int port, String option) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new WrongSettingException(
          "Cannot listen on port " + port + ": it is in use; give another with " + option, e);
    }
  }
}
