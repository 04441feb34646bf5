package io.lakexpress.connect.source.read;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Five cron fields in UTC: minute, hour, day of month, month, day of week, with lists, ranges,
 * steps and English three-letter names. Where both days are restricted, either of them suffices, as
 * cron has it. The text form parses back.
 */
public final class CronExpression {
  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  /** No pair of day and month is rarer than 29 February around 2100. */
  private static final int LONGEST_WAIT_DAYS = 9 * 366;

  private final String text;
  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet monthDays;
  private final BitSet months;
  private final BitSet weekDays;
  private final boolean eitherDay;

  private CronExpression(String text, String[] fields) {
    this.text = text;
    this.minutes = field(fields[0], 0, 59, List.of());
    this.hours = field(fields[1], 0, 23, List.of());
    this.monthDays = field(fields[2], 1, 31, List.of());
    this.months = field(fields[3], 1, 12, MONTHS);
    this.weekDays = field(fields[4], 0, 7, DAYS);
    if (weekDays.get(7)) {
      weekDays.set(0);
    }
    this.eitherDay = !fields[2].startsWith("*") && !fields[4].startsWith("*");
  }

  /**
   * Reads five fields.
   *
   * @throws IllegalArgumentException naming the expression and what is wrong with it
   */
  public static CronExpression parse(String text) {
    String[] fields = text.strip().split("\\s+");
    if (fields.length != 5) {
      throw invalid(text, "expected five fields, for example 30 2 * * *");
    }
    CronExpression expression;
    try {
      expression = new CronExpression(String.join(" ", fields), fields);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "Invalid cron expression '" + text + "': " + e.getMessage(), e);
    }
    if (expression.nextDay(LocalDate.of(2000, 1, 1)) == null) {
      throw invalid(text, "expected a day that exists");
    }
    return expression;
  }

  private static IllegalArgumentException invalid(String text, String expected) {
    return new IllegalArgumentException("Invalid cron expression '" + text + "': " + expected);
  }

  private static BitSet field(String field, int least, int greatest, List<String> names) {
    BitSet values = new BitSet();
    for (String part : field.split(",", -1)) {
      int slash = part.indexOf('/');
      int step = slash < 0 ? 1 : number(part.substring(slash + 1), 1, greatest, List.of());
      String range = slash < 0 ? part : part.substring(0, slash);
      int dash = range.indexOf('-');
      int from = least;
      int to = greatest;
      if (dash > 0) {
        from = number(range.substring(0, dash), least, greatest, names);
        to = number(range.substring(dash + 1), least, greatest, names);
      } else if (!range.equals("*")) {
        from = number(range, least, greatest, names);
        to = slash < 0 ? from : greatest;
      }
      if (from > to) {
        throw new IllegalArgumentException("'" + part + "' runs backwards");
      }
      for (int value = from; value <= to; value += step) {
        values.set(value);
      }
    }
    return values;
  }

  private static int number(String word, int least, int greatest, List<String> names) {
    int name = names.indexOf(word.toUpperCase(Locale.ROOT));
    if (name >= 0) {
      return name + least;
    }
    try {
      int number = Integer.parseInt(word);
      if (number >= least && number <= greatest) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + word + "' is not a number", e);
    }
    throw new IllegalArgumentException(
        "'" + word + "' is not between " + least + " and " + greatest);
  }

  /** The first time after the given one. */
  public Instant next(Instant after) {
    Instant minute = Instant.ofEpochSecond(Math.floorDiv(after.getEpochSecond(), 60L) * 60 + 60);
    LocalDate day = LocalDate.ofInstant(minute, ZoneOffset.UTC);
    LocalTime earliest = LocalTime.ofInstant(minute, ZoneOffset.UTC);
    if (isDay(day)) {
      for (int hour = hours.nextSetBit(earliest.getHour());
          hour >= 0;
          hour = hours.nextSetBit(hour + 1)) {
        int from = hour == earliest.getHour() ? earliest.getMinute() : 0;
        int next = minutes.nextSetBit(from);
        if (next >= 0) {
          return day.atTime(hour, next).toInstant(ZoneOffset.UTC);
        }
      }
    }
    return Objects.requireNonNull(nextDay(day.plusDays(1)), "day")
        .atTime(hours.nextSetBit(0), minutes.nextSetBit(0))
        .toInstant(ZoneOffset.UTC);
  }

  private LocalDate nextDay(LocalDate from) {
    for (int i = 0; i < LONGEST_WAIT_DAYS; i++) {
      if (isDay(from.plusDays(i))) {
        return from.plusDays(i);
      }
    }
    return null;
  }

  private boolean isDay(LocalDate day) {
    boolean monthDay = monthDays.get(day.getDayOfMonth());
    boolean weekDay = weekDays.get(day.getDayOfWeek().getValue() % 7);
    return months.get(day.getMonthValue())
        && (eitherDay ? monthDay || weekDay : monthDay && weekDay);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CronExpression expression && text.equals(expression.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
