package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.offset.OffsetPartition;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Where a table begins: Connect's offset, else the watermark of the LakeXpress DB, else the start
 * value, else the first sync.
 */
class StartUpRulesTest {
  private static final TableId ORDERS = TableId.parse("shop.orders");

  private final TaskRig rig = new TaskRig();

  StartUpRulesTest() {
    rig.source.with("shop.orders");
    for (int hour = 1; hour <= 9; hour++) {
      rig.source.insert("shop.orders", hour, "2026-12-01T0" + hour + ":00:00Z");
    }
    rig.specs = TableSpec.parseList(TaskRig.SPEC + "@2026-12-01 03:00");
  }

  @AfterEach
  void stop() {
    rig.stop();
  }

  private void offset(String watermark) {
    rig.offsets.put(
        OffsetPartition.of("shop", ORDERS).toMap(),
        new HashMap<>(Map.of("last_exported_value", watermark)));
  }

  private void mirror(String watermark) {
    rig.db
        .watermarks()
        .set(
            "shop",
            new WatermarkMove(ORDERS, "updated_at", "timestamp", watermark),
            WatermarkCause.RUN);
  }

  @Test
  void theOffsetOfConnectComesFirst() {
    offset("2026-12-01T07:00:00Z");
    mirror("2026-12-01T05:00:00Z");

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactly(8L, 9L);
  }

  @Test
  void thenTheWatermarkOfTheLakexpressDbWhichIsWrittenToTheOffsetsAtOnce() {
    mirror("2026-12-01T05:00:00Z");

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactly(6L, 7L, 8L, 9L);
    assertThat(rig.told().get(0)).isEqualTo("adopted orders 2026-12-01T05:00:00Z 0");
  }

  @Test
  void thenTheStartValueWhichIsExclusiveForInclusiveWindows() {
    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void theStartValueIsInclusiveForExclusiveWindows() {
    rig.specs = TableSpec.parseList(TaskRig.SPEC + ":e@2026-12-01 03:00");

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void elseEveryRowUpToTheBound() {
    rig.specs = TableSpec.parseList(TaskRig.SPEC);

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void anOffsetThatWasRemovedStartsAtTheStartValueAgain() {
    rig.start().untilRun(1);
    rig.stop();
    rig.topic.clear();
    rig.offsets.clear();
    rig.db.watermarks().clear("shop", ORDERS, WatermarkCause.OFFSETS_API);

    rig.start().run();

    assertThat(rig.ids("shop.orders")).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
  }

  /** Offsets are found by the names of the configuration and the catalogue, nothing else. */
  @Test
  void theOffsetPartitionHoldsTheNamesOfConfigurationAndCatalogueOnly() {
    rig.specs = TableSpec.parseList("SHOP.Orders:UPDATED_AT:timestamp");

    rig.start().untilRun(1);

    assertThat(rig.offsets)
        .containsOnlyKeys(Map.<String, Object>of("sync_id", "shop", "table", "shop.orders"));
    assertThat(rig.ids("shop.orders")).hasSize(9);
  }
}
