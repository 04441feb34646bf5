package io.lakexpress.watermark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoField;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class UpperBoundTest {
  private static final long HOUR = 3_600_000_000_000L;

  @Test
  void upperBoundStopsAtTheSafetyLag() {
    Instant start = Instant.parse("2026-12-01T03:30:00Z");

    assertThat(UpperBound.instant(start, Duration.ofHours(1)))
        .isEqualTo(Instant.parse("2026-12-01T02:30:00Z"));
    assertThat(UpperBound.instant(start, Duration.ZERO)).isEqualTo(start);
    assertThatThrownBy(() -> UpperBound.instant(start, Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid safety lag PT-1S: expected 0 seconds or more");
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          DATE,       0, INCLUSIVE, 2026-12-01T03:30:00Z,           2026-12-01
          DATE,       0, EXCLUSIVE, 2026-12-01T03:30:00Z,           2026-12-01
          DATE,       0, EXCLUSIVE, 2026-12-01T23:30:00Z,           2026-12-02
          LOCAL_TIME, 6, INCLUSIVE, 2026-12-01T03:30:00.123456789Z, 2026-12-01T04:30:00.123455
          LOCAL_TIME, 6, EXCLUSIVE, 2026-12-01T03:30:00.123456789Z, 2026-12-01T04:30:00.123456
          LOCAL_TIME, 3, INCLUSIVE, 2026-12-01T03:30:00.123456789Z, 2026-12-01T04:30:00.122
          LOCAL_TIME, 0, INCLUSIVE, 2026-12-01T03:30:00.9Z,         2026-12-01T04:29:59
          LOCAL_TIME, 0, EXCLUSIVE, 2026-12-01T03:30:00.9Z,         2026-12-01T04:30:00
          INSTANT,    6, INCLUSIVE, 2026-12-01T03:30:00.123456789Z, 2026-12-01T03:30:00.123455Z
          INSTANT,    9, INCLUSIVE, 2026-12-01T03:30:00Z,           2026-12-01T03:29:59.999999999Z
          INSTANT,    6, EXCLUSIVE, 2026-12-01T03:30:00.123456Z,    2026-12-01T03:30:00.123456Z
          INSTANT,    0, INCLUSIVE, 2026-12-01T00:00:00Z,           2026-11-30T23:59:59Z
          INSTANT,    3, EXCLUSIVE, 1969-12-31T23:59:59.9996Z,      1969-12-31T23:59:59.999Z
          INSTANT,    0, INCLUSIVE, -0043-03-15T12:00:00.5Z,        -0043-03-15T11:59:59Z
          """)
  void boundHasTheColumnsTypeZoneAndPrecision(
      ColumnKind kind, int digits, Direction direction, Instant instant, String text) {
    WatermarkColumn column = new WatermarkColumn("updated_at", kind, digits);

    assertThat(UpperBound.of(instant, column, direction, ZoneId.of("Europe/Berlin")).text())
        .isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # Berlin repeats 02:00 to 03:00 local time, from 00:00Z to 02:00Z
          Europe/Berlin,       2026-10-24T23:59:59Z, 2026-10-25T01:59:59
          Europe/Berlin,       2026-10-25T00:00:00Z, 2026-10-25T02:00:00
          Europe/Berlin,       2026-10-25T00:30:00Z, 2026-10-25T02:00:00
          Europe/Berlin,       2026-10-25T01:00:00Z, 2026-10-25T02:00:00
          Europe/Berlin,       2026-10-25T01:30:00Z, 2026-10-25T02:30:00
          Europe/Berlin,       2026-03-29T00:59:59Z, 2026-03-29T01:59:59
          Europe/Berlin,       2026-03-29T01:00:00Z, 2026-03-29T03:00:00
          America/New_York,    2026-11-01T05:30:00Z, 2026-11-01T01:00:00
          America/New_York,    2026-11-01T06:30:00Z, 2026-11-01T01:30:00
          # Lord Howe repeats half an hour, 01:30 to 02:00
          Australia/Lord_Howe, 2026-04-04T14:20:00Z, 2026-04-05T01:20:00
          Australia/Lord_Howe, 2026-04-04T14:45:00Z, 2026-04-05T01:30:00
          Australia/Lord_Howe, 2026-04-04T15:15:00Z, 2026-04-05T01:45:00
          # Apia left out 30 December 2011
          Pacific/Apia,        2011-12-30T09:59:59Z, 2011-12-29T23:59:59
          Pacific/Apia,        2011-12-30T10:00:00Z, 2011-12-31T00:00:00
          # Sitka lived a whole day twice
          America/Sitka,       1867-10-18T12:00:00Z, 1867-10-18T15:30:00
          """)
  void zoneLessBoundStaysAtTheStartOfARepeatedStretch(ZoneId zone, Instant instant, String text) {
    WatermarkColumn column = new WatermarkColumn("updated_at", ColumnKind.LOCAL_TIME, 0);

    assertThat(UpperBound.of(instant, column, Direction.EXCLUSIVE, zone).text()).isEqualTo(text);
  }

  @Test
  void aDayThatIsRepeatedIsNotClosed() {
    WatermarkColumn column = new WatermarkColumn("day", ColumnKind.DATE, 0);
    ZoneId havana = ZoneId.of("America/Havana");

    // Havana sets its clocks back at 01:00 to 00:00: the new day does not end.
    assertThat(day("2026-11-01T04:30:00Z", column, havana)).isEqualTo("2026-11-01");
    ZoneId asuncion = ZoneId.of("America/Asuncion");
    // Asuncion set them back at 00:00 to 23:00 in 2024: 23 March was lived an hour longer.
    assertThat(day("2024-03-24T02:59:59Z", column, asuncion)).isEqualTo("2024-03-23");
    assertThat(day("2024-03-24T03:00:00Z", column, asuncion)).isEqualTo("2024-03-23");
    assertThat(day("2024-03-24T04:00:00Z", column, asuncion)).isEqualTo("2024-03-24");
  }

  private static String day(String instant, WatermarkColumn column, ZoneId zone) {
    return UpperBound.of(Instant.parse(instant), column, Direction.EXCLUSIVE, zone).text();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          PT0.01S, 2026-12-01T03:30:00.008Z, INCLUSIVE, 2026-12-01T03:29:59.99
          PT0.01S, 2026-12-01T03:30:00.018Z, EXCLUSIVE, 2026-12-01T03:30:00.01
          PT1M,    2026-12-01T03:30:29Z,     INCLUSIVE, 2026-12-01T03:29:00
          PT1M,    2026-12-01T03:30:29Z,     EXCLUSIVE, 2026-12-01T03:30:00
          """)
  void typesCoarserThanTheyLookAreBoundAtTheirSteps(
      Duration step, Instant instant, Direction direction, String text) {
    WatermarkColumn column = new WatermarkColumn("updated_at", ColumnKind.LOCAL_TIME, 3, step);

    assertThat(UpperBound.of(instant, column, direction, ZoneId.of("UTC")).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @EnumSource(names = {"INTEGER", "ROWVERSION"})
  void refusesColumnsThatHoldNoTime(ColumnKind kind) {
    WatermarkColumn column = new WatermarkColumn("id", kind, 0);

    assertThatThrownBy(
            () -> UpperBound.of(Instant.EPOCH, column, Direction.INCLUSIVE, ZoneId.of("UTC")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot compute the bound of column id from a clock: it holds no time");
  }

  @ParameterizedTest
  @CsvSource({"-1", "10"})
  void refusesDigitsNoColumnHas(int digits) {
    assertThatThrownBy(() -> new WatermarkColumn("c", ColumnKind.INSTANT, digits))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid fraction digits " + digits + ": expected 0 to 9");
  }

  @ParameterizedTest
  @CsvSource({"PT0S", "PT-1S", "PT0.7S", "PT48H"})
  void refusesAStepThatDoesNotDivideADay(Duration step) {
    assertThatThrownBy(() -> new WatermarkColumn("c", ColumnKind.INSTANT, 0, step))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid step " + step + " of column c: expected a whole part of a day");
  }

  @Property
  void noLaterRowIsStampedInsideTheWindow(
      @ForAll("nearClockChanges") ClockChanges.Moment now,
      @ForAll @LongRange(max = 40 * HOUR) long later,
      @ForAll @IntRange(max = 6) int digits,
      @ForAll Direction direction) {
    WatermarkColumn column = new WatermarkColumn("c", ColumnKind.LOCAL_TIME, digits);
    Window window =
        Window.first(UpperBound.of(now.instant(), column, direction, now.zone()), direction);
    LocalDateTime local = LocalDateTime.ofInstant(now.instant().plusNanos(later), now.zone());

    // PostgreSQL rounds to the nearest tick, others cut off.
    LocalDateTime cut = ClockChanges.cut(local, column.step());
    LocalDateTime rounded = ClockChanges.cut(local.plus(column.step().dividedBy(2)), column.step());
    assertThat(window.contains(new WatermarkValue.LocalTime(cut))).isFalse();
    assertThat(window.contains(new WatermarkValue.LocalTime(rounded))).isFalse();
  }

  @Property
  void noLaterInstantIsStampedInsideTheWindow(
      @ForAll("nearClockChanges") ClockChanges.Moment now,
      @ForAll @LongRange(max = 2 * 1_000_000_000L) long later,
      @ForAll @IntRange(max = 6) int digits,
      @ForAll Direction direction) {
    WatermarkColumn column = new WatermarkColumn("c", ColumnKind.INSTANT, digits);
    Window window =
        Window.first(UpperBound.of(now.instant(), column, direction, now.zone()), direction);
    ZoneId utc = ZoneId.of("UTC");
    LocalDateTime time = LocalDateTime.ofInstant(now.instant().plusNanos(later), utc);

    LocalDateTime cut = ClockChanges.cut(time, column.step());
    LocalDateTime rounded = ClockChanges.cut(time.plus(column.step().dividedBy(2)), column.step());
    assertThat(window.contains(new WatermarkValue.PointInTime(cut.atZone(utc).toInstant())))
        .isFalse();
    assertThat(window.contains(new WatermarkValue.PointInTime(rounded.atZone(utc).toInstant())))
        .isFalse();
  }

  @Property
  void noLaterRowIsDatedInsideAClosedDay(
      @ForAll("nearClockChanges") ClockChanges.Moment now,
      @ForAll @LongRange(max = 40 * HOUR) long later) {
    WatermarkColumn column = new WatermarkColumn("c", ColumnKind.DATE, 0);
    Window window =
        Window.first(
            UpperBound.of(now.instant(), column, Direction.EXCLUSIVE, now.zone()),
            Direction.EXCLUSIVE);
    LocalDateTime local = LocalDateTime.ofInstant(now.instant().plusNanos(later), now.zone());

    assertThat(window.contains(new WatermarkValue.Day(local.toLocalDate()))).isFalse();
  }

  @Property
  void noLaterSqlServerDatetimeIsStampedInsideTheWindow(
      @ForAll("nearClockChanges") ClockChanges.Moment now,
      @ForAll @LongRange(max = 100_000_000L) long later,
      @ForAll Direction direction) {
    WatermarkColumn column =
        new WatermarkColumn("c", ColumnKind.LOCAL_TIME, 3, Duration.ofMillis(10));
    Window window =
        Window.first(UpperBound.of(now.instant(), column, direction, ZoneId.of("UTC")), direction);
    LocalDateTime time = LocalDateTime.ofInstant(now.instant().plusNanos(later), ZoneId.of("UTC"));

    // Rounded to the nearest of 300 ticks a second, shown to the millisecond.
    long ticks = Math.round(time.get(ChronoField.NANO_OF_SECOND) * 300L / 1e9);
    LocalDateTime stamp =
        time.withNano(0).plus(Duration.ofMillis(Math.round(ticks * 1000 / 300.0)));
    assertThat(window.contains(new WatermarkValue.LocalTime(stamp))).isFalse();
  }

  @Property
  void boundIsNoLowerThanNeeded(
      @ForAll("nearClockChanges") ClockChanges.Moment now, @ForAll @IntRange(max = 6) int digits) {
    WatermarkColumn column = new WatermarkColumn("c", ColumnKind.LOCAL_TIME, digits);
    WatermarkValue.LocalTime bound =
        (WatermarkValue.LocalTime)
            UpperBound.of(now.instant(), column, Direction.EXCLUSIVE, now.zone());
    LocalDateTime next = bound.dateTime().plus(column.step());

    // Some instant from now on is stamped below the bound's next step.
    Instant reached = next.atZone(now.zone()).withLaterOffsetAtOverlap().toInstant();
    assertThat(reached).isAfterOrEqualTo(now.instant());
  }

  @Provide
  Arbitrary<ClockChanges.Moment> nearClockChanges() {
    return ClockChanges.nearby();
  }
}
