package io.lakexpress.connect.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.ReaderSettings.RecordKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HandOverTest {
  private static final ReaderSettings.Records ONE_ROW =
      new ReaderSettings.Records("", RecordKey.NONE, 1, 1 << 20, 1 << 20);

  private static List<SourceRecord> batch(String value) {
    return List.of(new SourceRecord(null, null, "t", Schema.STRING_SCHEMA, value));
  }

  @Test
  @Timeout(20)
  void aCursorThatHangsWhileItIsClosedHoldsUpNoPollAndNoStop() throws InterruptedException {
    HandOver handOver = new HandOver(ONE_ROW, Duration.ofMillis(1), new Halt());
    CountDownLatch closing = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    handOver.put(batch("a"), 1, () -> {});
    handOver.put(batch("b"), 1, () -> {});
    Thread reader =
        new Thread(
            () -> {
              try {
                handOver.put(
                    batch("c"),
                    1,
                    () -> {
                      closing.countDown();
                      awaitQuietly(closed);
                    });
              } catch (Halt.Halted e) {
                // What the close is for.
                closed.countDown();
              }
            });
    reader.start();
    try {
      assertThat(closing.await(10, TimeUnit.SECONDS)).isTrue();

      assertThat(handOver.poll(Duration.ofMillis(10))).isEqualTo(batch("a"));
      handOver.close();
    } finally {
      closed.countDown();
      reader.join();
    }
    assertThat(handOver.poll(Duration.ofMillis(10))).isEqualTo(batch("b"));
    assertThat(handOver.poll(Duration.ofMillis(10))).isNull();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
