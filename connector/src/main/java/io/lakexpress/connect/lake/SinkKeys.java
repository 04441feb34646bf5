package io.lakexpress.connect.lake;

import io.lakexpress.connect.CommonConfig;
import io.lakexpress.connect.lake.file.NullValues;
import io.lakexpress.connect.lake.parquet.ParquetCompression;
import io.lakexpress.connect.lake.parquet.TimestampEncoding;
import java.util.function.Consumer;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;

/** Names, defaults and descriptions of the lake sink's keys. */
final class SinkKeys {
  static final String STORAGE_ID = "target.storage.id";
  static final String URL = "lake.url";
  static final String SUB_PATH = "sub.path";
  static final String COMPRESSION = "parquet.compression";
  static final String ROW_GROUP_BYTES = "parquet.row.group.bytes";
  static final String TIMESTAMP_ENCODING = "parquet.timestamp.encoding";
  static final String ROLL_ROWS = "roll.rows";
  static final String ROLL_BYTES = "roll.bytes";
  static final String ROLL_INTERVAL = "roll.interval.ms";
  static final String MEMORY_BYTES = "lake.memory.bytes";
  static final String MISSING_ROWS = "lake.missing.rows.ms";
  static final String SUPERSEDED_RETENTION = "lake.superseded.retention.ms";
  static final String NULL_VALUES = "behavior.on.null.values";

  static final String S3_REGION = "s3.region";
  static final String S3_ENDPOINT = "s3.endpoint";
  static final String S3_PATH_STYLE = "s3.path.style.access";
  static final String S3_PROFILE = "s3.profile";
  static final String S3_ACCESS_KEY_ID = "s3.access.key.id";
  static final String S3_SECRET_ACCESS_KEY = "s3.secret.access.key";
  static final String S3_ROLE_ARN = "s3.role.arn";
  static final String S3_SSE = "s3.sse";
  static final String S3_SSE_KMS_KEY_ID = "s3.sse.kms.key.id";
  static final String S3_COMPATIBILITY = "s3.compatibility";

  private static final long MIN_ROW_GROUP_BYTES = 64 << 10;

  private SinkKeys() {}

  /** All keys of the lake sink. */
  static ConfigDef definition() {
    ConfigDef definition = CommonConfig.define(new ConfigDef());
    defineLake(definition);
    defineS3(definition);
    AzureKeys.define(definition);
    defineFiles(definition);
    defineLanding(definition);
    return definition;
  }

  private static void defineLake(ConfigDef definition) {
    String group = "Lake";
    definition
        .define(
            STORAGE_ID,
            ConfigDef.Type.STRING,
            "",
            Importance.HIGH,
            "Entry of the credentials file for the lake's storage (local, s3 or azure). Either this"
                + " or lake.url is required.",
            group,
            1,
            Width.MEDIUM,
            "Storage credential")
        .define(
            URL,
            ConfigDef.Type.STRING,
            "",
            Importance.HIGH,
            "Base folder of the lake: s3://bucket/dir,"
                + " abfss://container@account.dfs.core.windows.net/dir, or file:///dir, which all"
                + " workers must see under the same path.",
            group,
            2,
            Width.LONG,
            "Lake URL")
        .define(
            SUB_PATH,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "Folders between the base and the schema folder, for example raw/erp.",
            group,
            3,
            Width.MEDIUM,
            "Sub path");
  }

  private static void defineS3(ConfigDef definition) {
    String group = "S3";
    definition
        .define(
            S3_REGION,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "Region of the bucket. Left out: as the AWS default chain says.",
            group,
            1,
            Width.SHORT,
            "Region")
        .define(
            S3_ENDPOINT,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "Address of a store that speaks S3's protocol, for example http://minio:9000. Left out:"
                + " AWS itself.",
            group,
            2,
            Width.MEDIUM,
            "Endpoint")
        .define(
            S3_PATH_STYLE,
            ConfigDef.Type.STRING,
            "",
            ValidString.in("", "true", "false"),
            Importance.LOW,
            "Whether requests name the bucket in the path instead of the host name. Left out: true"
                + " with s3.endpoint, else false.",
            group,
            3,
            Width.SHORT,
            "Path style access")
        .define(
            S3_COMPATIBILITY,
            ConfigDef.Type.STRING,
            "",
            ValidString.in("", "aws", "plain"),
            Importance.LOW,
            "Which of the protocol's newer parts are used: aws (checksums with every object, chunked"
                + " payloads) or plain (neither, for stores that refuse them). Left out: plain with"
                + " s3.endpoint, else aws.",
            group,
            4,
            Width.SHORT,
            "Compatibility")
        .define(
            S3_PROFILE,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "Profile of the workers' AWS configuration files.",
            group,
            5,
            Width.MEDIUM,
            "Profile")
        .define(
            S3_ACCESS_KEY_ID,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "Access key. Left out, and without s3.profile: the AWS default chain (environment,"
                + " web identity, container, instance).",
            group,
            6,
            Width.MEDIUM,
            "Access key id")
        .define(
            S3_SECRET_ACCESS_KEY,
            ConfigDef.Type.PASSWORD,
            "",
            Importance.MEDIUM,
            "Secret of the access key.",
            group,
            7,
            Width.MEDIUM,
            "Secret access key")
        .define(
            S3_ROLE_ARN,
            ConfigDef.Type.STRING,
            "",
            Importance.LOW,
            "Role to assume with these credentials.",
            group,
            8,
            Width.LONG,
            "Role ARN")
        .define(
            S3_SSE,
            ConfigDef.Type.STRING,
            "",
            ValidString.in("", "AES256", "aws:kms"),
            Importance.LOW,
            "Encryption that the store is asked for: AES256 or aws:kms. Left out: as the bucket"
                + " says.",
            group,
            9,
            Width.SHORT,
            "Server-side encryption")
        .define(
            S3_SSE_KMS_KEY_ID,
            ConfigDef.Type.STRING,
            "",
            Importance.LOW,
            "Key for aws:kms. Left out: the account's own.",
            group,
            10,
            Width.MEDIUM,
            "KMS key id");
  }

  private static void defineFiles(ConfigDef definition) {
    String group = "Files";
    definition
        .define(
            COMPRESSION,
            ConfigDef.Type.STRING,
            ParquetCompression.ZSTD.text(),
            words(ParquetCompression::parse, "zstd, snappy, gzip, lz4_raw or none"),
            Importance.MEDIUM,
            "Compression of the Parquet pages: zstd, snappy, gzip, lz4_raw or none.",
            group,
            1,
            Width.SHORT,
            "Compression")
        .define(
            ROW_GROUP_BYTES,
            ConfigDef.Type.LONG,
            64L << 20,
            Range.atLeast(MIN_ROW_GROUP_BYTES),
            Importance.LOW,
            "Size at which a row group of a Parquet file is closed.",
            group,
            2,
            Width.MEDIUM,
            "Row group bytes")
        .define(
            TIMESTAMP_ENCODING,
            ConfigDef.Type.STRING,
            TimestampEncoding.INT64.text(),
            words(TimestampEncoding::parse, "int64 or int96"),
            Importance.LOW,
            "How timestamps are stored: int64 keeps their unit and whether they are instants or"
                + " local times; int96 is for readers that know nothing else, such as Spark before"
                + " 3.4 and the CDM connector, and tells neither.",
            group,
            7,
            Width.SHORT,
            "Timestamp encoding")
        .define(
            ROLL_ROWS,
            ConfigDef.Type.LONG,
            null,
            positiveOrUnset(),
            Importance.MEDIUM,
            "The most rows of a file; without it only size and age close files.",
            group,
            3,
            Width.MEDIUM,
            "Roll rows")
        .define(
            ROLL_BYTES,
            ConfigDef.Type.LONG,
            512L << 20,
            Range.atLeast(1),
            Importance.MEDIUM,
            "Size at which a file is closed.",
            group,
            4,
            Width.MEDIUM,
            "Roll bytes")
        .define(
            ROLL_INTERVAL,
            ConfigDef.Type.LONG,
            600_000L,
            Range.atLeast(1),
            Importance.MEDIUM,
            "Age at which a file is closed, counted from its first row by the wall clock. The files"
                + " of a delivered job are closed at once.",
            group,
            5,
            Width.MEDIUM,
            "Roll interval ms")
        .define(
            MEMORY_BYTES,
            ConfigDef.Type.LONG,
            null,
            positiveOrUnset(),
            Importance.MEDIUM,
            "Heap that all open files of a worker may hold together; when it is reached the largest"
                + " are closed early. Without it a quarter of the worker's heap.",
            group,
            6,
            Width.MEDIUM,
            "Memory bytes");
  }

  private static void defineLanding(ConfigDef definition) {
    String group = "Landing";
    definition
        .define(
            MISSING_ROWS,
            ConfigDef.Type.LONG,
            300_000L,
            Range.atLeast(1),
            Importance.LOW,
            "How long a delivered job may stay short of rows although its closing record was read"
                + " and running tasks find nothing more in its topic; then it fails, because its"
                + " rows have expired, were compacted away or were dropped by a transform.",
            group,
            1,
            Width.MEDIUM,
            "Missing rows ms")
        .define(
            SUPERSEDED_RETENTION,
            ConfigDef.Type.LONG,
            0L,
            Range.atLeast(0),
            Importance.LOW,
            "How long files that a later export replaced are kept, under hidden names that no"
                + " *.parquet glob matches.",
            group,
            2,
            Width.MEDIUM,
            "Superseded retention ms")
        .define(
            NULL_VALUES,
            ConfigDef.Type.STRING,
            NullValues.IGNORE.text(),
            words(NullValues::parse, "ignore, fail or dlq"),
            Importance.LOW,
            "What becomes of records without a value: ignore passes over them, fail stops the task,"
                + " dlq hands them to the dead letter queue.",
            group,
            3,
            Width.SHORT,
            "Behavior on null values");
  }

  private static ConfigDef.Validator words(Consumer<String> parser, String expected) {
    return ConfigDef.LambdaValidator.with(
        (key, value) -> {
          try {
            parser.accept(String.valueOf(value));
          } catch (IllegalArgumentException invalid) {
            throw new ConfigException("Invalid " + key + " '" + value + "': expected " + expected);
          }
        },
        () -> expected);
  }

  private static ConfigDef.Validator positiveOrUnset() {
    return ConfigDef.LambdaValidator.with(
        (key, value) -> {
          if (value instanceof Long number && number < 1) {
            throw new ConfigException("Invalid " + key + " " + value + ": expected at least 1");
          }
        },
        () -> "at least 1");
  }
}
