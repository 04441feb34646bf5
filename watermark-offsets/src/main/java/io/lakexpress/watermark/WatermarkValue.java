package io.lakexpress.watermark;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Objects;

/**
 * A value of a watermark column. Values of one kind compare; the text form is canonical, the same
 * for equal values, and parses back: {@code 2026-12-01}, {@code 2026-12-01T03:30:00.123456}, {@code
 * 2026-12-01T03:30:00.123456Z}, {@code 4711}.
 */
public sealed interface WatermarkValue extends Comparable<WatermarkValue> {
  /** What kind of column holds such values. */
  ColumnKind kind();

  /** The canonical text form. */
  String text();

  /** A calendar day. */
  record Day(LocalDate date) implements WatermarkValue {
    public Day {
      Objects.requireNonNull(date, "date");
    }

    @Override
    public ColumnKind kind() {
      return ColumnKind.DATE;
    }

    @Override
    public String text() {
      return date.toString();
    }

    @Override
    public int compareTo(WatermarkValue other) {
      return date.compareTo(((Day) other).date);
    }
  }

  /** A date and time of day without zone. */
  record LocalTime(LocalDateTime dateTime) implements WatermarkValue {
    public LocalTime {
      Objects.requireNonNull(dateTime, "dateTime");
    }

    @Override
    public ColumnKind kind() {
      return ColumnKind.LOCAL_TIME;
    }

    @Override
    public String text() {
      return Forms.LOCAL.format(dateTime);
    }

    @Override
    public int compareTo(WatermarkValue other) {
      return dateTime.compareTo(((LocalTime) other).dateTime);
    }
  }

  /** A point in time. */
  record PointInTime(Instant instant) implements WatermarkValue {
    public PointInTime {
      Objects.requireNonNull(instant, "instant");
    }

    @Override
    public ColumnKind kind() {
      return ColumnKind.INSTANT;
    }

    @Override
    public String text() {
      return Forms.LOCAL.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC)) + "Z";
    }

    @Override
    public int compareTo(WatermarkValue other) {
      return instant.compareTo(((PointInTime) other).instant);
    }
  }

  /** A whole number. */
  record Whole(long number) implements WatermarkValue {
    @Override
    public ColumnKind kind() {
      return ColumnKind.INTEGER;
    }

    @Override
    public String text() {
      return Long.toString(number);
    }

    @Override
    public int compareTo(WatermarkValue other) {
      return Long.compare(number, ((Whole) other).number);
    }
  }

  /** A rowversion, compared unsigned. */
  record RowVersion(long bits) implements WatermarkValue {
    @Override
    public ColumnKind kind() {
      return ColumnKind.ROWVERSION;
    }

    @Override
    public String text() {
      return Long.toUnsignedString(bits);
    }

    @Override
    public int compareTo(WatermarkValue other) {
      return Long.compareUnsigned(bits, ((RowVersion) other).bits);
    }
  }

  /**
   * Reads the canonical text form of a value of the given kind.
   *
   * @throws IllegalArgumentException naming the text and the form expected
   */
  static WatermarkValue parse(ColumnKind kind, String text) {
    WatermarkValue value;
    try {
      value =
          switch (kind) {
            case DATE -> new Day(LocalDate.parse(text));
            case LOCAL_TIME -> new LocalTime(LocalDateTime.parse(text, Forms.LOCAL));
            case INSTANT -> new PointInTime(Forms.instant(text));
            case INTEGER -> new Whole(Long.parseLong(text));
            case ROWVERSION -> new RowVersion(Long.parseUnsignedLong(text));
          };
    } catch (DateTimeException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "Invalid watermark '" + text + "': expected the form " + Forms.example(kind), e);
    }
    if (!value.text().equals(text)) {
      throw new IllegalArgumentException(
          "Invalid watermark '" + text + "': expected the form " + value.text());
    }
    return value;
  }

  /**
   * Reads a start value as people write it: a date alone, a blank instead of {@code T}, with or
   * without zone; a rowversion also as the eight bytes in hexadecimal, {@code 0x00000000000007D1}.
   *
   * @param zone what a text without a zone means for a column of instants, and what a text with one
   *     is turned into for a zone-less column
   * @throws IllegalArgumentException naming the text and the form expected
   */
  static WatermarkValue parseStart(ColumnKind kind, String written, ZoneId zone) {
    String text = written.strip();
    try {
      return switch (kind) {
        case DATE -> new Day(LocalDate.parse(text));
        case LOCAL_TIME -> new LocalTime(Forms.lenient(text, zone));
        case INSTANT -> new PointInTime(Forms.lenientInstant(text, zone));
        case INTEGER -> new Whole(Long.parseLong(text));
        case ROWVERSION -> new RowVersion(Forms.rowVersion(text));
      };
    } catch (DateTimeException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "Invalid start value '" + text + "': expected the form " + Forms.example(kind), e);
    }
  }

  /** The text forms. */
  final class Forms {
    private static final DateTimeFormatter LOCAL =
        new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral('T')
            .appendPattern("HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private Forms() {}

    private static Instant instant(String text) {
      if (!text.endsWith("Z")) {
        throw new DateTimeException("no zone");
      }
      return LocalDateTime.parse(text.substring(0, text.length() - 1), LOCAL)
          .toInstant(ZoneOffset.UTC);
    }

    private static LocalDateTime lenient(String text, ZoneId zone) {
      if (hasOffset(text)) {
        return LocalDateTime.ofInstant(lenientInstant(text, zone), zone);
      }
      return timeAt(text) < 0
          ? LocalDate.parse(text).atStartOfDay()
          : LocalDateTime.parse(withoutBlanks(text));
    }

    private static Instant lenientInstant(String text, ZoneId zone) {
      if (hasOffset(text)) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(withoutBlanks(text), Instant::from);
      }
      return lenient(text, zone).atZone(zone).toInstant();
    }

    /** Where date and time part, or -1 in a date alone. */
    private static int timeAt(String text) {
      int t = text.toUpperCase(Locale.ROOT).indexOf('T');
      return t >= 0 ? t : text.indexOf(' ');
    }

    private static boolean hasOffset(String text) {
      int time = timeAt(text);
      return time >= 0
          && (text.endsWith("Z")
              || text.endsWith("z")
              || text.indexOf('+', time) > 0
              || text.indexOf('-', time) > 0);
    }

    /** With a T between date and time, and no blank before the offset. */
    private static String withoutBlanks(String text) {
      int time = timeAt(text);
      return text.substring(0, time)
          + "T"
          + text.substring(time + 1).replaceFirst("\\s+(?=[-+Zz])", "");
    }

    private static long rowVersion(String text) {
      return text.startsWith("0x") || text.startsWith("0X")
          ? Long.parseUnsignedLong(text.substring(2), 16)
          : Long.parseUnsignedLong(text);
    }

    static String example(ColumnKind kind) {
      return switch (kind) {
        case DATE -> "2026-12-01";
        case LOCAL_TIME -> "2026-12-01T03:30:00.123456";
        case INSTANT -> "2026-12-01T03:30:00.123456Z";
        case INTEGER -> "4711";
        case ROWVERSION -> "2001 (the eight bytes as an unsigned number)";
      };
    }
  }
}
