package io.lakexpress.cli;

import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.jdbc.DatabaseTarget;
import io.lakexpress.lxdb.jdbc.LakexpressDatabases;
import io.lakexpress.standalone.EmbeddedBroker;
import io.lakexpress.standalone.EmbeddedDatabase;
import io.lakexpress.standalone.EmbeddedStack;
import io.lakexpress.standalone.EmbeddedWorker;
import io.lakexpress.standalone.ListenPorts;
import io.lakexpress.standalone.LogFiles;
import io.lakexpress.standalone.WorkerSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the main job from nothing, on the loopback address and free ports. */
@Command(
    name = "demo",
    description = {
      "Shows a PostgreSQL schema arrive in a Parquet lake, incrementally: starts PostgreSQL with"
          + " TPC-H data, a Kafka broker and a Connect worker, lets two syncs land, and compares"
          + " every table with the database.",
      "Exits with 0 only if all agree."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class DemoCommand implements Callable<Integer> {
  /** Where the lake can be. */
  enum Lake {
    local
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--lake",
      defaultValue = "local",
      description = "Where the lake is: ${COMPLETION-CANDIDATES}.")
  private Lake lake;

  @Option(names = "--keep", description = "Keeps the data directory and says where it is.")
  private boolean keep;

  @Option(
      names = "--tpch-scale",
      paramLabel = "SCALE",
      defaultValue = "0.01",
      description = "Size of the TPC-H data; 1 is about 8.7 million rows.")
  private double tpchScale;

  @Override
  public Integer call() throws SQLException, IOException {
    PrintWriter out = spec.commandLine().getOut();
    Path directory = Files.createTempDirectory("lakexpress-demo-");
    try {
      LogFiles.writeTo(directory.resolve("logs"));
      return run(directory, out) ? ExitCode.DONE : ExitCode.FAILED;
    } finally {
      if (keep) {
        out.printf("%nKept: %s (lake, logs, data)%n", directory);
      } else {
        delete(directory);
      }
      out.flush();
    }
  }

  private boolean run(Path directory, PrintWriter out) throws SQLException {
    out.printf(
        "Starting PostgreSQL with TPC-H data, a Kafka broker and a Connect worker; the lake is %s%n",
        lake);
    out.flush();
    try (EmbeddedStack stack = EmbeddedStack.open(directory)) {
      EmbeddedDatabase database = stack.startDatabase(ListenPorts.free(), tpchScale);
      EmbeddedBroker broker = stack.startBroker(ListenPorts.free());
      EmbeddedWorker worker =
          stack.startWorker(
              new WorkerSettings(
                  broker.bootstrapServers(), ListenPorts.free(), PluginDirectory.ofThisBuild()));
      out.printf(
          "  ready: rest=%s kafka=%s postgres=%s%n",
          worker.restUrl(),
          broker.bootstrapServers(),
          database.jdbcUrl(EmbeddedDatabase.SOURCE_DATABASE));
      try (LakexpressDb db = LakexpressDatabases.open(target(database))) {
        Path files = directory.resolve("lake");
        return new Demo(worker.rest(), database, db, files, out, Clock.systemUTC()).tell();
      }
    }
  }

  private static DatabaseTarget target(EmbeddedDatabase database) {
    return new DatabaseTarget(
        database.jdbcUrl(EmbeddedDatabase.LAKEXPRESS_DATABASE),
        EmbeddedDatabase.USER,
        EmbeddedDatabase.PASSWORD,
        Map.of());
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      paths.sorted(Comparator.reverseOrder()).forEach(DemoCommand::deleteOne);
    }
  }

  private static void deleteOne(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
