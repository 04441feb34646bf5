package io.lakexpress.connect.lake;

import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.ConnectorVersion;
import io.lakexpress.connect.FigureBeans;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.finish.Finisher;
import io.lakexpress.connect.lake.finish.FinisherSettings;
import io.lakexpress.connect.lake.storage.LakeLocation;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.SyncBook.Owner;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.management.ObjectName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lands the runs of one sync in a lake of Parquet files. Its tasks stage files, its finisher makes
 * them part of the lake. It starts also while a service is down.
 */
public final class LakeXpressSinkConnector extends SinkConnector {
  private static final Logger LOG = LoggerFactory.getLogger(LakeXpressSinkConnector.class);

  private Map<String, String> properties = Map.of();
  private LakexpressDb book;
  private LakeStorage storage;
  private Finisher finisher;
  private ObjectName shown;

  @Override
  public String version() {
    return ConnectorVersion.text();
  }

  @Override
  public ConfigDef config() {
    return SinkConfig.definition();
  }

  @Override
  public Class<? extends Task> taskClass() {
    return LakeXpressSinkTask.class;
  }

  @Override
  public void start(Map<String, String> props) {
    SinkConfig config = SinkConfig.parse(props);
    properties = Map.copyOf(props);
    book = LakeConnections.ofConnector(config.lakexpressDb());
    storage = config.location().open();
    finisher = finisher(config);
    Optional<Owner> other = claim(config.syncId());
    if (other.isPresent()) {
      stop();
      throw new ConnectException(Finisher.refusal(config.syncId(), other.get()));
    }
    finisher.start();
    shown = SinkBeans.ofFinisher(config.syncId());
    FigureBeans.show(shown, "The finisher of a sync", SinkFigures.OF_FINISHER, finisher::figures);
    LOG.info("Started lake sink of sync {}: writes to {}", config.syncId(), storage.location());
  }

  private Finisher finisher(SinkConfig config) {
    return new Finisher(
        new FinisherSettings(
            config.syncId(),
            config.connector(),
            UUID.randomUUID().toString(),
            config.landing().missingRows(),
            config.landing().supersededRetention()),
        book,
        storage,
        (message, cause) -> context().raiseError(new ConnectException(message, cause)),
        new SteadyClock());
  }

  private Optional<Owner> claim(String syncId) {
    try {
      return finisher.claim();
    } catch (LakexpressDbException down) {
      LOG.warn("The lake side of sync {} is claimed later", syncId, down);
      return Optional.empty();
    }
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return Collections.nCopies(maxTasks, properties);
  }

  @Override
  public void stop() {
    if (finisher != null) {
      if (shown != null) {
        FigureBeans.hide(shown);
        shown = null;
      }
      finisher.close();
      storage.close();
      book.close();
      finisher = null;
    }
  }

  /**
   * Reports every problem on its own key; asks the lake and the LakeXpress DB as well, within 20
   * seconds.
   */
  @Override
  public Config validate(Map<String, String> connectorConfigs) {
    ConfigReader config = new ConfigReader(config(), connectorConfigs);
    SinkConfig values = SinkConfig.read(config);
    if (config.isValid(SinkKeys.COMPRESSION) && !values.files().compression().isAvailable()) {
      config.refuse(
          SinkKeys.COMPRESSION,
          "Cannot load the library of "
              + values.files().compression().text()
              + " on this worker: expected another compression");
    }
    new ConnectedSinkValidation(LakeLocation::open, LakeConnections::ofConnector, System::nanoTime)
        .run(config, values);
    return config.validated();
  }

  /** Always refused. */
  @Override
  public boolean alterOffsets(
      Map<String, String> connectorConfig, Map<TopicPartition, Long> offsets) {
    throw new ConnectException(
        "Cannot alter the offsets of a lake sink: its position is the ledger in the LakeXpress DB,"
            + " which knows the files too; alter the offsets of the source connector to read a table"
            + " again");
  }
}
