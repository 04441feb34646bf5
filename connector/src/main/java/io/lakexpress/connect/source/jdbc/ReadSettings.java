package io.lakexpress.connect.source.jdbc;

/**
 * How rows are fetched and what they look like as records.
 *
 * @param fetchRows the most rows the driver holds at once
 * @param fetchBytes about how many bytes of rows the driver holds at once
 */
public record ReadSettings(
    int fetchRows,
    long fetchBytes,
    TimePrecision timePrecision,
    DecimalHandling decimalHandling,
    FieldNames fieldNames,
    RecordKey recordKey) {

  /** The unit of times and timestamps in records. */
  public enum TimePrecision {
    MICROS,
    NANOS,
    /** Connect's own logical types, which know milliseconds only. */
    CONNECT
  }

  /** What decimals become. */
  public enum DecimalHandling {
    PRECISE,
    STRING,
    DOUBLE
  }

  /** What column names become. */
  public enum FieldNames {
    AS_IS,
    /** Names that Avro refuses are made safe. */
    AVRO
  }

  /** What the key of a record is. */
  public enum RecordKey {
    PRIMARY_KEY,
    NONE
  }

  public ReadSettings {
    if (fetchRows < 1) {
      throw new IllegalArgumentException(
          "Invalid fetch rows " + fetchRows + ": expected at least 1");
    }
    if (fetchBytes < 1) {
      throw new IllegalArgumentException(
          "Invalid fetch bytes " + fetchBytes + ": expected at least 1");
    }
  }

  /** 10000 rows, 16 MiB, microseconds, precise decimals, names as they are, primary keys. */
  public static ReadSettings defaults() {
    return new ReadSettings(
        10_000,
        16L << 20,
        TimePrecision.MICROS,
        DecimalHandling.PRECISE,
        FieldNames.AS_IS,
        RecordKey.PRIMARY_KEY);
  }
}
