package io.lakexpress.connect.source;

import io.lakexpress.connect.CommonConfig;
import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.Credentials;
import io.lakexpress.connect.DatabaseSettings;
import io.lakexpress.connect.source.read.CronExpression;
import io.lakexpress.connect.source.read.LikePattern;
import io.lakexpress.watermark.Name;
import io.lakexpress.watermark.SliceSpec;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * The source connector's configuration as values.
 *
 * @param source null only while validation goes on with what it could read
 * @param lakexpressDb null only while validation goes on with what it could read
 * @param specs the incremental tables, in the order written
 */
record SourceConfig(
    Sync sync,
    DatabaseSettings source,
    DatabaseSettings lakexpressDb,
    TableRules tables,
    List<TableSpec> specs,
    Reading reading,
    Records records,
    Slices slices) {

  private static final String EXACTLY_ONCE = "exactly.once.support";
  private static final String MAX_REQUEST_SIZE = "producer.override.max.request.size";
  private static final long KAFKA_MAX_REQUEST_SIZE = 1L << 20;

  /**
   * When runs happen and what becomes of failures; words as they are written in the configuration.
   *
   * @param cronText null where runs follow the interval
   * @param exactlyOnce whether Connect is asked to write offsets together with the rows
   */
  record Sync(
      String id,
      String environment,
      String mode,
      Duration interval,
      String cronText,
      String errorAction,
      Duration retention,
      boolean exactlyOnce) {
    Optional<String> cron() {
      return Optional.ofNullable(cronText);
    }
  }

  /** How tables are read; words as they are written in the configuration. */
  record Reading(
      TableZones zones,
      Duration safetyLag,
      Guard guard,
      String nullPolicy,
      int fetchRows,
      long fetchBytes,
      int batchMaxRows) {}

  /** How late commits are looked for. */
  record Guard(String mode, Duration longestWait, Duration readerHold) {
    boolean isOff() {
      return mode.equals("off");
    }
  }

  /** How rows become records; words as they are written in the configuration. */
  record Records(
      String topicPrefix,
      String key,
      String timePrecision,
      String decimals,
      String fieldNames,
      long maxBytes) {}

  /**
   * How large tables are sliced.
   *
   * @param degree as written: 0 and negative numbers go by the processors of the connector's
   *     machine
   */
  record Slices(int degree, long threshold, List<SliceSpec> overrides) {
    Slices {
      overrides = List.copyOf(overrides);
    }
  }

  SourceConfig {
    specs = List.copyOf(specs);
  }

  /** All keys of the source connector. */
  static ConfigDef definition() {
    return SourceForm.complete(SourceKeys.definition());
  }

  /**
   * Reads a configuration without asking any service.
   *
   * @throws ConfigException naming every problem with its key
   */
  static SourceConfig parse(Map<String, String> properties) {
    ConfigReader config = new ConfigReader(definition(), properties);
    SourceConfig values = read(config);
    config.throwIfInvalid();
    return values;
  }

  /** Reads what can be read, noting every problem on its own key. */
  static SourceConfig read(ConfigReader config) {
    Optional<Credentials> credentials = CommonConfig.credentials(config);
    String database = config.text(SourceKeys.DATABASE_NAME).orElse(null);
    if (database != null && config.text(SourceKeys.SOURCE.authId()).isEmpty()) {
      config.refuse(
          SourceKeys.DATABASE_NAME,
          "Contradicts "
              + SourceKeys.SOURCE.url()
              + ", which names its database: expected only with "
              + SourceKeys.SOURCE.authId());
    }
    return new SourceConfig(
        sync(config),
        SourceKeys.SOURCE.read(config, credentials, database).orElse(null),
        CommonConfig.lakexpressDb(config, credentials).orElse(null),
        tables(config),
        specs(config),
        reading(config),
        records(config),
        slices(config));
  }

  private static Sync sync(ConfigReader config) {
    checkCron(config);
    if (config.isSet(SourceKeys.INTERVAL) && config.text(SourceKeys.CRON).isPresent()) {
      config.refuse(
          SourceKeys.CRON, "Contradicts " + SourceKeys.INTERVAL + ": expected one of the two");
    }
    if (config.word(SourceKeys.MODE).equals("on-demand")) {
      for (String key : List.of(SourceKeys.INTERVAL, SourceKeys.CRON)) {
        if (config.original(key).filter(value -> !value.isBlank()).isPresent()) {
          config.refuse(
              key,
              "Contradicts "
                  + SourceKeys.MODE
                  + "=on-demand, where runs start only when asked for: expected only with"
                  + " continuous");
        }
      }
    }
    return new Sync(
        CommonConfig.syncId(config),
        config.word(CommonConfig.ENV_NAME),
        config.word(SourceKeys.MODE),
        Duration.ofSeconds(config.big(SourceKeys.INTERVAL)),
        config.text(SourceKeys.CRON).orElse(null),
        config.word(SourceKeys.ERROR_ACTION),
        Duration.ofDays(config.whole(SourceKeys.RETENTION_DAYS)),
        config.original(EXACTLY_ONCE).filter("required"::equalsIgnoreCase).isPresent());
  }

  private static void checkCron(ConfigReader config) {
    try {
      config.text(SourceKeys.CRON).ifPresent(CronExpression::parse);
    } catch (IllegalArgumentException e) {
      config.refuse(SourceKeys.CRON, e.getMessage());
    }
  }

  private static TableRules tables(ConfigReader config) {
    OptionalLong min = config.number(SourceKeys.MIN_ROWS);
    OptionalLong max = config.number(SourceKeys.MAX_ROWS);
    if (min.isPresent() && max.isPresent() && min.getAsLong() > max.getAsLong()) {
      config.refuse(
          SourceKeys.MAX_ROWS,
          "Contradicts " + SourceKeys.MIN_ROWS + ": expected at least " + min.getAsLong());
    }
    return new TableRules(
        patterns(config, SourceKeys.SCHEMA_NAME),
        patterns(config, SourceKeys.INCLUDE),
        patterns(config, SourceKeys.EXCLUDE),
        min,
        max);
  }

  private static List<LikePattern> patterns(ConfigReader config, String key) {
    return config.items(key).stream().map(LikePattern::new).toList();
  }

  private static List<TableSpec> specs(ConfigReader config) {
    List<TableSpec> specs = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String item : config.items(SourceKeys.INCREMENTAL_TABLES)) {
      try {
        TableSpec spec = TableSpec.parse(item);
        if (seen.add(spec.schema().text() + '\n' + spec.table().text())) {
          specs.add(spec);
        } else {
          config.refuse(
              SourceKeys.INCREMENTAL_TABLES,
              "Invalid table spec '" + item + "': the table has a spec already, expected one");
        }
      } catch (IllegalArgumentException e) {
        config.refuse(SourceKeys.INCREMENTAL_TABLES, e.getMessage());
      }
    }
    return specs;
  }

  private static Slices slices(ConfigReader config) {
    List<SliceSpec> overrides = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String item : SliceSpec.split(config.word(SourceKeys.PARALLELISM_OVERRIDES))) {
      try {
        SliceSpec spec = SliceSpec.parse(item);
        if (seen.add(spec.schema().map(Name::text).orElse("") + '\n' + spec.table().text())) {
          overrides.add(spec);
        } else {
          config.refuse(
              SourceKeys.PARALLELISM_OVERRIDES,
              "Invalid slice spec '" + item + "': the table has a spec already, expected one");
        }
      } catch (IllegalArgumentException e) {
        config.refuse(SourceKeys.PARALLELISM_OVERRIDES, e.getMessage());
      }
    }
    return new Slices(
        config.whole(SourceKeys.PARALLELISM),
        config.big(SourceKeys.LARGE_TABLE_THRESHOLD),
        overrides);
  }

  private static Reading reading(ConfigReader config) {
    return new Reading(
        zones(config),
        Duration.ofSeconds(config.big(SourceKeys.SAFETY_LAG)),
        new Guard(
            config.word(SourceKeys.GUARD),
            Duration.ofMillis(config.big(SourceKeys.GUARD_WAIT)),
            Duration.ofMillis(config.big(SourceKeys.GUARD_READER_HOLD))),
        config.word(SourceKeys.NULL_POLICY),
        config.whole(SourceKeys.FETCH_ROWS),
        config.big(SourceKeys.FETCH_BYTES),
        config.whole(SourceKeys.BATCH_MAX_ROWS));
  }

  private static TableZones zones(ConfigReader config) {
    boolean set = config.isSet(SourceKeys.TIME_ZONE) && config.isValid(SourceKeys.TIME_ZONE);
    Map<TableId, ZoneId> overrides = new LinkedHashMap<>();
    for (String item : config.items(SourceKeys.TIME_ZONE_OVERRIDES)) {
      try {
        int colon = colonAfterNames(item);
        TableId table = TableId.parse(item.substring(0, colon));
        ZoneId zone = ZoneId.of(item.substring(colon + 1).strip());
        if (overrides.putIfAbsent(table, zone) != null) {
          config.refuse(
              SourceKeys.TIME_ZONE_OVERRIDES,
              "Invalid override '"
                  + item
                  + "': table "
                  + table
                  + " has a zone already, expected one");
        }
      } catch (IllegalArgumentException | DateTimeException e) {
        config.refuse(
            SourceKeys.TIME_ZONE_OVERRIDES,
            "Invalid override '"
                + item
                + "': expected schema.table:zone, for example sales.orders:Europe/Berlin");
      }
    }
    return new TableZones(set ? ZoneId.of(config.word(SourceKeys.TIME_ZONE)) : null, overrides);
  }

  /** Zones may hold colons themselves, and so may quoted names. */
  private static int colonAfterNames(String item) {
    boolean quoted = false;
    for (int i = 0; i < item.length(); i++) {
      if (item.charAt(i) == '"') {
        quoted = !quoted;
      } else if (item.charAt(i) == ':' && !quoted) {
        return i;
      }
    }
    throw new IllegalArgumentException("no colon");
  }

  private static Records records(ConfigReader config) {
    return new Records(
        config.text(SourceKeys.TOPIC_PREFIX).orElse(""),
        config.word(SourceKeys.RECORD_KEY),
        config.word(SourceKeys.TIME_PRECISION),
        config.word(SourceKeys.DECIMALS),
        config.word(SourceKeys.FIELD_NAMES),
        config.number(SourceKeys.RECORD_MAX_BYTES).orElseGet(() -> maxRequestSize(config)));
  }

  private static long maxRequestSize(ConfigReader config) {
    try {
      return config
          .original(MAX_REQUEST_SIZE)
          .map(String::strip)
          .map(Long::parseLong)
          .orElse(KAFKA_MAX_REQUEST_SIZE);
    } catch (NumberFormatException e) {
      // Connect itself refuses the key with a better message.
      return KAFKA_MAX_REQUEST_SIZE;
    }
  }
}
