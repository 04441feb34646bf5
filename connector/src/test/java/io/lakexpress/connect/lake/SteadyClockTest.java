package io.lakexpress.connect.lake;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.file.FakeClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private final FakeClock wall = new FakeClock();
  private final AtomicLong nanos = new AtomicLong(-5);
  private final Clock clock = new SteadyClock(wall, nanos::get);

  @Test
  void onlyTimeThatReallyPassedCounts() {
    Instant begun = wall.instant();
    assertThat(clock.instant()).isEqualTo(begun);
    wall.pass(Duration.ofHours(-3));
    nanos.addAndGet(Duration.ofSeconds(7).toNanos());
    assertThat(clock.instant()).isEqualTo(begun.plusSeconds(7));
    wall.pass(Duration.ofDays(9));
    assertThat(clock.instant()).isEqualTo(begun.plusSeconds(7));
  }
}
