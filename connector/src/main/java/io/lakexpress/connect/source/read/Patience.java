package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.LakexpressDbException;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the LakeXpress DB until it answers, with growing waits, until the reader is stopped. */
final class Patience {
  private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

  private final Timing timing;
  private final Halt halt;
  private final SyncMetrics metrics;

  Patience(Timing timing, Halt halt, SyncMetrics metrics) {
    this.timing = timing;
    this.halt = halt;
    this.metrics = metrics;
  }

  /**
   * The answer.
   *
   * @throws LakexpressDbException if the database refuses for good
   */
  <T> T ask(Supplier<T> question) {
    for (int number = 1; ; number++) {
      halt.check();
      try {
        T answer = question.get();
        metrics.lakexpressDbAnswers();
        return answer;
      } catch (LakexpressDbException e) {
        if (!e.isRetriable()) {
          throw e;
        }
        metrics.lakexpressDbDown();
        Duration wait = timing.wait(number);
        LOG.warn("The LakeXpress DB does not answer, next try in {}: {}", wait, e.getMessage());
        halt.sleep(wait);
      }
    }
  }

  void tell(Runnable deed) {
    ask(
        () -> {
          deed.run();
          return true;
        });
  }
}
