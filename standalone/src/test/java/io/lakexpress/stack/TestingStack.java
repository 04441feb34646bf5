package io.lakexpress.stack;

import io.lakexpress.standalone.ConnectRest;
import io.lakexpress.standalone.EmbeddedWorker;
import io.lakexpress.standalone.ListenPorts;
import io.lakexpress.standalone.WorkerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A broker, PostgreSQL and a Connect worker with the built plugin in its plugin.path. */
final class TestingStack implements AutoCloseable {
  private static final AtomicInteger SYNCS = new AtomicInteger();

  private final Path directory;
  private final TestingKafka kafka;
  private final TestingPostgres postgres;
  private final EmbeddedWorker worker;

  private TestingStack(
      Path directory, TestingKafka kafka, TestingPostgres postgres, EmbeddedWorker worker) {
    this.directory = directory;
    this.kafka = kafka;
    this.postgres = postgres;
    this.worker = worker;
  }

  static TestingStack start() {
    try {
      Path directory = Files.createTempDirectory("lakexpress-stack-");
      TestingPostgres postgres = TestingPostgres.start(directory.resolve("postgres"));
      TestingKafka kafka = TestingKafka.start(directory.resolve("kafka"));
      EmbeddedWorker worker =
          EmbeddedWorker.start(
              new WorkerSettings(kafka.bootstrapServers(), ListenPorts.free(), plugins()));
      worker.awaitReady(TestingSync.PATIENCE);
      return new TestingStack(directory, kafka, postgres, worker);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The plugin as the build unpacked it. */
  static Path plugins() {
    return Path.of(System.getProperty("lakexpress.plugin.directory"));
  }

  /** A sync with databases, topics and a lake of its own, on the shared worker. */
  TestingSync sync(String name) {
    return sync(name, worker.rest());
  }

  /** A sync whose connectors run on another worker of the same broker. */
  TestingSync sync(String name, ConnectRest rest) {
    String id = name + SYNCS.incrementAndGet();
    return new TestingSync(id, postgres, kafka, rest, directory.resolve("lakes").resolve(id));
  }

  ConnectRest rest() {
    return worker.rest();
  }

  TestingKafka kafka() {
    return kafka;
  }

  Path directory() {
    return directory;
  }

  @Override
  public void close() {
    worker.close();
    kafka.close();
    postgres.close();
    // A hundred databases make many thousand files.
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .until(() -> isDeleted(directory));
  }

  /** PostgreSQL may still be removing its own files; then this one has to look again. */
  private static boolean isDeleted(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      paths.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
    } catch (NoSuchFileException e) {
      return Files.notExists(directory);
    }
    return Files.notExists(directory);
  }
}
