package io.lakexpress.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A part of the stack in a JVM of its own, with this JVM's class path: it can be killed as by
 * {@code kill -9}, and started again. What it prints and logs is in its log directory.
 */
public final class ChildProcess implements AutoCloseable {
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  private final Process process;
  private final Path output;

  private ChildProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts a worker.
   *
   * @param maxHeap its {@code -Xmx}, as {@code 512m}
   */
  public static ChildProcess worker(WorkerSettings settings, Path logDirectory, String maxHeap) {
    List<String> arguments = new ArrayList<>();
    arguments.add("worker");
    arguments.add(StandaloneProcess.BOOTSTRAP_SERVERS + "=" + settings.bootstrapServers());
    arguments.add(StandaloneProcess.REST_PORT + "=" + settings.restPort());
    arguments.add(StandaloneProcess.PLUGIN_DIRECTORY + "=" + settings.pluginDirectory());
    addOverrides(settings.overrides(), arguments);
    return start(arguments, logDirectory, maxHeap);
  }

  /** Starts a broker; {@code overrides} are broker properties. */
  public static ChildProcess broker(
      Path dataDirectory, int port, Map<String, String> overrides, Path logDirectory) {
    List<String> arguments = new ArrayList<>();
    arguments.add("broker");
    arguments.add(StandaloneProcess.DATA_DIRECTORY + "=" + dataDirectory);
    arguments.add(StandaloneProcess.KAFKA_PORT + "=" + port);
    addOverrides(overrides, arguments);
    return start(arguments, logDirectory, "512m");
  }

  /** Starts a JVM that runs PostgreSQL; {@code overrides} are server settings. */
  public static ChildProcess database(
      Path dataDirectory, int port, Map<String, String> overrides, Path logDirectory) {
    List<String> arguments = new ArrayList<>();
    arguments.add("database");
    arguments.add(StandaloneProcess.DATA_DIRECTORY + "=" + dataDirectory);
    arguments.add(StandaloneProcess.POSTGRES_PORT + "=" + port);
    addOverrides(overrides, arguments);
    return start(arguments, logDirectory, "128m");
  }

  private static void addOverrides(Map<String, String> overrides, List<String> arguments) {
    overrides.forEach(
        (name, value) -> arguments.add(StandaloneProcess.OVERRIDE + name + "=" + value));
  }

  private static ChildProcess start(List<String> arguments, Path logDirectory, String maxHeap) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + maxHeap);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(StandaloneProcess.class.getName());
    command.addAll(arguments);
    command.add(StandaloneProcess.LOG_DIRECTORY + "=" + logDirectory);
    try {
      Files.createDirectories(logDirectory);
      Path output = Files.createTempFile(logDirectory, arguments.get(0) + "-", ".out");
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      return new ChildProcess(process, output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the process to say that it can be used, and returns what it said. */
  public String awaitReady(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      // Asked before the look: what a process prints before its end is then seen.
      boolean ended = !process.isAlive();
      Optional<String> ready = readyLine();
      if (ready.isPresent()) {
        return ready.get();
      }
      if (ended || System.nanoTime() - deadline > 0) {
        throw new StackException("Cannot start the process: " + String.join("\n", printed()));
      }
      Pause.brief();
    }
  }

  private Optional<String> readyLine() {
    return printed().stream().filter(line -> line.startsWith(StandaloneProcess.READY)).findFirst();
  }

  private List<String> printed() {
    try {
      return Files.readAllLines(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long pid() {
    return process.pid();
  }

  /** Ends the process as {@code kill -9} does, and waits for its end. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd(STOP_PATIENCE);
  }

  /** Asks the process to stop and waits for it; after half a minute it is killed. */
  @Override
  public void close() {
    process.destroy();
    if (!awaitEnd(STOP_PATIENCE)) {
      kill();
    }
  }

  private boolean awaitEnd(Duration patience) {
    try {
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw Pause.interrupted(e);
    }
  }
}
