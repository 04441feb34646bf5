package io.lakexpress.connect.lake.parquet;

import java.util.Locale;

/** How timestamps are stored in a file; dates and times of day are the same in both. */
public enum TimestampEncoding {
  /** A count of the type's own unit, marked as instant or local time. */
  INT64,

  /** Julian day and nanoseconds of the day, for readers that know nothing else. */
  INT96;

  /** The word that a configuration has for it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the text form, in any case.
   *
   * @throws IllegalArgumentException if it is neither of the two
   */
  public static TimestampEncoding parse(String text) {
    for (TimestampEncoding encoding : values()) {
      if (encoding.text().equalsIgnoreCase(text)) {
        return encoding;
      }
    }
    throw new IllegalArgumentException(
        "Invalid timestamp encoding '" + text + "': expected int64 or int96");
  }
}
