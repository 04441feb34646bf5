package io.lakexpress.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL's files within a data directory, and what a killed JVM may have left of them: a
 * running server, or a cluster whose making was cut short.
 */
final class DatabaseCluster {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseCluster.class);
  private static final Duration STOP_PATIENCE = Duration.ofMinutes(1);

  private final Path home;
  private final Path directory;
  private final Path finishedMark;

  DatabaseCluster(Path home) {
    this.home = home.toAbsolutePath();
    this.directory = this.home.resolve("cluster");
    this.finishedMark = this.home.resolve("cluster-finished");
  }

  Path directory() {
    return directory;
  }

  Path log() {
    return home.resolve("postgres.log");
  }

  /** Whether the cluster has its user and databases. */
  boolean isFinished() {
    return Files.exists(finishedMark);
  }

  void markFinished() {
    try {
      Files.createFile(finishedMark);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a cluster whose making was cut short: the server would start on it and fail later. */
  void discardUnfinished() {
    if (isFinished() || !Files.exists(directory)) {
      return;
    }
    LOG.warn("Discarding the unfinished database cluster {}", directory);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new StackException("Cannot delete the unfinished cluster " + directory, e);
    }
  }

  /** Stops the server that a killed process left running on this directory, if there is one. */
  void stopLeftover() {
    Path pidFile = directory.resolve("postmaster.pid");
    Optional<Long> pid = readPid(pidFile);
    if (pid.isEmpty()) {
      return;
    }
    Optional<ProcessHandle> leftover = ProcessHandle.of(pid.get()).filter(this::isServer);
    if (leftover.isPresent()) {
      LOG.info("Stopping the PostgreSQL server {} that an earlier start left", pid.get());
      interrupt(pid.get());
      awaitEnd(leftover.get(), pidFile);
    }
    // The number may belong to somebody else by now, and PostgreSQL would refuse to start beside
    // it.
    delete(pidFile);
  }

  private static Optional<Long> readPid(Path pidFile) {
    try {
      List<String> lines = Files.readAllLines(pidFile);
      return lines.isEmpty() ? Optional.empty() : Optional.of(Long.valueOf(lines.get(0).strip()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NumberFormatException e) {
      throw new StackException("Invalid process id in " + pidFile + ": expected a number", e);
    }
  }

  /** A dead server whose parent never asked for it still has a process, but no command. */
  private boolean isServer(ProcessHandle process) {
    return process.info().command().filter(command -> command.contains("postgres")).isPresent();
  }

  /** Sends what PostgreSQL takes for a fast shutdown; TERM would wait for its clients. */
  private static void interrupt(long pid) {
    try {
      new ProcessBuilder("sh", "-c", "kill -INT " + pid)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new StackException("Cannot stop the PostgreSQL server " + pid, e);
    } catch (InterruptedException e) {
      throw Pause.interrupted(e);
    }
  }

  private void awaitEnd(ProcessHandle server, Path pidFile) {
    long deadline = System.nanoTime() + STOP_PATIENCE.toNanos();
    while (Files.exists(pidFile) && isServer(server)) {
      if (System.nanoTime() - deadline > 0) {
        throw new StackException(
            "Cannot stop the PostgreSQL server " + server.pid() + " that an earlier start left");
      }
      Pause.brief();
    }
  }

  private static void delete(Path pidFile) {
    try {
      Files.deleteIfExists(pidFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
