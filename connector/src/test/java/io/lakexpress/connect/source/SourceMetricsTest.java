package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.ReaderSettings.ErrorAction;
import io.lakexpress.connect.source.read.SourceException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a monitoring tool sees of tasks at work. */
class SourceMetricsTest {
  private final TaskRig rig = new TaskRig();

  @BeforeEach
  void tables() {
    rig.source.with("shop.orders").with("shop.items");
    LongStream.rangeClosed(1, 7)
        .forEach(id -> rig.source.insert("shop.orders", id, "2026-12-01T05:00:00Z"));
    rig.source.insert("shop.orders", 8, null);
    rig.source.insert("shop.items", 1, null);
  }

  @AfterEach
  void stop() {
    rig.stop();
  }

  private static Object orders(String attribute) {
    return Beans.ofTable("shop", "shop.orders", attribute);
  }

  private static Object items(String attribute) {
    return Beans.ofTable("shop", "shop.items", attribute);
  }

  private static Object sync(String attribute) {
    return Beans.ofSync("shop", attribute);
  }

  @Test
  void aDeliveredRunShowsInEveryFigureOfItsTables() {
    rig.start().untilRun(1);
    rig.until(() -> "delivered".equals(sync("RunState")));

    assertThat(orders("Watermark")).isEqualTo("2026-12-01T10:59:59.999999Z");
    assertThat(orders("Rows")).isEqualTo(7L);
    assertThat(orders("Windows")).isEqualTo(1L);
    assertThat(orders("Bytes")).isEqualTo(700L);
    assertThat((Long) orders("QueryTimeMs")).isNotNegative();
    assertThat(orders("NullRows")).isEqualTo(1L);
    assertThat(orders("HeldBackSeconds")).isEqualTo(0L);
    assertThat(orders("Retries")).isEqualTo(0L);
    assertThat(orders("State")).isEqualTo("idle");
    assertThat(orders("LastError")).isEqualTo("");
    assertThat(items("Watermark")).isEqualTo("");
    assertThat(items("Rows")).isEqualTo(1L);
    assertThat(sync("RunNumber")).isEqualTo(1L);
    assertThat(sync("DeliveriesWaiting")).isEqualTo(0L);
  }

  @Test
  void aTableThatIsTriedAgainWaitsAndSaysWhy() {
    rig.source.breakOff("shop.orders", 2, 3, SourceException.Kind.PASSING);

    rig.start().untilRun(1);

    assertThat((Long) orders("Retries")).isEqualTo(2L);
    assertThat(orders("Rows")).isEqualTo(7L);
    assertThat(orders("LastError")).isEqualTo("");
  }

  @Test
  void aFailedTableSaysWhyUntilItIsDelivered() {
    rig.source.breakOff("shop.items", 1, 0, SourceException.Kind.LASTING);
    rig.start().untilRun(1);
    assertThat(items("State")).isEqualTo("failed");
    assertThat(items("LastError")).isEqualTo("Cannot read shop.items: it broke");

    rig.run();

    assertThat(items("State")).isEqualTo("idle");
    assertThat(items("LastError")).isEqualTo("");
  }

  @Test
  void aTableThatIsLeftOutIsSkipped() {
    rig.errorAction = ErrorAction.SKIP;
    rig.source.breakOff("shop.items", 1, 0, SourceException.Kind.LASTING);

    rig.start().untilRun(1);

    assertThat(items("State")).isEqualTo("skipped");
  }

  @Test
  void aLakexpressDbThatIsDownShowsWithTheDeliveriesThatWait() {
    rig.start();
    rig.pollRecords(2);
    rig.db.goDown();
    rig.until(() -> (Long) sync("LakexpressDbDownSeconds") > 0);
    rig.db.comeUp();

    rig.untilRun(1);
    rig.until(() -> (Long) sync("LakexpressDbDownSeconds") == 0);

    assertThat(sync("DeliveriesWaiting")).isEqualTo(0L);
  }

  @Test
  void theTasksOfAConnectorShowEachTableOnce() {
    TaskRig second = rig.sibling(1);
    rig.start();
    second.start();
    rig.until(
        () -> {
          second.poll();
          return rig.isClosed(1);
        });

    assertThat(Beans.all()).hasSize(3);
    assertThat(orders("Rows")).isEqualTo(7L);
    assertThat(items("Rows")).isEqualTo(1L);

    second.stop();
    assertThat(Beans.all()).hasSize(3);
    assertThat(orders("Rows")).isEqualTo(7L);
    assertThat(items("Rows")).isEqualTo(1L);
  }

  @Test
  void aRestartedTaskShowsTheWatermarkBeforeItReads() {
    rig.start().untilRun(1);
    rig.stop();
    assertThat(Beans.all()).isEmpty();

    rig.taskCount = 2;
    TaskRig second = rig.sibling(1);
    rig.start();
    second.start();
    rig.until(() -> orders("Watermark") != null && items("State") != null);

    assertThat(orders("Watermark")).isEqualTo("2026-12-01T10:59:59.999999Z");
    assertThat(orders("Rows")).isEqualTo(0L);
    second.stop();
  }
}
