package io.lakexpress.stack;

import io.lakexpress.standalone.ChildProcess;
import io.lakexpress.standalone.ConnectRest;
import io.lakexpress.standalone.ListenPorts;
import io.lakexpress.standalone.WorkerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** A Connect worker in a process of its own that is killed or frozen, and started again. */
final class MortalWorker implements AutoCloseable {
  private static final Duration START_PATIENCE = Duration.ofMinutes(2);

  private final WorkerSettings settings;
  private final Path logs;
  private ChildProcess process;
  private boolean frozen;

  private MortalWorker(WorkerSettings settings, Path logs) {
    this.settings = settings;
    this.logs = logs;
  }

  /** A worker of a group of its own, not started yet. */
  static MortalWorker of(TestingStack stack, String group) {
    return of(stack, group, group);
  }

  /** A worker of a group, not started yet. */
  static MortalWorker of(TestingStack stack, String group, String name) {
    return new MortalWorker(
        new WorkerSettings(
                stack.kafka().bootstrapServers(), ListenPorts.free(), TestingStack.plugins())
            .with("group.id", group + "-workers")
            .with("config.storage.topic", group + "-configs")
            .with("offset.storage.topic", group + "-offsets")
            .with("status.storage.topic", group + "-status"),
        stack.directory().resolve("worker-" + name));
  }

  /** The same with another worker property, not started yet. */
  MortalWorker with(String property, String value) {
    return new MortalWorker(settings.with(property, value), logs);
  }

  /** Starts the process; {@link #awaitReady} tells when it can be used. */
  void start() {
    process = ChildProcess.worker(settings, logs, "512m");
  }

  void awaitReady() {
    process.awaitReady(START_PATIENCE);
  }

  /** {@code kill -9}. */
  void kill() {
    process.kill();
  }

  /** {@code kill -STOP}: it does nothing any more and does not know it. */
  void freeze() {
    signal("STOP");
    frozen = true;
  }

  /** {@code kill -CONT}: it goes on where it was. */
  void wake() {
    signal("CONT");
    frozen = false;
  }

  private void signal(String name) {
    try {
      int exitCode =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      if (exitCode != 0) {
        throw new IllegalStateException("Cannot send " + name + " to worker " + id());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  ConnectRest rest() {
    return new ConnectRest(URI.create("http://" + id()));
  }

  /** How Connect calls it. */
  String id() {
    return "localhost:" + settings.restPort();
  }

  /** How many lines of its logs hold one of these texts. */
  long logged(String... texts) {
    try (Stream<Path> files = Files.walk(logs)) {
      long lines = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (Stream<String> content = Files.lines(file)) {
          lines += content.filter(line -> Stream.of(texts).anyMatch(line::contains)).count();
        }
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (process == null) {
      return;
    }
    if (frozen) {
      wake();
    }
    process.close();
  }
}
