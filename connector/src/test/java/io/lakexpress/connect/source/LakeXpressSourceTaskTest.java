package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.TableId;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LakeXpressSourceTaskTest {
  private static final TableId ORDERS = TableId.parse("shop.orders");

  private final TaskRig rig = new TaskRig();

  @BeforeEach
  void tables() {
    rig.source.with("shop.orders").withoutKey("shop.colours");
    for (int i = 1; i <= 7; i++) {
      rig.source.insert("shop.orders", i, "2026-12-01T0" + i + ":00:00Z");
    }
    rig.source.insert("shop.colours", 1, null).insert("shop.colours", 2, null);
  }

  @AfterEach
  void stop() {
    rig.stop();
  }

  @Test
  void firstSyncReadsAllUpToTheBoundAndFullExportsComeWhole() {
    rig.source.insert("shop.orders", 99, "2026-12-01T11:30:00Z");

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(rig.ids("shop.colours")).containsExactly(1L, 2L);
    assertThat(rig.told())
        .containsExactlyInAnyOrder(
            "closed orders 2026-12-01T10:59:59.999999Z 7", "closed colours null 2");
    assertThat(rig.db.watermarks().watermark("shop", ORDERS).orElseThrow().lastExportedValue())
        .isEqualTo("2026-12-01T10:59:59.999999Z");
    assertThat(rig.db.runs().latestRun("shop").orElseThrow().status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void secondSyncReadsOnlyWhatIsNewAndAnEmptyWindowMovesTheWatermark() {
    rig.start().untilRun(1);
    rig.topic.clear();
    rig.source.insert("shop.orders", 8, "2026-12-01T12:10:00Z");
    rig.source.clock("2026-12-01T14:00:00Z");

    rig.run();
    assertThat(rig.ids("shop.orders")).containsExactly(8L);

    rig.topic.clear();
    rig.source.clock("2026-12-01T15:00:00Z");
    rig.run();
    assertThat(rig.ids("shop.orders")).isEmpty();
    assertThat(rig.told()).contains("closed orders 2026-12-01T13:59:59.999999Z 0");
    assertThat(rig.db.watermarks().history("shop", ORDERS)).hasSize(3);
  }

  @Test
  void aClosingRecordGoesOutInALaterPollThanTheLastRow() {
    rig.start();

    List<?> batch;
    do {
      batch = rig.poll();
      assertThat(rig.topic.subList(rig.topic.size() - batch.size(), rig.topic.size()))
          .extracting(record -> record.topic().equals("shop.runs"))
          .satisfies(kinds -> assertThat(kinds.stream().distinct().count()).isLessThanOrEqualTo(1));
    } while (rig.told().size() < 2);
  }
}
