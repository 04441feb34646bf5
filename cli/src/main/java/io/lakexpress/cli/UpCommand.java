package io.lakexpress.cli;

import io.lakexpress.standalone.EmbeddedBroker;
import io.lakexpress.standalone.EmbeddedDatabase;
import io.lakexpress.standalone.EmbeddedStack;
import io.lakexpress.standalone.EmbeddedWorker;
import io.lakexpress.standalone.ListenPorts;
import io.lakexpress.standalone.LogFiles;
import io.lakexpress.standalone.StopSignal;
import io.lakexpress.standalone.WorkerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the stack in the foreground until Ctrl-C. */
@Command(
    name = "up",
    description = {
      "Runs a Kafka broker and a Connect worker, and PostgreSQL with TPC-H data if asked for,"
          + " until Ctrl-C.",
      "Prints one line that begins with \"ready:\" when they can be used."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class UpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data-dir",
      paramLabel = "D",
      defaultValue = ".lakexpress",
      description = "Data and logs; the next start on it goes on with what is there.")
  private Path dataDirectory;

  @Option(names = "--rest-port", paramLabel = "PORT", defaultValue = "8083")
  private int restPort;

  @Option(names = "--kafka-port", paramLabel = "PORT", defaultValue = "9092")
  private int kafkaPort;

  @Option(
      names = "--postgres",
      description = "PostgreSQL too: database tpch with data, database lakexpress without.")
  private boolean postgres;

  @Option(names = "--postgres-port", paramLabel = "PORT", defaultValue = "5433")
  private int postgresPort;

  @Option(
      names = "--tpch-scale",
      paramLabel = "SCALE",
      defaultValue = "0.01",
      description = "Size of the TPC-H data when it is first loaded; 1 is about 8.7 million rows.")
  private double tpchScale;

  @Override
  public Integer call() {
    Path directory = dataDirectory.toAbsolutePath().normalize();
    StopSignal stop = StopSignal.install();
    Path log = LogFiles.writeTo(directory.resolve("logs"));
    try (EmbeddedStack stack = EmbeddedStack.open(directory)) {
      requirePorts();
      spec.commandLine().getErr().println("starting; the log is " + log);
      String ready = start(stack);
      print(ready);
      stop.await();
      spec.commandLine().getErr().println("stopping");
    }
    return ExitCode.DONE;
  }

  /** All at once, before the first part takes its time to start. */
  private void requirePorts() {
    ListenPorts.requireFree(restPort, "--rest-port");
    ListenPorts.requireFree(kafkaPort, "--kafka-port");
    if (postgres) {
      ListenPorts.requireFree(postgresPort, "--postgres-port");
    }
  }

  private String start(EmbeddedStack stack) {
    Path plugins = PluginDirectory.ofThisBuild();
    WorkerSettings settings = new WorkerSettings("localhost:" + kafkaPort, restPort, plugins);
    String database = "";
    if (postgres) {
      EmbeddedDatabase started = stack.startDatabase(postgresPort, tpchScale);
      database = " postgres=" + started.uri(EmbeddedDatabase.SOURCE_DATABASE);
    }
    EmbeddedBroker broker = stack.startBroker(kafkaPort);
    EmbeddedWorker worker = stack.startWorker(settings);
    return "ready: rest=" + worker.restUrl() + " kafka=" + broker.bootstrapServers() + database;
  }

  private void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
