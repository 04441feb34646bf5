package io.lakexpress.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * One owner per data directory. The operating system lets go of the lock when its process dies, so
 * a killed owner never leaves it behind.
 */
final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  static DirectoryLock acquire(Path directory) {
    Path file = directory.resolve("lock");
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locks(channel)) {
        channel.close();
        throw new WrongSettingException(
            "Cannot use data directory " + directory + ": another process is running on it");
      }
      return new DirectoryLock(channel);
    } catch (IOException e) {
      throw new WrongSettingException(
          "Cannot use data directory " + directory + ": " + e.getMessage(), e);
    }
  }

  private static boolean locks(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
