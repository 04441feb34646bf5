package io.lakexpress.standalone;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A process of its own for one part of the stack: {@code broker}, {@code worker} or {@code
 * database}, or {@code all} of them, with {@code name=value} settings. It prints one line that
 * begins with {@code ready:} when it can be used, and runs until it is told to stop.
 */
public final class StandaloneProcess {
  static final String READY = "ready: ";
  static final String LOG_DIRECTORY = "log.directory";
  static final String DATA_DIRECTORY = "data.directory";
  static final String KAFKA_PORT = "kafka.port";
  static final String REST_PORT = "rest.port";
  static final String POSTGRES_PORT = "postgres.port";
  static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
  static final String PLUGIN_DIRECTORY = "plugin.directory";
  static final String OVERRIDE = "override.";

  private final Map<String, String> settings;

  private StandaloneProcess(Map<String, String> settings) {
    this.settings = settings;
  }

  public static void main(String[] arguments) {
    StopSignal stop = StopSignal.install();
    int exitCode = 0;
    try {
      StandaloneProcess process = new StandaloneProcess(settings(arguments));
      LogFiles.writeTo(process.path(LOG_DIRECTORY));
      process.run(arguments[0], stop);
    } catch (StackException e) {
      System.err.println(e.getMessage());
      exitCode = 1;
    }
    // Not every thread of Kafka's is a daemon after a failed start.
    Runtime.getRuntime().exit(exitCode);
  }

  private void run(String part, StopSignal stop) {
    switch (part) {
      case "broker" -> runBroker(stop);
      case "worker" -> runWorker(stop);
      case "database" -> runDatabase(stop);
      case "all" -> runAll(stop);
      default ->
          throw new StackException(
              "Invalid part " + part + ": expected broker, worker, database or all");
    }
  }

  private void runBroker(StopSignal stop) {
    try (EmbeddedBroker broker =
        EmbeddedBroker.start(path(DATA_DIRECTORY), port(KAFKA_PORT), overrides())) {
      ready("kafka=" + broker.bootstrapServers());
      stop.await();
    }
  }

  private void runWorker(StopSignal stop) {
    try (EmbeddedWorker worker = EmbeddedWorker.start(worker(value(BOOTSTRAP_SERVERS)))) {
      worker.awaitReady(Duration.ofMinutes(2));
      ready("rest=" + worker.restUrl());
      stop.await();
    }
  }

  private void runDatabase(StopSignal stop) {
    try (EmbeddedDatabase database =
        EmbeddedDatabase.start(path(DATA_DIRECTORY), port(POSTGRES_PORT), overrides())) {
      ready("postgres=" + database.uri(EmbeddedDatabase.SOURCE_DATABASE));
      stop.await();
    }
  }

  private void runAll(StopSignal stop) {
    try (EmbeddedStack stack = EmbeddedStack.open(path(DATA_DIRECTORY))) {
      EmbeddedDatabase database =
          stack.startDatabase(port(POSTGRES_PORT), TpchLoader.DEFAULT_SCALE);
      EmbeddedBroker broker = stack.startBroker(port(KAFKA_PORT));
      EmbeddedWorker worker = stack.startWorker(worker(broker.bootstrapServers()));
      ready(
          "rest=%s kafka=%s postgres=%s"
              .formatted(
                  worker.restUrl(),
                  broker.bootstrapServers(),
                  database.uri(EmbeddedDatabase.SOURCE_DATABASE)));
      stop.await();
    }
  }

  private WorkerSettings worker(String bootstrapServers) {
    return new WorkerSettings(
        bootstrapServers, port(REST_PORT), path(PLUGIN_DIRECTORY), overrides());
  }

  private static void ready(String where) {
    System.out.println(READY + where);
  }

  private static Map<String, String> settings(String[] arguments) {
    if (arguments.length == 0) {
      throw new WrongSettingException("Cannot start: no part given");
    }
    Map<String, String> settings = new HashMap<>();
    for (int i = 1; i < arguments.length; i++) {
      int equals = arguments[i].indexOf('=');
      if (equals < 0) {
        throw new WrongSettingException(
            "Invalid setting " + arguments[i] + ": expected name=value");
      }
      settings.put(arguments[i].substring(0, equals), arguments[i].substring(equals + 1));
    }
    return settings;
  }

  private String value(String name) {
    String value = settings.get(name);
    if (value == null) {
      throw new WrongSettingException("Cannot start: no " + name + " given");
    }
    return value;
  }

  private Path path(String name) {
    return Path.of(value(name));
  }

  private int port(String name) {
    return Integer.parseInt(value(name));
  }

  private Map<String, String> overrides() {
    Map<String, String> overrides = new HashMap<>();
    settings.forEach(
        (name, value) -> {
          if (name.startsWith(OVERRIDE)) {
            overrides.put(name.substring(OVERRIDE.length()), value);
          }
        });
    return overrides;
  }
}
