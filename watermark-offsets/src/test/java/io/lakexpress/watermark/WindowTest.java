package io.lakexpress.watermark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class WindowTest {
  private static final ZoneId UTC = ZoneId.of("UTC");

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          INCLUSIVE, 5, 9, 4, false
          INCLUSIVE, 5, 9, 5, false
          INCLUSIVE, 5, 9, 6, true
          INCLUSIVE, 5, 9, 9, true
          INCLUSIVE, 5, 9, 10, false
          EXCLUSIVE, 5, 9, 4, false
          EXCLUSIVE, 5, 9, 5, true
          EXCLUSIVE, 5, 9, 8, true
          EXCLUSIVE, 5, 9, 9, false
          INCLUSIVE, , 9, -9223372036854775808, true
          INCLUSIVE, , 9, 9, true
          INCLUSIVE, , 9, 10, false
          EXCLUSIVE, , 9, 8, true
          EXCLUSIVE, , 9, 9, false
          INCLUSIVE, 9, 9, 9, false
          EXCLUSIVE, 9, 9, 9, false
          INCLUSIVE, 9, 5, 7, false
          EXCLUSIVE, 9, 5, 9, false
          """)
  void directionSaysWhichBoundBelongs(
      Direction direction, Long lower, long upper, long value, boolean contained) {
    Window window = new Window(lower == null ? null : whole(lower), whole(upper), direction);

    assertThat(window.contains(whole(value))).isEqualTo(contained);
  }

  @ParameterizedTest
  @EnumSource
  void windowNeverRunsBackwards(Direction direction) {
    Window window = new Window(whole(9), whole(5), direction);

    assertThat(window.upper()).isEqualTo(whole(9));
    assertThat(window.lower()).contains(whole(9));
    assertThat(window.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void firstWindowIsOpenBelow(Direction direction) {
    Window window = Window.first(whole(5), direction);

    assertThat(window.lower()).isEmpty();
    assertThat(window.isEmpty()).isFalse();
  }

  @Test
  void showsItsBoundsAsMathematicsDoes() {
    assertThat(new Window(whole(5), whole(9), Direction.INCLUSIVE)).hasToString("(5, 9]");
    assertThat(new Window(whole(5), whole(9), Direction.EXCLUSIVE)).hasToString("[5, 9)");
    assertThat(Window.first(whole(9), Direction.INCLUSIVE)).hasToString("(-∞, 9]");
  }

  @Test
  void refusesBoundsOfTwoKinds() {
    WatermarkValue day = WatermarkValue.parse(ColumnKind.DATE, "2026-12-01");

    assertThatThrownBy(() -> new Window(whole(4711), day, Direction.INCLUSIVE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Invalid window from 4711 to 2026-12-01: expected bounds of one kind,"
                + " not INTEGER and DATE");
  }

  @Test
  void microsecondsAreReadOnce() {
    Window first = Window.first(local("00:00:00.123456"), Direction.INCLUSIVE);
    Window second = new Window(first.upper(), local("00:00:00.123456"), Direction.INCLUSIVE);
    Window third = new Window(second.upper(), local("00:00:00.123457"), Direction.INCLUSIVE);

    assertThat(readBy(List.of(first, second, third), local("00:00:00.123456"))).containsExactly(0);
    assertThat(readBy(List.of(first, second, third), local("00:00:00.123457"))).containsExactly(2);
    assertThat(second.isEmpty()).isTrue();
  }

  @Test
  void exclusiveDatesReadEachClosedDayOnce() {
    WatermarkColumn column = new WatermarkColumn("d", ColumnKind.DATE, 0);
    List<Window> windows = new ArrayList<>();
    for (String run :
        List.of("2026-12-01T08:00:00Z", "2026-12-01T20:00:00Z", "2026-12-02T08:00:00Z")) {
      WatermarkValue upper = UpperBound.of(Instant.parse(run), column, Direction.EXCLUSIVE, UTC);
      windows.add(next(windows, upper, Direction.EXCLUSIVE));
    }

    assertThat(readBy(windows, WatermarkValue.parse(ColumnKind.DATE, "2026-11-30")))
        .containsExactly(0);
    assertThat(readBy(windows, WatermarkValue.parse(ColumnKind.DATE, "2026-12-01")))
        .containsExactly(2);
    assertThat(readBy(windows, WatermarkValue.parse(ColumnKind.DATE, "2026-12-02"))).isEmpty();
  }

  @Property
  void windowsOfClockColumnsTileTheAxis(
      @ForAll("runs") List<Run> runs,
      @ForAll("timeKinds") ColumnKind kind,
      @ForAll Direction direction,
      @ForAll @IntRange(max = 6) int digits,
      @ForAll("runs") List<Run> values) {
    WatermarkColumn column = new WatermarkColumn("c", kind, digits);
    ZoneId zone = runs.get(0).moment().zone();
    List<WatermarkValue> uppers = new ArrayList<>();
    for (Run run : runs) {
      Instant instant = UpperBound.instant(run.moment().instant(), run.lag());
      uppers.add(UpperBound.of(instant, column, direction, zone));
    }
    List<WatermarkValue> axis = new ArrayList<>(uppers);
    values.forEach(value -> axis.add(stamp(value.moment().instant(), kind, zone)));
    axis.addAll(uppers.stream().map(upper -> neighbour(upper, column.step())).toList());

    assertTiled(uppers, direction, axis);
  }

  @Property
  void windowsOfNumbersTileTheAxis(
      @ForAll @Size(min = 1, max = 8) List<Long> uppers,
      @ForAll Direction direction,
      @ForAll @Size(max = 8) List<Long> values) {
    List<Long> axis = new ArrayList<>(values);
    for (long upper : uppers) {
      axis.addAll(List.of(upper - 1, upper, upper + 1));
    }

    assertTiled(whole(uppers), direction, whole(axis));
    assertTiled(rowVersions(uppers), direction, rowVersions(axis));
  }

  /** Each value belongs to exactly one window, but to none if it lies beyond the last bound. */
  private static void assertTiled(
      List<WatermarkValue> uppers, Direction direction, List<WatermarkValue> axis) {
    List<Window> windows = new ArrayList<>();
    for (WatermarkValue upper : uppers) {
      Window window = next(windows, upper, direction);
      assertThat(window.lower().stream()).allMatch(lower -> lower.compareTo(window.upper()) <= 0);
      windows.add(window);
    }
    WatermarkValue highest = Collections.max(uppers);
    assertThat(windows.get(windows.size() - 1).upper()).isEqualTo(highest);
    for (WatermarkValue value : axis) {
      int toHighest = value.compareTo(highest);
      boolean reached = direction == Direction.INCLUSIVE ? toHighest <= 0 : toHighest < 0;
      assertThat(readBy(windows, value))
          .as("%s in %s", value.text(), windows)
          .hasSize(reached ? 1 : 0);
    }
  }

  private static Window next(List<Window> windows, WatermarkValue upper, Direction direction) {
    return windows.isEmpty()
        ? Window.first(upper, direction)
        : new Window(windows.get(windows.size() - 1).upper(), upper, direction);
  }

  private static List<Integer> readBy(List<Window> windows, WatermarkValue value) {
    List<Integer> readers = new ArrayList<>();
    for (int i = 0; i < windows.size(); i++) {
      if (windows.get(i).contains(value)) {
        readers.add(i);
      }
    }
    return readers;
  }

  private static WatermarkValue stamp(Instant instant, ColumnKind kind, ZoneId zone) {
    LocalDateTime local = LocalDateTime.ofInstant(instant, zone);
    return switch (kind) {
      case DATE -> new WatermarkValue.Day(local.toLocalDate());
      case LOCAL_TIME -> new WatermarkValue.LocalTime(local);
      case INSTANT -> new WatermarkValue.PointInTime(instant);
      case INTEGER, ROWVERSION -> throw new IllegalArgumentException("no clock column: " + kind);
    };
  }

  /** One step above a bound: the first value that could be skipped or read twice. */
  private static WatermarkValue neighbour(WatermarkValue value, Duration step) {
    if (value instanceof WatermarkValue.Day day) {
      return new WatermarkValue.Day(day.date().plusDays(1));
    }
    if (value instanceof WatermarkValue.LocalTime time) {
      return new WatermarkValue.LocalTime(time.dateTime().plus(step));
    }
    return new WatermarkValue.PointInTime(
        ((WatermarkValue.PointInTime) value).instant().plus(step));
  }

  /** A run's start on a clock that may be set back, and the lag in force. */
  record Run(ClockChanges.Moment moment, Duration lag) {}

  @Provide
  Arbitrary<List<Run>> runs() {
    return Combinators.combine(
            ClockChanges.nearby(), Arbitraries.of(0, 1, 600, 3600, 86400).map(Duration::ofSeconds))
        .as(Run::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(8);
  }

  @Provide
  Arbitrary<ColumnKind> timeKinds() {
    return Arbitraries.of(ColumnKind.DATE, ColumnKind.LOCAL_TIME, ColumnKind.INSTANT);
  }

  private static WatermarkValue whole(long number) {
    return new WatermarkValue.Whole(number);
  }

  private static List<WatermarkValue> whole(List<Long> numbers) {
    return numbers.stream().map(WindowTest::whole).toList();
  }

  private static List<WatermarkValue> rowVersions(List<Long> numbers) {
    return numbers.stream().<WatermarkValue>map(WatermarkValue.RowVersion::new).toList();
  }

  private static WatermarkValue local(String time) {
    return WatermarkValue.parse(ColumnKind.LOCAL_TIME, "2026-12-01T" + time);
  }
}
