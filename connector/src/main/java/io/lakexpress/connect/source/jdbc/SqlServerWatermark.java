package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.jdbc.WatermarkForm.Rounding;
import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.Locale;

/**
 * How the values of a watermark column are read raw, kept as text and bound again. They are bound
 * as texts that no language or date format of the session reads otherwise, and cast to the column's
 * exact type: beside any other type a {@code datetime} would be widened to thirds of a hundredth
 * and differ from the value it was read as.
 */
record SqlServerWatermark(SqlServerType type, WatermarkColumn column) implements WatermarkReader {
  private static final long TICKS_PER_SECOND = 300;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final DateTimeFormatter SECONDS =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendPattern("'T'HH:mm:ss")
          .toFormatter(Locale.ROOT);

  @Override
  public String read(ResultSet rows, int index) throws SQLException {
    if (rows.getObject(index) == null) {
      return Cursor.NO_WATERMARK;
    }
    return switch (column.kind()) {
      case DATE -> new WatermarkValue.Day(rows.getObject(index, LocalDate.class)).text();
      case LOCAL_TIME ->
          new WatermarkValue.LocalTime(rows.getObject(index, LocalDateTime.class)).text();
      case INSTANT ->
          new WatermarkValue.PointInTime(rows.getObject(index, OffsetDateTime.class).toInstant())
              .text();
      case INTEGER -> rows.getBigDecimal(index).toBigIntegerExact().toString();
      case ROWVERSION ->
          new WatermarkValue.RowVersion(ByteBuffer.wrap(rows.getBytes(index)).getLong()).text();
    };
  }

  /**
   * What stands in a statement for one of the column's values. Whole numbers that the column cannot
   * hold are compared in a type that can.
   */
  String placeholder(String parameter) {
    return switch (column.kind()) {
      case ROWVERSION -> "CONVERT(binary(8), ?, 2)";
      case INTEGER ->
          "CAST(? AS "
              + (fits(new BigDecimal(parameter)) ? type.declared() : "decimal(38,0)")
              + ")";
      case DATE, LOCAL_TIME, INSTANT -> "CAST(? AS " + type.declared() + ")";
    };
  }

  /** What to bind for the text of a row's watermark. */
  String parameter(String text) {
    return column.kind() == ColumnKind.INTEGER
        ? text
        : parameter(WatermarkValue.parse(column.kind(), text), Rounding.DOWN);
  }

  /** What to bind for a bound. */
  String parameter(WatermarkValue bound, Rounding rounding) {
    if (bound.kind() != column.kind()) {
      throw new IllegalArgumentException(
          "Invalid bound "
              + bound.text()
              + ": expected a value for a column of kind "
              + column.kind());
    }
    if (bound instanceof WatermarkValue.LocalTime time) {
      return text(onGrid(time.dateTime(), rounding));
    }
    if (bound instanceof WatermarkValue.PointInTime time) {
      LocalDateTime utc = LocalDateTime.ofInstant(time.instant(), ZoneOffset.UTC);
      return text(onGrid(utc, rounding)) + "+00:00";
    }
    if (bound instanceof WatermarkValue.RowVersion version) {
      return HexFormat.of().withUpperCase().toHexDigits(version.bits());
    }
    return bound.text();
  }

  /** Whether a value lies below all that the type can hold, so that every row lies above it. */
  boolean isBelowAll(WatermarkValue bound) {
    LocalDate smallest =
        switch (type.name()) {
          case "datetime" -> LocalDate.of(1753, 1, 1);
          case "smalldatetime" -> LocalDate.of(1900, 1, 1);
          default -> LocalDate.of(1, 1, 1);
        };
    if (bound instanceof WatermarkValue.Day day) {
      return day.date().isBefore(smallest);
    }
    if (bound instanceof WatermarkValue.LocalTime time) {
      return time.dateTime().isBefore(smallest.atStartOfDay());
    }
    return bound instanceof WatermarkValue.PointInTime time
        && time.instant().isBefore(smallest.atStartOfDay().toInstant(ZoneOffset.UTC));
  }

  private boolean fits(BigDecimal number) {
    return switch (type.name()) {
      case "tinyint" -> number.signum() >= 0 && number.compareTo(BigDecimal.valueOf(255)) <= 0;
      case "smallint" -> number.toBigInteger().bitLength() < Short.SIZE;
      case "int" -> number.toBigInteger().bitLength() < Integer.SIZE;
      case "bigint" -> number.toBigInteger().bitLength() < Long.SIZE;
      default -> number.precision() <= type.precision();
    };
  }

  private String text(LocalDateTime time) {
    String seconds = SECONDS.format(time);
    int nanos = time.get(ChronoField.NANO_OF_SECOND);
    return switch (type.name()) {
      case "smalldatetime" -> seconds;
      case "datetime" -> seconds + String.format(Locale.ROOT, ".%03d", nanos / NANOS_PER_MILLI);
      default -> seconds + String.format(Locale.ROOT, ".%07d", nanos / 100);
    };
  }

  /** The nearest value that the column keeps, in the direction given. */
  private LocalDateTime onGrid(LocalDateTime time, Rounding rounding) {
    if (type.name().equals("datetime")) {
      return onTick(time, rounding);
    }
    long step = column.step().toNanos();
    long rest = time.toLocalTime().toNanoOfDay() % step;
    LocalDateTime floor = time.minusNanos(rest);
    return rest == 0 || rounding == Rounding.DOWN ? floor : floor.plusNanos(step);
  }

  /** A tick is written as the nearest millisecond: .000, .003, .007, .010. */
  private static LocalDateTime onTick(LocalDateTime time, Rounding rounding) {
    int nanos = time.get(ChronoField.NANO_OF_SECOND);
    long tick = nanos * TICKS_PER_SECOND / 1_000_000_000 + 1;
    while (nanosOf(tick) > nanos) {
      tick--;
    }
    if (rounding == Rounding.UP && nanosOf(tick) < nanos) {
      tick++;
    }
    return time.withNano(0).plusNanos(nanosOf(tick));
  }

  private static long nanosOf(long tick) {
    return (tick * 10 + 1) / 3 * NANOS_PER_MILLI;
  }
}
