package io.lakexpress.connect.source;

import io.lakexpress.connect.CommonConfig;
import io.lakexpress.connect.DatabaseKeys;
import io.lakexpress.connect.DatabaseProduct;
import io.lakexpress.watermark.SliceDegree;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;

/** Names, defaults and descriptions of the source connector's keys. */
final class SourceKeys {
  static final DatabaseKeys SOURCE =
      new DatabaseKeys(
          "source database",
          "source.db.auth.id",
          "source.url",
          "source.user",
          "source.password",
          "source.jdbc.",
          List.of(DatabaseProduct.POSTGRESQL, DatabaseProduct.SQL_SERVER));

  static final String DATABASE_NAME = "source.db.name";
  static final String TIME_ZONE = "source.time.zone";
  static final String TIME_ZONE_OVERRIDES = "source.time.zone.overrides";
  static final String FETCH_ROWS = "source.fetch.rows";
  static final String FETCH_BYTES = "source.fetch.bytes";
  static final String SCHEMA_NAME = "source.schema.name";
  static final String INCLUDE = "table.include";
  static final String EXCLUDE = "table.exclude";
  static final String MIN_ROWS = "table.min.rows";
  static final String MAX_ROWS = "table.max.rows";
  static final String INCREMENTAL_TABLES = "incremental.tables";
  static final String PARALLELISM = "table.parallelism";
  static final String PARALLELISM_OVERRIDES = "table.parallelism.overrides";
  static final String LARGE_TABLE_THRESHOLD = "large.table.threshold";
  static final String SAFETY_LAG = "incremental.safety.lag.seconds";
  static final String GUARD = "incremental.late.commit.guard";
  static final String GUARD_WAIT = "incremental.late.commit.wait.ms";
  static final String GUARD_READER_HOLD = "incremental.late.commit.reader.hold.ms";
  static final String NULL_POLICY = "incremental.null.policy";
  static final String MODE = "sync.mode";
  static final String INTERVAL = "sync.interval.seconds";
  static final String CRON = "sync.cron";
  static final String ERROR_ACTION = "error.action";
  static final String RETENTION_DAYS = "lxdb.retention.days";
  static final String TOPIC_PREFIX = "topic.prefix";
  static final String RECORD_KEY = "record.key";
  static final String TIME_PRECISION = "time.precision.mode";
  static final String DECIMALS = "decimal.handling.mode";
  static final String FIELD_NAMES = "field.name.adjustment.mode";
  static final String BATCH_MAX_ROWS = "batch.max.rows";
  static final String RECORD_MAX_BYTES = "record.max.bytes";

  private SourceKeys() {}

  /** All keys of the source connector. */
  static ConfigDef definition() {
    ConfigDef definition = CommonConfig.define(new ConfigDef());
    defineDatabase(definition);
    defineReading(definition);
    defineTables(definition);
    defineIncremental(definition);
    defineSlices(definition);
    defineRuns(definition);
    defineRecords(definition);
    return definition;
  }

  private static void defineDatabase(ConfigDef definition) {
    String group = "Source database";
    definition
        .define(
            SOURCE.authId(),
            ConfigDef.Type.STRING,
            "",
            Importance.HIGH,
            "Entry of the credentials file for the database to read (postgres or mssql). Either this"
                + " or source.url is required.",
            group,
            1,
            Width.MEDIUM,
            "Credential")
        .define(
            SOURCE.url(),
            ConfigDef.Type.STRING,
            "",
            Importance.HIGH,
            "JDBC URL of the database to read: PostgreSQL or SQL Server. User and password do not"
                + " belong in it. Keys that begin with source.jdbc. are passed on to the JDBC driver"
                + " without the prefix, for example source.jdbc.sslmode (PostgreSQL) or"
                + " source.jdbc.encrypt (SQL Server).",
            group,
            2,
            Width.LONG,
            "JDBC URL")
        .define(
            SOURCE.user(),
            ConfigDef.Type.STRING,
            "",
            Importance.HIGH,
            "User of the source database. It needs SELECT on the tables, on PostgreSQL also USAGE on"
                + " the schemas.",
            group,
            3,
            Width.MEDIUM,
            "User")
        .define(
            SOURCE.password(),
            ConfigDef.Type.PASSWORD,
            "",
            Importance.HIGH,
            "Password of the source database.",
            group,
            4,
            Width.MEDIUM,
            "Password")
        .define(
            DATABASE_NAME,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "Another database on the server that source.db.auth.id names. Left out: the"
                + " credential's own.",
            group,
            5,
            Width.MEDIUM,
            "Database");
  }

  private static void defineReading(ConfigDef definition) {
    String group = "Reading";
    definition
        .define(
            TIME_ZONE,
            ConfigDef.Type.STRING,
            "UTC",
            zone(),
            Importance.MEDIUM,
            "Zone of the values in watermark columns that hold no zone. Must be set where the"
                + " database's own zone is not UTC and such a column is used.",
            group,
            1,
            Width.MEDIUM,
            "Time zone")
        .define(
            TIME_ZONE_OVERRIDES,
            ConfigDef.Type.STRING,
            "",
            Importance.LOW,
            "Zones of single tables: a comma list of schema.table:zone, for example"
                + " sales.orders:Europe/Berlin.",
            group,
            2,
            Width.LONG,
            "Time zones of tables")
        .define(
            FETCH_ROWS,
            ConfigDef.Type.INT,
            10_000,
            Range.atLeast(1),
            Importance.LOW,
            "Rows fetched from the database at once, at most.",
            group,
            3,
            Width.SHORT,
            "Rows per fetch")
        .define(
            FETCH_BYTES,
            ConfigDef.Type.LONG,
            16L << 20,
            Range.atLeast(64 << 10),
            Importance.LOW,
            "Size of what is fetched from the database at once, about. Together with"
                + " source.fetch.rows it keeps memory constant whatever the size of the table.",
            group,
            4,
            Width.SHORT,
            "Bytes per fetch")
        .define(
            BATCH_MAX_ROWS,
            ConfigDef.Type.INT,
            5_000,
            Range.atLeast(1),
            Importance.LOW,
            "Records a task hands over to Kafka Connect at once, at most.",
            group,
            5,
            Width.SHORT,
            "Rows per batch");
  }

  private static void defineTables(ConfigDef definition) {
    String group = "Tables";
    definition
        .define(
            SCHEMA_NAME,
            ConfigDef.Type.STRING,
            "",
            Importance.HIGH,
            "Schemas to copy: a comma list of names or LIKE patterns. Left out: the schemas named"
                + " in incremental.tables, else all that are not the system's.",
            group,
            1,
            Width.MEDIUM,
            "Schemas")
        .define(
            INCLUDE,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "Tables to copy: a comma list of names or LIKE patterns on the table's name. Left out:"
                + " all tables of the schemas. A view is copied only when it is named exactly.",
            group,
            2,
            Width.LONG,
            "Include tables")
        .define(
            EXCLUDE,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "Tables not to copy: a comma list of names or LIKE patterns on the table's name.",
            group,
            3,
            Width.LONG,
            "Exclude tables")
        .define(
            MIN_ROWS,
            ConfigDef.Type.LONG,
            null,
            Importance.LOW,
            "Copy only tables with at least that many rows, by the catalogue's estimate.",
            group,
            4,
            Width.SHORT,
            "Fewest rows")
        .define(
            MAX_ROWS,
            ConfigDef.Type.LONG,
            null,
            Importance.LOW,
            "Copy only tables with at most that many rows, by the catalogue's estimate.",
            group,
            5,
            Width.SHORT,
            "Most rows");
  }

  private static void defineIncremental(ConfigDef definition) {
    String group = "Incremental tables";
    definition
        .define(
            INCREMENTAL_TABLES,
            ConfigDef.Type.STRING,
            "",
            Importance.HIGH,
            "Tables that are read incrementally: a comma list of"
                + " schema.table:column:type[:direction][@start_value][!strategy]. Type: date,"
                + " datetime, timestamp, integer. Direction: i includes the upper bound of a window"
                + " (default), e excludes it. Every other selected table is exported in full in"
                + " every run.",
            group,
            1,
            Width.LONG,
            "Incremental tables")
        .define(
            SAFETY_LAG,
            ConfigDef.Type.LONG,
            0L,
            Range.between(0, 3_153_600_000L),
            Importance.HIGH,
            "How far the upper bound of a window stays below the start of its run. Needed where"
                + " applications set the watermark by their own clocks, and where the guard cannot"
                + " see late commits: such rows are never read if they are committed later than"
                + " this after the time they carry.",
            group,
            2,
            Width.SHORT,
            "Safety lag")
        .define(
            GUARD,
            ConfigDef.Type.STRING,
            "auto",
            ValidString.in("auto", "off"),
            Importance.MEDIUM,
            "Whether a run ends before the oldest transaction that is still open, so that rows it"
                + " commits later are not missed. On PostgreSQL any role can see the open"
                + " transactions; with pg_read_all_stats also when they began, which holds runs"
                + " back less. A standby does not see them.",
            group,
            3,
            Width.SHORT,
            "Late commit guard")
        .define(
            GUARD_WAIT,
            ConfigDef.Type.LONG,
            5000L,
            Range.between(0, 600_000),
            Importance.LOW,
            "How long the start of a run waits for open transactions to end before it ends earlier"
                + " because of them.",
            group,
            4,
            Width.SHORT,
            "Wait for transactions (ms)")
        .define(
            GUARD_READER_HOLD,
            ConfigDef.Type.LONG,
            900_000L,
            Range.between(0, 31_536_000_000L),
            Importance.LOW,
            "How long a transaction that has only read so far holds runs back. It may still write"
                + " rows that carry the time of its beginning; if it does so later than this, they"
                + " may be missed.",
            group,
            5,
            Width.SHORT,
            "Hold of readers (ms)")
        .define(
            NULL_POLICY,
            ConfigDef.Type.STRING,
            "skip",
            ValidString.in("skip", "first-sync", "fail"),
            Importance.LOW,
            "What to do with rows whose watermark is NULL: skip them, counted and with a warning;"
                + " read them once, with the first window of their table (first-sync); or fail the"
                + " table. A row whose column is set later comes with the window it is then in.",
            group,
            6,
            Width.SHORT,
            "NULL watermarks");
  }

  private static void defineSlices(ConfigDef definition) {
    String group = "Slices of large tables";
    definition
        .define(
            PARALLELISM,
            ConfigDef.Type.INT,
            1,
            Range.between(-SliceDegree.LARGEST, SliceDegree.LARGEST),
            Importance.MEDIUM,
            "Slices that a large table is read in, shared out over the tasks. 0: as many as the"
                + " connector's machine has processors; a negative number: that many times fewer."
                + " Each slice is a statement and a connection of its own.",
            group,
            1,
            Width.SHORT,
            "Slices")
        .define(
            PARALLELISM_OVERRIDES,
            ConfigDef.Type.STRING,
            "",
            Importance.LOW,
            "How single tables are sliced: [schema.]table:method:key:degree, joined by semicolons;"
                + " an empty field means the default. Methods: None, Random (by a hash of the key,"
                + " the default), RangeId (equal ranges of a key column), Ntile (ranges with equally"
                + " many rows), Ctid (physical blocks inside one snapshot, full exports only). The"
                + " key is a column of the table's primary or unique key.",
            group,
            2,
            Width.LONG,
            "Slices of tables")
        .define(
            LARGE_TABLE_THRESHOLD,
            ConfigDef.Type.LONG,
            100_000L,
            Range.atLeast(0),
            Importance.LOW,
            "Tables with fewer rows, by the catalogue's estimate, are read in one piece.",
            group,
            3,
            Width.SHORT,
            "Large table");
  }

  private static void defineRuns(ConfigDef definition) {
    String group = "Runs";
    definition
        .define(
            MODE,
            ConfigDef.Type.STRING,
            "continuous",
            ValidString.in("continuous", "on-demand"),
            Importance.MEDIUM,
            "Whether runs start by themselves (continuous) or only when asked for (on-demand).",
            group,
            1,
            Width.SHORT,
            "Mode")
        .define(
            INTERVAL,
            ConfigDef.Type.LONG,
            600L,
            Range.between(1, 31_536_000),
            Importance.HIGH,
            "Seconds from the start of one run to the start of the next one; at once if that is"
                + " past.",
            group,
            2,
            Width.SHORT,
            "Interval")
        .define(
            CRON,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "Start runs at these times instead of an interval: minute, hour, day of month, month,"
                + " day of week, in UTC, for example 0 2 * * *.",
            group,
            3,
            Width.MEDIUM,
            "Cron")
        .define(
            ERROR_ACTION,
            ConfigDef.Type.STRING,
            "continue",
            ValidString.in("continue", "skip", "fail"),
            Importance.MEDIUM,
            "What to do when a table fails for good: continue with the others and try it again in"
                + " the next run, skip it until the connector is restarted, or fail the task.",
            group,
            4,
            Width.SHORT,
            "When a table fails")
        .define(
            RETENTION_DAYS,
            ConfigDef.Type.INT,
            90,
            Range.atLeast(1),
            Importance.LOW,
            "Days after which rows about older runs are removed from the LakeXpress DB.",
            group,
            5,
            Width.SHORT,
            "Retention");
  }

  private static void defineRecords(ConfigDef definition) {
    String group = "Records";
    definition
        .define(
            TOPIC_PREFIX,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "What the names of topics begin with, as it is: a table's topic is prefix, schema, a"
                + " dot, table. Other characters than letters, digits, dot, _ and - become _.",
            group,
            1,
            Width.MEDIUM,
            "Topic prefix")
        .define(
            RECORD_KEY,
            ConfigDef.Type.STRING,
            "primary-key",
            ValidString.in("primary-key", "none"),
            Importance.MEDIUM,
            "What records are keyed by.",
            group,
            2,
            Width.SHORT,
            "Record key")
        .define(
            TIME_PRECISION,
            ConfigDef.Type.STRING,
            "micros",
            ValidString.in("micros", "nanos", "connect"),
            Importance.MEDIUM,
            "How times are carried: in microseconds, in nanoseconds, or as Connect's own"
                + " millisecond types for sinks that know only those.",
            group,
            3,
            Width.SHORT,
            "Time precision")
        .define(
            DECIMALS,
            ConfigDef.Type.STRING,
            "precise",
            ValidString.in("precise", "string", "double"),
            Importance.MEDIUM,
            "How exact numbers are carried: as Connect's Decimal, as texts, or as doubles, which"
                + " may round.",
            group,
            4,
            Width.SHORT,
            "Decimals")
        .define(
            FIELD_NAMES,
            ConfigDef.Type.STRING,
            "none",
            ValidString.in("none", "avro"),
            Importance.LOW,
            "Whether column names that Avro refuses are made safe (avro); the original is kept as"
                + " a parameter of the field's schema.",
            group,
            5,
            Width.SHORT,
            "Field names")
        .define(
            RECORD_MAX_BYTES,
            ConfigDef.Type.LONG,
            null,
            Importance.LOW,
            "A row that would become larger than this fails its table before it is handed over."
                + " Left out: producer.override.max.request.size, else 1 MiB.",
            group,
            6,
            Width.SHORT,
            "Largest record");
  }

  private static ConfigDef.Validator zone() {
    return ConfigDef.LambdaValidator.with(
        (key, value) -> {
          try {
            ZoneId.of((String) value);
          } catch (DateTimeException e) {
            throw new ConfigException(
                "Invalid "
                    + key
                    + " '"
                    + value
                    + "': expected a zone such as UTC or Europe/Berlin");
          }
        },
        () -> "a zone such as UTC or Europe/Berlin");
  }
}
