package io.lakexpress.connect.lake.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  @Test
  void largestHolderGivesAndSmallOnesAreLeftAlone() {
    MemoryBudget budget = MemoryBudget.separate(100);
    try (MemoryBudget.Share large = budget.join();
        MemoryBudget.Share small = budget.join()) {
      large.change(90);
      small.change(10);
      assertThat(large.mustGive()).isFalse();
      small.change(5);
      assertThat(large.mustGive()).isTrue();
      assertThat(small.mustGive()).isFalse();
      large.change(-90);
      assertThat(large.mustGive()).isFalse();
    }
  }

  @Test
  void closedHolderGivesEverythingBack() {
    MemoryBudget budget = MemoryBudget.separate(100);
    MemoryBudget.Share gone = budget.join();
    gone.change(100);
    gone.close();
    gone.close();
    try (MemoryBudget.Share next = budget.join()) {
      next.change(100);
      assertThat(next.mustGive()).isFalse();
    }
  }

  @Test
  void rollPolicyClosesByRowsBytesAndAge() {
    RollPolicy policy = new RollPolicy(10, 1000, Duration.ofMinutes(10));
    assertThat(policy.isFull(9, 999)).isFalse();
    assertThat(policy.isFull(10, 0)).isTrue();
    assertThat(policy.isFull(0, 1000)).isTrue();
    assertThat(policy.isDue(Duration.ofMinutes(10).minusMillis(1))).isFalse();
    assertThat(policy.isDue(Duration.ofMinutes(10))).isTrue();
    assertThatThrownBy(() -> new RollPolicy(0, 1, Duration.ofMinutes(1)))
        .hasMessage("Invalid roll policy of 0 rows, 1 bytes, PT1M: expected positive limits");
  }

  @Test
  void backoffDoublesUpToOneMinute() {
    Backoff backoff = new Backoff();
    assertThat(backoff.failed()).isEqualTo(Duration.ofSeconds(1));
    assertThat(backoff.failed()).isEqualTo(Duration.ofSeconds(2));
    for (int i = 0; i < 100; i++) {
      backoff.failed();
    }
    assertThat(backoff.failed()).isEqualTo(Duration.ofMinutes(1));
    backoff.succeeded();
    assertThat(backoff.failed()).isEqualTo(Duration.ofSeconds(1));
  }
}
