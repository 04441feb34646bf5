package io.lakexpress.connect.source.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  private static final Instant NOON = Instant.parse("2026-12-01T12:00:00Z");
  private static final Schedule TEN_MINUTES = Schedule.every(Duration.ofMinutes(10));

  @Test
  void aRunIsDueTheIntervalAfterTheLastOneWasOpened() {
    assertThat(TEN_MINUTES.isDue(NOON, NOON.plusSeconds(599))).isFalse();
    assertThat(TEN_MINUTES.isDue(NOON, NOON.plusSeconds(600))).isTrue();
    assertThat(TEN_MINUTES.untilDue(NOON, NOON.plusSeconds(570))).hasSeconds(30);
  }

  @Test
  void aFirstRunAndALastRunInTheFutureAreDueAtOnce() {
    assertThat(TEN_MINUTES.isDue(null, NOON)).isTrue();
    assertThat(TEN_MINUTES.isDue(NOON.plusSeconds(1), NOON)).isTrue();
  }

  @Test
  void cronIsDueAtItsTimes() {
    Schedule nightly = Schedule.cron(CronExpression.parse("30 2 * * *"));

    assertThat(nightly.isDue(NOON, Instant.parse("2026-12-02T02:29:59Z"))).isFalse();
    assertThat(nightly.isDue(NOON, Instant.parse("2026-12-02T02:30:00Z"))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "* * * * *; 2026-12-01T12:00:30Z; 2026-12-01T12:01:00Z",
        "*/15 * * * *; 2026-12-01T12:00:00Z; 2026-12-01T12:15:00Z",
        "0 0 1 * *; 2026-12-01T00:00:00Z; 2027-01-01T00:00:00Z",
        "0 6 * * MON-FRI; 2026-12-04T06:00:00Z; 2026-12-07T06:00:00Z",
        "0 6 13 * 5; 2026-12-01T00:00:00Z; 2026-12-04T06:00:00Z",
        "0 6 * * 7; 2026-12-01T00:00:00Z; 2026-12-06T06:00:00Z",
        "5,10 8-9 * JAN *; 2026-12-01T00:00:00Z; 2027-01-01T08:05:00Z",
        "0 0 29 2 *; 2026-12-01T00:00:00Z; 2028-02-29T00:00:00Z",
        "59 23 31 12 *; 2026-12-31T23:59:00Z; 2027-12-31T23:59:00Z"
      })
  void cronNamesItsNextTime(String expression, Instant after, Instant next) {
    assertThat(CronExpression.parse(expression).next(after)).isEqualTo(next);
    assertThat(CronExpression.parse(expression)).hasToString(expression);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * *",
        "60 * * * *",
        "* 24 * * *",
        "x * * * *",
        "5-1 * * * *",
        "0 0 31 2 *"
      })
  void cronRefusesNonsense(String expression) {
    assertThatThrownBy(() -> CronExpression.parse(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Invalid cron expression '" + expression + "': ");
  }
}
