package io.lakexpress.standalone;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

final class ListenPortsTest {
  @Test
  void aPortInUseIsToldInOneLineWithTheOptionThatHelps() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> ListenPorts.requireFree(taken.getLocalPort(), "--rest-port"))
          .isInstanceOf(WrongSettingException.class)
          .hasMessage(
              "Cannot listen on port "
                  + taken.getLocalPort()
                  + ": it is in use; give another with --rest-port");
    }
  }

  @Test
  void aFreePortCanBeListenedOn() {
    int port = ListenPorts.free();

    assertThatCode(() -> ListenPorts.requireFree(port, "--rest-port")).doesNotThrowAnyException();
  }
}
