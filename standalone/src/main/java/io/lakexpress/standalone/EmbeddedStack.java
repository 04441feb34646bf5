package io.lakexpress.standalone;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * The parts of the stack on one data directory, stopped in the reverse order of their start. Only
 * one stack at a time runs on a directory; what a killed one left there is stopped first.
 */
public final class EmbeddedStack implements AutoCloseable {
  private static final Duration WORKER_PATIENCE = Duration.ofMinutes(2);

  private final Path dataDirectory;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private EmbeddedStack(Path dataDirectory) {
    this.dataDirectory = dataDirectory;
  }

  /** Takes the directory; from here on its ports are free of what an earlier stack left. */
  public static EmbeddedStack open(Path dataDirectory) {
    EmbeddedStack stack = new EmbeddedStack(dataDirectory);
    stack.parts.push(DirectoryLock.acquire(dataDirectory));
    new DatabaseCluster(stack.databaseDirectory()).stopLeftover();
    return stack;
  }

  /** Starts PostgreSQL and fills it with TPC-H data if it has none yet. */
  public EmbeddedDatabase startDatabase(int port, double tpchScale) {
    EmbeddedDatabase database = EmbeddedDatabase.start(databaseDirectory(), port, Map.of());
    parts.push(database);
    try (Connection connection = database.connect(EmbeddedDatabase.SOURCE_DATABASE)) {
      TpchLoader loader = new TpchLoader(connection, Clock.systemUTC());
      if (!loader.isLoaded()) {
        loader.load(tpchScale);
      }
    } catch (SQLException e) {
      throw new StackException("Cannot load the TPC-H data: " + e.getMessage(), e);
    }
    return database;
  }

  public EmbeddedBroker startBroker(int port) {
    EmbeddedBroker broker = EmbeddedBroker.start(dataDirectory.resolve("kafka"), port, Map.of());
    parts.push(broker);
    return broker;
  }

  /** Starts a worker and returns when it is ready. */
  public EmbeddedWorker startWorker(WorkerSettings settings) {
    EmbeddedWorker worker = EmbeddedWorker.start(settings);
    parts.push(worker);
    worker.awaitReady(WORKER_PATIENCE);
    return worker;
  }

  private Path databaseDirectory() {
    return dataDirectory.resolve("postgres");
  }

  /** Stops every part, also when one of them fails to stop, and throws the first failure. */
  @Override
  public void close() {
    StackException failure = null;
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        // AutoCloseable declares Exception itself.
        StackException next =
            new StackException("Cannot stop a part of the stack: " + e.getMessage(), e);
        if (failure == null) {
          failure = next;
        } else {
          failure.addSuppressed(next);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
