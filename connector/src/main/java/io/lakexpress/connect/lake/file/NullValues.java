package io.lakexpress.connect.lake.file;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What becomes of records without a value. */
public enum NullValues {
  /** Passed over and counted. */
  IGNORE,
  /** The first one fails the task. */
  FAIL,
  /** Handed to the dead letter queue; without one the task fails. */
  DLQ;

  /** The word in the configuration. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads the word in any case. */
  public static NullValues parse(String text) {
    return Arrays.stream(values())
        .filter(value -> value.text().equals(text.strip().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Invalid behavior on null values '" + text + "': expected " + words()));
  }

  private static String words() {
    return Arrays.stream(values()).map(NullValues::text).collect(Collectors.joining(", "));
  }
}
