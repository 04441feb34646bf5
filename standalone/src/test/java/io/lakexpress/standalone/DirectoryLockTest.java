package io.lakexpress.standalone;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirectoryLockTest {
  @TempDir Path directory;

  @Test
  void aSecondOwnerIsRefused() {
    DirectoryLock first = DirectoryLock.acquire(directory);

    assertThatThrownBy(() -> DirectoryLock.acquire(directory))
        .isInstanceOf(WrongSettingException.class)
        .hasMessage(
            "Cannot use data directory " + directory + ": another process is running on it");
    first.close();
  }

  @Test
  void theDirectoryIsFreeAgainOnceTheOwnerLetsGo() {
    DirectoryLock.acquire(directory).close();

    DirectoryLock.acquire(directory).close();
  }
}
