package io.lakexpress.connect.lake;

import io.lakexpress.connect.CommonConfig;
import io.lakexpress.connect.ConfigForm;
import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.Credential;
import io.lakexpress.connect.Credentials;
import io.lakexpress.connect.CredentialsException;
import io.lakexpress.connect.DatabaseSettings;
import io.lakexpress.connect.lake.file.LakeLayout;
import io.lakexpress.connect.lake.file.NullValues;
import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.connect.lake.file.WriterSettings;
import io.lakexpress.connect.lake.parquet.ParquetCompression;
import io.lakexpress.connect.lake.parquet.TimestampEncoding;
import io.lakexpress.connect.lake.storage.AzureAccess;
import io.lakexpress.connect.lake.storage.LakeLocation;
import io.lakexpress.connect.lake.storage.LakeLocation.Access;
import io.lakexpress.connect.lake.storage.S3Access;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * The lake sink's configuration as values.
 *
 * @param connector the connector's name
 * @param lakexpressDb null only while validation goes on with what it could read
 * @param location null only while validation goes on with what it could read
 * @param layout null only while validation goes on with what it could read
 */
record SinkConfig(
    String connector,
    String syncId,
    DatabaseSettings lakexpressDb,
    LakeLocation location,
    LakeLayout layout,
    Files files,
    Landing landing) {

  /** How files are written. */
  record Files(
      ParquetCompression compression,
      TimestampEncoding timestamps,
      long rowGroupBytes,
      WriterSettings writing,
      long memoryBytes) {}

  /** How runs land. */
  record Landing(Duration missingRows, Duration supersededRetention) {}

  /** All keys of the lake sink. */
  static ConfigDef definition() {
    return CommonConfig.LAKEXPRESS_DB
        .show(new ConfigForm(SinkKeys.definition()))
        .showWithout(SinkKeys.STORAGE_ID, SinkKeys.URL)
        .showWhen(SinkKeys.S3_SSE_KMS_KEY_ID, SinkKeys.S3_SSE, "aws:kms"::equals)
        .recommend(SinkKeys.COMPRESSION, words(ParquetCompression.values(), c -> c.text()))
        .recommend(SinkKeys.TIMESTAMP_ENCODING, words(TimestampEncoding.values(), t -> t.text()))
        .recommend(SinkKeys.NULL_VALUES, words(NullValues.values(), n -> n.text()))
        .definition();
  }

  private static <T> List<String> words(T[] values, Function<T, String> text) {
    return Stream.of(values).map(text).toList();
  }

  /**
   * Reads a configuration without asking any service.
   *
   * @throws ConfigException naming every problem with its key
   */
  static SinkConfig parse(Map<String, String> properties) {
    ConfigReader config = new ConfigReader(definition(), properties);
    SinkConfig values = read(config);
    config.throwIfInvalid();
    return values;
  }

  /** Reads what can be read, noting every problem on its own key. */
  static SinkConfig read(ConfigReader config) {
    Optional<Credentials> credentials = CommonConfig.credentials(config);
    return new SinkConfig(
        config.original("name").orElse(""),
        CommonConfig.syncId(config),
        CommonConfig.lakexpressDb(config, credentials).orElse(null),
        location(config, credentials).orElse(null),
        layout(config).orElse(null),
        files(config),
        new Landing(
            Duration.ofMillis(config.big(SinkKeys.MISSING_ROWS)),
            Duration.ofMillis(config.big(SinkKeys.SUPERSEDED_RETENTION))));
  }

  /** The key that says where the lake is, to blame when it cannot be used. */
  static String locationKey(ConfigReader config) {
    return config.text(SinkKeys.STORAGE_ID).isPresent() ? SinkKeys.STORAGE_ID : SinkKeys.URL;
  }

  private static Optional<LakeLocation> location(
      ConfigReader config, Optional<Credentials> credentials) {
    Optional<String> id = config.text(SinkKeys.STORAGE_ID);
    Optional<String> url = config.text(SinkKeys.URL);
    if (id.isPresent() && url.isPresent()) {
      config.refuse(
          SinkKeys.STORAGE_ID, "Contradicts " + SinkKeys.URL + ": expected one of the two");
      return Optional.empty();
    }
    if (id.isPresent()) {
      return byCredential(config, credentials, id.get());
    }
    if (url.isEmpty()) {
      config.refuse(
          SinkKeys.URL,
          "Cannot find the lake: expected "
              + SinkKeys.URL
              + ", or "
              + SinkKeys.STORAGE_ID
              + " with "
              + CommonConfig.CREDENTIALS_FILE);
      return Optional.empty();
    }
    return parsed(
        config,
        SinkKeys.URL,
        url.get(),
        new Access(StorageKeys.s3(config, null), AzureKeys.read(config, null)));
  }

  private static Optional<LakeLocation> byCredential(
      ConfigReader config, Optional<Credentials> credentials, String id) {
    if (credentials.isEmpty()) {
      if (config.text(CommonConfig.CREDENTIALS_FILE).isEmpty()) {
        config.refuse(
            CommonConfig.CREDENTIALS_FILE,
            "Missing: expected the file that holds " + SinkKeys.STORAGE_ID);
      }
      return Optional.empty();
    }
    try {
      Credential credential = credentials.get().credential(id);
      if (credential instanceof Credential.Local local) {
        return parsed(config, SinkKeys.STORAGE_ID, local.directory(), Access.byDefault());
      }
      if (credential instanceof Credential.S3 s3) {
        Access access = new Access(StorageKeys.s3(config, s3), AzureAccess.byManagedIdentity());
        return parsed(config, SinkKeys.STORAGE_ID, s3.directory(), access);
      }
      if (credential instanceof Credential.Azure azure) {
        Access access = new Access(S3Access.byDefaultChain(), AzureKeys.read(config, azure));
        return parsed(config, SinkKeys.STORAGE_ID, azure.directory(), access);
      }
      config.refuse(
          SinkKeys.STORAGE_ID,
          "Invalid credential '"
              + id
              + "' of type "
              + credential.type()
              + ": expected local, s3 or azure");
    } catch (CredentialsException e) {
      config.refuse(SinkKeys.STORAGE_ID, e.getMessage());
    }
    return Optional.empty();
  }

  private static Optional<LakeLocation> parsed(
      ConfigReader config, String key, String url, Access access) {
    try {
      return Optional.of(LakeLocation.parse(url, access));
    } catch (IllegalArgumentException invalid) {
      config.refuseAndHide(key, invalid.getMessage());
      return Optional.empty();
    }
  }

  private static Optional<LakeLayout> layout(ConfigReader config) {
    try {
      return Optional.of(LakeLayout.below(config.word(SinkKeys.SUB_PATH)));
    } catch (IllegalArgumentException invalid) {
      config.refuse(SinkKeys.SUB_PATH, invalid.getMessage());
      return Optional.empty();
    }
  }

  private static Files files(ConfigReader config) {
    long rows = config.big(SinkKeys.ROLL_ROWS);
    long memory = config.big(SinkKeys.MEMORY_BYTES);
    ParquetCompression compression = ParquetCompression.parse(valid(config, SinkKeys.COMPRESSION));
    return new Files(
        compression,
        TimestampEncoding.parse(valid(config, SinkKeys.TIMESTAMP_ENCODING)),
        atLeastOne(config, SinkKeys.ROW_GROUP_BYTES),
        new WriterSettings(
            new RollPolicy(
                rows < 1 ? RollPolicy.UNLIMITED : rows,
                atLeastOne(config, SinkKeys.ROLL_BYTES),
                Duration.ofMillis(atLeastOne(config, SinkKeys.ROLL_INTERVAL))),
            NullValues.parse(valid(config, SinkKeys.NULL_VALUES)),
            missingRows(config)),
        memory < 1 ? Runtime.getRuntime().maxMemory() / 4 : memory);
  }

  private static Duration missingRows(ConfigReader config) {
    return Duration.ofMillis(atLeastOne(config, SinkKeys.MISSING_ROWS));
  }

  /** A word, or its default where the user's was refused, so that reading goes on. */
  private static String valid(ConfigReader config, String key) {
    return config.isValid(key)
        ? config.word(key)
        : (String) definition().configKeys().get(key).defaultValue;
  }

  private static long atLeastOne(ConfigReader config, String key) {
    return Math.max(1, config.big(key));
  }
}
