package io.lakexpress.standalone;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a Connect worker is started with.
 *
 * @param pluginDirectory the worker's {@code plugin.path}: a directory of unpacked plugins
 * @param overrides worker properties that win over the stack's own
 */
public record WorkerSettings(
    String bootstrapServers, int restPort, Path pluginDirectory, Map<String, String> overrides) {

  private static final String JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter";

  public WorkerSettings {
    if (!Files.isDirectory(pluginDirectory)) {
      throw new WrongSettingException(
          "Cannot load the connectors from "
              + pluginDirectory
              + ": there is no such directory; build it with mvn -DskipTests package");
    }
    overrides = Map.copyOf(overrides);
  }

  /** The worker with nothing overridden. */
  public WorkerSettings(String bootstrapServers, int restPort, Path pluginDirectory) {
    this(bootstrapServers, restPort, pluginDirectory, Map.of());
  }

  /** The same worker with one property more. */
  public WorkerSettings with(String property, String value) {
    Map<String, String> merged = new HashMap<>(overrides);
    merged.put(property, value);
    return new WorkerSettings(bootstrapServers, restPort, pluginDirectory, merged);
  }

  Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>();
    properties.put("bootstrap.servers", bootstrapServers);
    properties.put("listeners", "http://127.0.0.1:" + restPort);
    properties.put("rest.advertised.host.name", "localhost");
    properties.put("plugin.path", pluginDirectory.toAbsolutePath().toString());
    properties.put("plugin.discovery", "service_load");
    putConverters(properties);
    putCluster(properties);
    putTimeouts(properties);
    properties.put("exactly.once.source.support", "enabled");
    properties.put("connector.client.config.override.policy", "All");
    properties.put("consumer.isolation.level", "read_committed");
    properties.put("consumer.metadata.max.age.ms", "5000");
    // Kafka's default of 16 KiB makes a request of every few rows.
    properties.put("producer.batch.size", "524288");
    properties.put("producer.linger.ms", "5");
    properties.put("producer.compression.type", "lz4");
    properties.putAll(overrides);
    return properties;
  }

  private static void putConverters(Map<String, String> properties) {
    // Schemas travel with the records, so that nothing but Kafka is needed.
    properties.put("key.converter", JSON_CONVERTER);
    properties.put("key.converter.schemas.enable", "true");
    properties.put("value.converter", JSON_CONVERTER);
    properties.put("value.converter.schemas.enable", "true");
    String provider = "org.apache.kafka.common.config.provider.";
    properties.put("config.providers", "env,file,directory");
    properties.put("config.providers.env.class", provider + "EnvVarConfigProvider");
    properties.put("config.providers.file.class", provider + "FileConfigProvider");
    properties.put("config.providers.directory.class", provider + "DirectoryConfigProvider");
  }

  private static void putCluster(Map<String, String> properties) {
    properties.put("group.id", "lakexpress");
    properties.put("config.storage.topic", "connect-configs");
    properties.put("offset.storage.topic", "connect-offsets");
    properties.put("status.storage.topic", "connect-status");
    for (String store : List.of("config", "offset", "status")) {
      properties.put(store + ".storage.replication.factor", "1");
    }
    properties.put("offset.storage.partitions", "1");
    properties.put("status.storage.partitions", "1");
    properties.put("offset.flush.interval.ms", "1000");
  }

  /** A killed worker is back within seconds: its open transaction must not hold the next one up. */
  private static void putTimeouts(Map<String, String> properties) {
    properties.put("producer.transaction.timeout.ms", "10000");
    properties.put("session.timeout.ms", "6000");
    properties.put("heartbeat.interval.ms", "2000");
    // The sinks' consumers: their topic partitions would wait 45 s for a killed worker's.
    properties.put("consumer.session.timeout.ms", "10000");
    properties.put("consumer.heartbeat.interval.ms", "2000");
    properties.put("scheduled.rebalance.max.delay.ms", "1000");
  }
}
