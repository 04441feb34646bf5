package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.LakexpressDbException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets one process migrate at a time. Servers need none, Flyway locks there; beside an SQLite file
 * lies a lock file.
 */
final class MigrationLock {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);

  private final Optional<Path> file;

  MigrationLock(Optional<Path> file) {
    this.file = file;
  }

  /** The lock while it is held. */
  static final class Held implements AutoCloseable {
    private final FileChannel channel;

    private Held(FileChannel channel) {
      this.channel = channel;
    }

    /** Refuses to go on if the lock was lost. */
    void check() {
      if (channel != null && !channel.isOpen()) {
        throw new IllegalStateException("The migration lock is not held");
      }
    }

    @Override
    public void close() {
      if (channel == null) {
        return;
      }
      try {
        channel.close();
      } catch (IOException e) {
        throw new LakexpressDbException(
            "Cannot give the migration lock back: " + e.getMessage(), e, Kind.PASSING);
      }
    }
  }

  Held hold(BooleanSupplier isUnwanted) {
    return file.map(path -> hold(path, isUnwanted)).orElseGet(() -> new Held(null));
  }

  private static Held hold(Path path, BooleanSupplier isUnwanted) {
    FileChannel channel = open(path);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isTaken(channel, path)) {
      if (isUnwanted.getAsBoolean()
          || Thread.currentThread().isInterrupted()
          || System.nanoTime() >= end) {
        new Held(channel).close();
        throw new LakexpressDbException(
            "Cannot migrate the LakeXpress DB: another process holds " + path, null, Kind.PASSING);
      }
      LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
    }
    return new Held(channel);
  }

  private static FileChannel open(Path path) {
    try {
      return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new LakexpressDbException(
          "Cannot write the lock file " + path + ": " + e.getMessage(), e, Kind.LASTING);
    }
  }

  private static boolean isTaken(FileChannel channel, Path path) {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      // Somebody in this JVM has it.
      return false;
    } catch (IOException e) {
      new Held(channel).close();
      throw new LakexpressDbException(
          "Cannot lock " + path + ": " + e.getMessage(), e, Kind.LASTING);
    }
  }
}
