package io.lakexpress.standalone;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A Kafka broker with its own controller (KRaft), listening on the loopback address only.
 *
 * <p>Its data directory survives {@link #close()} and a killed process alike; the next broker on
 * the same directory goes on with the same topics, whatever its port. Topics are created on first
 * use.
 */
public final class EmbeddedBroker implements AutoCloseable {
  private static final int NODE_ID = 1;
  private static final String CONTROLLER_LISTENER = "CONTROLLER";

  private final KafkaRaftServer server;
  private final int port;

  private EmbeddedBroker(KafkaRaftServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /** Starts a broker on any free port. */
  public static EmbeddedBroker start(Path dataDirectory) {
    return start(dataDirectory, ListenPorts.free(), Map.of());
  }

  /**
   * Starts a broker and returns when it serves requests.
   *
   * @param overrides broker properties that win over the stack's own
   */
  public static EmbeddedBroker start(Path dataDirectory, int port, Map<String, String> overrides) {
    ListenPorts.requireFree(port, "--kafka-port");
    Map<String, String> properties = properties(dataDirectory, port);
    properties.putAll(overrides);
    KafkaConfig config = new KafkaConfig(properties);
    format(dataDirectory);
    KafkaRaftServer server = new KafkaRaftServer(config, Time.SYSTEM);
    try {
      server.startup();
    } catch (KafkaException e) {
      server.shutdown();
      throw new StackException("Cannot start the Kafka broker: " + e.getMessage(), e);
    }
    return new EmbeddedBroker(server, port);
  }

  private static Map<String, String> properties(Path dataDirectory, int port) {
    // A quorum's voters are named by port, so the controller cannot choose its own.
    int controllerPort = ListenPorts.free();
    Map<String, String> properties = new HashMap<>();
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", Integer.toString(NODE_ID));
    properties.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
    properties.put("controller.listener.names", CONTROLLER_LISTENER);
    properties.put(
        "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    properties.put("advertised.listeners", "PLAINTEXT://localhost:" + port);
    properties.put(
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
    properties.put("log.dirs", dataDirectory.toAbsolutePath().toString());
    properties.put("auto.create.topics.enable", "true");
    properties.put("num.partitions", "1");
    properties.put("offsets.topic.num.partitions", "1");
    properties.put("offsets.topic.replication.factor", "1");
    properties.put("transaction.state.log.num.partitions", "1");
    properties.put("transaction.state.log.replication.factor", "1");
    properties.put("transaction.state.log.min.isr", "1");
    properties.put("share.coordinator.state.topic.replication.factor", "1");
    properties.put("share.coordinator.state.topic.min.isr", "1");
    properties.put("group.initial.rebalance.delay.ms", "0");
    return properties;
  }

  /** Written last, so a directory whose formatting was cut short is formatted again. */
  private static void format(Path dataDirectory) {
    if (Files.exists(dataDirectory.resolve("meta.properties"))) {
      return;
    }
    String directory = dataDirectory.toAbsolutePath().toString();
    try {
      Files.createDirectories(dataDirectory);
      new Formatter()
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .setNodeId(NODE_ID)
          .setClusterId(Uuid.randomUuid().toString())
          .setControllerListenerName(CONTROLLER_LISTENER)
          .setMetadataLogDirectory(directory)
          .setDirectories(List.of(directory))
          .run();
    } catch (IOException e) {
      throw new StackException(
          "Cannot prepare the broker's directory " + directory + ": " + e.getMessage(), e);
    } catch (Exception e) {
      // Formatter.run declares Exception itself.
      throw new StackException("Cannot format the broker's directory " + directory, e);
    }
  }

  /** What a client's {@code bootstrap.servers} takes. */
  public String bootstrapServers() {
    return "localhost:" + port;
  }

  /** Stops the broker and waits for it. Workers must have stopped before. */
  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }
}
