package io.lakexpress.connect.source;

import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.ConnectorVersion;
import io.lakexpress.connect.DatabaseProduct;
import io.lakexpress.lxdb.LakexpressDb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies tables of a database to topics, again and again, reading only what is new. The connector
 * itself only checks its configuration and shares it out; its tasks open the runs. It starts also
 * while a service is down.
 */
public final class LakeXpressSourceConnector extends SourceConnector {
  private static final Logger LOG = LoggerFactory.getLogger(LakeXpressSourceConnector.class);
  private static final String NAME = "name";
  private static final String TOPIC_REPLICATION = "topic.creation.default.replication.factor";
  private static final String TOPIC_PARTITIONS = "topic.creation.default.partitions";

  private final SourceConnections connections;
  private Map<String, String> properties = Map.of();

  /** For Connect. */
  public LakeXpressSourceConnector() {
    this(new LakeXpressSourceWiring());
  }

  LakeXpressSourceConnector(SourceConnections connections) {
    this.connections = connections;
  }

  @Override
  public String version() {
    return ConnectorVersion.text();
  }

  @Override
  public ConfigDef config() {
    return SourceConfig.definition();
  }

  @Override
  public Class<? extends Task> taskClass() {
    return LakeXpressSourceTask.class;
  }

  @Override
  public void start(Map<String, String> props) {
    SourceConfig config = SourceConfig.parse(props);
    properties = Map.copyOf(props);
    if (config.reading().safetyLag().isZero()
        && config.reading().guard().isOff()
        && !config.specs().isEmpty()) {
      LOG.warn(
          "{} is 0 and {} is off: rows committed after the start of a run with an earlier time are"
              + " never read",
          SourceKeys.SAFETY_LAG,
          SourceKeys.GUARD);
    }
    if (config.lakexpressDb().url().startsWith(DatabaseProduct.SQLITE.urlPrefix())) {
      LOG.warn(
          "The LakeXpress DB is an SQLite file: all workers, connectors and commands of sync {}"
              + " must run on this machine",
          config.sync().id());
    }
    if (!props.containsKey(TOPIC_REPLICATION) || !props.containsKey(TOPIC_PARTITIONS)) {
      LOG.warn(
          "{} and {} are not both set: topics come into being only if the broker creates them",
          TOPIC_REPLICATION,
          TOPIC_PARTITIONS);
    }
    LOG.info("Started source of sync {}: reads {}", config.sync().id(), config.source());
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    List<Map<String, String>> configs = new ArrayList<>();
    int processors = Runtime.getRuntime().availableProcessors();
    for (int index = 0; index < maxTasks; index++) {
      configs.add(
          new TaskShare(index, maxTasks, properties.getOrDefault(NAME, ""), processors)
              .addTo(properties));
    }
    return configs;
  }

  @Override
  public void stop() {
    // Nothing is held between calls.
  }

  /** Reports every problem on its own key; asks the services as well, within 20 seconds. */
  @Override
  public Config validate(Map<String, String> connectorConfigs) {
    ConfigReader config = new ConfigReader(config(), connectorConfigs);
    SourceConfig values = SourceConfig.read(config);
    new ConnectedValidation(connections, System::nanoTime).run(config, values);
    return config.validated();
  }

  /** The resume point is exact for every row of every table. */
  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> connectorConfig) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  /** Checks the offsets and lets the LakeXpress DB follow; refuses with what is expected. */
  @Override
  public boolean alterOffsets(
      Map<String, String> connectorConfig, Map<Map<String, ?>, Map<String, ?>> offsets) {
    SourceConfig config = parsedForOffsets(connectorConfig);
    try (LakexpressDb lakexpressDb = connections.lakexpressDb(config.lakexpressDb().impatient())) {
      new OffsetChange(
              config.sync().id(),
              config.specs(),
              lakexpressDb,
              () -> connections.source(config, config.source().impatient()))
          .apply(offsets);
    }
    return true;
  }

  private static SourceConfig parsedForOffsets(Map<String, String> connectorConfig) {
    try {
      return SourceConfig.parse(connectorConfig);
    } catch (ConfigException e) {
      throw new ConnectException("Cannot alter offsets: " + e.getMessage(), e);
    }
  }
}
