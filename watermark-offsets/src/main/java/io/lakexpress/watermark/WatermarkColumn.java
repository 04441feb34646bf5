package io.lakexpress.watermark;

import java.util.Objects;

/**
 * The column a table is tracked by.
 *
 * @param name as the database spells it
 * @param fractionDigits decimal digits of a second that the column keeps (0 to 9); 0 for kinds
 *     without time
 */
public record WatermarkColumn(String name, ColumnKind kind, int fractionDigits) {
  public WatermarkColumn {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
    if (fractionDigits < 0 || fractionDigits > 9) {
      throw new IllegalArgumentException(
          "Invalid fraction digits " + fractionDigits + ": expected 0 to 9");
    }
  }

  /** The smallest step between two values, in nanoseconds. */
  long tickNanos() {
    long tick = 1_000_000_000L;
    for (int digit = 0; digit < fractionDigits; digit++) {
      tick /= 10;
    }
    return tick;
  }
}
