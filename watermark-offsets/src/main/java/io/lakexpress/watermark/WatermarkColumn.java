package io.lakexpress.watermark;

import java.time.Duration;
import java.util.Objects;

/**
 * The column a table is tracked by.
 *
 * @param name as the database spells it
 * @param fractionDigits decimal digits of a second that the column keeps (0 to 9); 0 for kinds
 *     without time
 * @param step a distance whose multiples, counted from midnight, the column all keeps exactly.
 *     Usually one unit of the last digit; more where the type is coarser than it looks: SQL
 *     Server's {@code datetime} shows three digits but keeps thirds of a hundredth, so 10 ms, and
 *     its {@code smalldatetime} keeps minutes. A day is a multiple of it.
 */
public record WatermarkColumn(String name, ColumnKind kind, int fractionDigits, Duration step) {
  private static final Duration DAY = Duration.ofDays(1);

  public WatermarkColumn {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
    if (fractionDigits < 0 || fractionDigits > 9) {
      throw new IllegalArgumentException(
          "Invalid fraction digits " + fractionDigits + ": expected 0 to 9");
    }
    if (step.isNegative() || step.isZero() || DAY.toNanos() % step.toNanos() != 0) {
      throw new IllegalArgumentException(
          "Invalid step " + step + " of column " + name + ": expected a whole part of a day");
    }
  }

  /** A column that keeps every value its fraction digits can show. */
  public WatermarkColumn(String name, ColumnKind kind, int fractionDigits) {
    this(name, kind, fractionDigits, unitOfLastDigit(fractionDigits));
  }

  private static Duration unitOfLastDigit(int fractionDigits) {
    long nanos = 1_000_000_000L;
    for (int digit = 0; digit < fractionDigits && nanos > 1; digit++) {
      nanos /= 10;
    }
    return Duration.ofNanos(nanos);
  }
}
