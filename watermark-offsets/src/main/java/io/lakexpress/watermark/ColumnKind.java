package io.lakexpress.watermark;

/** What a watermark column holds, whatever its database calls the type. */
public enum ColumnKind {
  /** A calendar day. */
  DATE,
  /** A date and time of day without zone. */
  LOCAL_TIME,
  /** A point in time. */
  INSTANT,
  /** A whole number. */
  INTEGER,
  /** SQL Server's rowversion: eight bytes, unsigned. */
  ROWVERSION
}
