package io.lakexpress.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.errors.ConnectException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SideBySideTest {
  private final List<String> problems = new ArrayList<>();

  private SideBySide within(Duration patience) {
    return new SideBySide(
        (key, message) -> problems.add(key + ": " + message), patience, System::nanoTime);
  }

  @Test
  void questionsAreAskedAtTheSameTime() {
    CountDownLatch both = new CountDownLatch(2);
    SideBySide asked = within(Duration.ofSeconds(20));

    SideBySide.Answer<Boolean> one = asked.ask("one", "a", noted -> meet(both));
    SideBySide.Answer<Boolean> other = asked.ask("other", "b", noted -> meet(both));

    assertThat(one.await()).contains(true);
    assertThat(other.await()).contains(true);
    assertThat(problems).isEmpty();
  }

  private static boolean meet(CountDownLatch all) {
    all.countDown();
    try {
      return all.await(10, java.util.concurrent.TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void whoeverDoesNotAnswerIsGivenUpAndWhatItFoundSoFarIsKept() throws InterruptedException {
    AtomicReference<Thread> hanging = new AtomicReference<>();
    CountDownLatch noted = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(2);
    SideBySide asked = within(Duration.ofSeconds(1));

    SideBySide.Answer<Boolean> answer =
        asked.ask(
            "lake",
            "lake.url",
            found -> {
              hanging.set(Thread.currentThread());
              found.refuse("lake.url", "first");
              noted.countDown();
              boolean ended = meet(never);
              found.refuse("lake.url", "too late");
              return ended;
            });
    noted.await();

    assertThat(answer.await()).isEmpty();
    assertThat(problems)
        .containsExactly(
            "lake.url: first",
            "lake.url: Cannot check the lake to the end: no answer within 1 seconds");
    Awaitility.await().until(() -> !hanging.get().isAlive());
    assertThat(problems).hasSize(2);
  }

  @Test
  void whatNobodyExpectedIsThrown() {
    SideBySide.Answer<Boolean> answer =
        within(Duration.ofSeconds(20))
            .ask(
                "lake",
                "lake.url",
                found -> {
                  throw new IllegalStateException("broken");
                });

    assertThatThrownBy(answer::await)
        .isInstanceOf(ConnectException.class)
        .hasMessage("Cannot check the lake: broken");
  }
}
