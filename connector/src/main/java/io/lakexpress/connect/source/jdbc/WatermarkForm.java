package io.lakexpress.connect.source.jdbc;

import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.WatermarkValue;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;

/**
 * How a watermark column's values are read raw, kept as text and bound again. The text is the
 * canonical one of {@link WatermarkValue}, besides {@code -infinity} and {@link
 * Cursor#NO_WATERMARK}, which are no watermarks but may be the position of a row.
 */
record WatermarkForm(ColumnKind kind, Width width) implements WatermarkReader {
  private static final String BELOW_ALL = "-infinity";

  /** Whether a whole number fits 64 bits. */
  enum Width {
    LONG,
    DECIMAL
  }

  /** Which way a bound finer than the database's own steps is moved. */
  enum Rounding {
    DOWN,
    UP
  }

  @Override
  public String read(ResultSet rows, int index) throws SQLException {
    String text =
        switch (kind) {
          case DATE -> text(rows.getObject(index, LocalDate.class));
          case LOCAL_TIME -> text(rows.getObject(index, LocalDateTime.class));
          case INSTANT -> text(rows.getObject(index, OffsetDateTime.class));
          case INTEGER, ROWVERSION -> rows.getString(index);
        };
    return text == null ? Cursor.NO_WATERMARK : text;
  }

  private static String text(LocalDate day) {
    if (day == null) {
      return null;
    }
    return day.equals(LocalDate.MIN) ? BELOW_ALL : new WatermarkValue.Day(day).text();
  }

  private static String text(LocalDateTime time) {
    if (time == null) {
      return null;
    }
    return time.equals(LocalDateTime.MIN) ? BELOW_ALL : new WatermarkValue.LocalTime(time).text();
  }

  private static String text(OffsetDateTime time) {
    if (time == null) {
      return null;
    }
    return time.equals(OffsetDateTime.MIN)
        ? BELOW_ALL
        : new WatermarkValue.PointInTime(time.toInstant()).text();
  }

  /** What to bind for the text of a row's watermark. */
  Object parameter(String text) {
    if (text.equals(BELOW_ALL)) {
      return switch (kind) {
        case DATE -> LocalDate.MIN;
        case LOCAL_TIME -> LocalDateTime.MIN;
        case INSTANT -> OffsetDateTime.MIN;
        case INTEGER, ROWVERSION ->
            throw new IllegalArgumentException(
                "Invalid watermark '" + text + "': expected a whole number");
      };
    }
    if (kind == ColumnKind.INTEGER && width == Width.DECIMAL) {
      return new BigDecimal(text);
    }
    return parameter(WatermarkValue.parse(kind, text), Rounding.DOWN);
  }

  /** What to bind for a bound; the database knows microseconds. */
  Object parameter(WatermarkValue bound, Rounding rounding) {
    if (bound.kind() != kind) {
      throw new IllegalArgumentException(
          "Invalid bound " + bound.text() + ": expected a value for a column of kind " + kind);
    }
    if (bound instanceof WatermarkValue.Day day) {
      return day.date();
    }
    if (bound instanceof WatermarkValue.LocalTime time) {
      return micros(time.dateTime(), rounding);
    }
    if (bound instanceof WatermarkValue.PointInTime time) {
      Instant instant = time.instant();
      return micros(LocalDateTime.ofInstant(instant, ZoneOffset.UTC), rounding)
          .atOffset(ZoneOffset.UTC);
    }
    if (bound instanceof WatermarkValue.Whole whole) {
      return width == Width.LONG ? (Object) whole.number() : BigDecimal.valueOf(whole.number());
    }
    throw new IllegalArgumentException("Invalid bound " + bound.text() + ": no rowversion here");
  }

  private static LocalDateTime micros(LocalDateTime time, Rounding rounding) {
    int rest = time.get(ChronoField.NANO_OF_SECOND) % 1000;
    LocalDateTime floor = time.minusNanos(rest);
    return rest == 0 || rounding == Rounding.DOWN ? floor : floor.plusNanos(1000);
  }
}
