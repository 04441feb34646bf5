package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.watermark.TableId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Restarts at every record: nothing is lost, and nothing is told as one job that came twice. */
class SourceRestartTest {
  private static final TableId ORDERS = TableId.parse("shop.orders");
  private static final List<Long> ALL = List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L);

  private final List<TaskRig> rigs = new ArrayList<>();

  @AfterEach
  void stop() {
    rigs.forEach(TaskRig::stop);
  }

  private TaskRig rig() {
    TaskRig rig = new TaskRig();
    rig.batchRows = 1;
    rigs.add(rig);
    return rig;
  }

  private TaskRig keyed() {
    TaskRig rig = rig();
    rig.source.with("shop.orders");
    ALL.forEach(id -> rig.source.insert("shop.orders", id, "2026-12-01T05:00:00Z"));
    return rig;
  }

  private static Job delivered(TaskRig rig) {
    Job job =
        rig.db.runs().jobs("r-1").stream()
            .filter(one -> one.table().equals(ORDERS))
            .findFirst()
            .orElseThrow();
    assertThat(job.status()).isEqualTo(Status.DELIVERED);
    return job;
  }

  @Test
  void exactlyOnceGoesOnBehindTheLastRowWhereverItWasKilled() {
    for (int cut = 0; cut <= 8; cut++) {
      TaskRig rig = keyed().start();
      rig.pollRecords(cut);
      rig.kill();

      rig.start().untilRun(1);

      assertThat(rig.ids("shop.orders")).as("killed after %d", cut).containsExactlyElementsOf(ALL);
      assertThat(rig.jobs("shop.orders")).as("killed after %d", cut).hasSize(1);
      assertThat(delivered(rig).rows()).isEqualTo(7);
      assertThat(rig.told()).hasSize(1);
    }
  }

  @Test
  void exactlyOnceGoesOnInsideIdenticalRowsWithoutAKey() {
    for (int cut = 0; cut <= 7; cut++) {
      TaskRig rig = rig();
      rig.source.withoutKey("shop.orders");
      for (int i = 0; i < 6; i++) {
        rig.source.insert("shop.orders", 1 + i / 3, "2026-12-01T05:00:00Z");
      }
      rig.start();
      rig.pollRecords(cut);
      rig.kill();

      rig.start().untilRun(1);

      assertThat(rig.ids("shop.orders"))
          .as("killed after %d", cut)
          .containsExactly(1L, 1L, 1L, 2L, 2L, 2L);
      assertThat(rig.jobs("shop.orders")).hasSize(1);
    }
  }

  @Test
  void aStopGivesTheJobBackAndTheNextStartGoesOn() {
    TaskRig rig = keyed().start();
    rig.pollRecords(3);
    rig.stop();

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
    assertThat(rig.jobs("shop.orders")).hasSize(1);
  }

  @Test
  void withoutExactlyOnceARestartIsANewAttemptThatIsWhole() {
    for (int cut = 0; cut <= 8; cut++) {
      for (int flushed : new int[] {0, cut / 2, cut}) {
        TaskRig rig = keyed();
        rig.delivery = Delivery.AT_LEAST_ONCE;
        rig.flushing = false;
        rig.start();
        rig.pollRecords(flushed);
        rig.commit();
        rig.pollRecords(cut);
        rig.kill();

        rig.flushing = true;
        rig.start().untilRun(1);

        assertThat(rig.idsOf(delivered(rig).jobId()))
            .as("killed after %d, offsets of %d", cut, flushed)
            .containsExactlyElementsOf(ALL);
      }
    }
  }

  @Test
  void withoutExactlyOnceAStopInsideIsANewAttemptToo() {
    TaskRig rig = keyed();
    rig.delivery = Delivery.AT_LEAST_ONCE;
    rig.flushing = false;
    rig.start();
    rig.pollRecords(3);
    rig.stop();

    rig.flushing = true;
    rig.start().untilRun(1);

    assertThat(rig.jobs("shop.orders")).hasSize(2);
    assertThat(rig.idsOf(delivered(rig).jobId())).containsExactlyElementsOf(ALL);
  }

  @Test
  void aFullExportBeginsANewAttemptWhereverItWasKilled() {
    for (int cut = 0; cut <= 8; cut++) {
      TaskRig rig = keyed();
      rig.specs = List.of();
      rig.start();
      rig.pollRecords(cut);
      rig.kill();

      rig.start().untilRun(1);

      Job job = delivered(rig);
      assertThat(job.mode()).isEqualTo(JobMode.FULL);
      assertThat(job.rows()).isEqualTo(7);
      assertThat(rig.idsOf(job.jobId())).containsExactlyElementsOf(ALL);
      assertThat(job.attempt()).as("killed after %d", cut).isEqualTo(cut == 0 || cut == 8 ? 1 : 2);
    }
  }

  @Test
  void changedColumnsVoidACursorWithoutAKey() {
    TaskRig rig = rig();
    rig.source.withoutKey("shop.orders");
    ALL.forEach(id -> rig.source.insert("shop.orders", id, "2026-12-01T05:00:00Z"));
    rig.start();
    rig.pollRecords(3);
    rig.kill();
    rig.source.addColumn("shop.orders", "note");

    rig.start().untilRun(1);

    assertThat(delivered(rig).attempt()).isEqualTo(2);
    assertThat(rig.idsOf(delivered(rig).jobId())).containsExactlyElementsOf(ALL);
  }

  @Test
  void aKeyThatCameOrWentInsideAWindowBeginsItAnew() {
    for (boolean comes : new boolean[] {true, false}) {
      TaskRig rig = keyed();
      if (comes) {
        rig.source.key("shop.orders", List.of());
      }
      rig.start();
      rig.pollRecords(3);
      rig.kill();
      rig.source.key("shop.orders", comes ? List.of("id") : List.of());

      rig.start().untilRun(1);

      assertThat(delivered(rig).attempt()).isEqualTo(2);
      assertThat(rig.idsOf(delivered(rig).jobId())).containsExactlyElementsOf(ALL);
    }
  }

  @Test
  void theMirrorFollowsTheOffsetIfConnectDidNotWriteAnAlteration() {
    TaskRig rig = keyed().start().untilRun(1);
    rig.stop();
    rig.db
        .watermarks()
        .set(
            "shop",
            new WatermarkMove(ORDERS, "updated_at", "timestamp", "2027-01-01T00:00:00Z"),
            WatermarkCause.OFFSETS_API);

    rig.start();

    rig.until(
        () ->
            rig.db
                .watermarks()
                .watermark("shop", ORDERS)
                .orElseThrow()
                .lastExportedValue()
                .equals("2026-12-01T10:59:59.999999Z"));
  }

  @Test
  void aBrokenConnectionGoesOnBehindTheLastRow() {
    TaskRig rig = keyed();
    rig.source.breakOff("shop.orders", 3, 2, SourceException.Kind.PASSING);

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
    assertThat(rig.jobs("shop.orders")).hasSize(1);
    assertThat(rig.source.reads()).isEqualTo(4);
  }

  @Test
  void aWindowLeftOpenByAFailedJobIsFinishedFirstUnderItsOwnJob() {
    TaskRig rig = keyed().start();
    rig.pollRecords(3);
    rig.kill();
    rig.db.advance(java.time.Duration.ofMinutes(1));
    rig.db.runs().failAbandoned("shop");
    rig.source.insert("shop.orders", 8, "2026-12-01T12:30:00Z");
    rig.source.clock("2026-12-01T14:00:00Z");

    rig.start().run();

    assertThat(rig.ids("shop.orders")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    assertThat(rig.jobs("shop.orders")).hasSize(2);
    assertThat(rig.idsOf(delivered(rig).jobId())).containsExactlyElementsOf(ALL);
    assertThat(rig.told())
        .containsExactly(
            "closed orders 2026-12-01T10:59:59.999999Z 7",
            "closed orders 2026-12-01T12:59:59.999999Z 1");
  }

  @Test
  void aWindowWhoseJobIsUnknownIsReadAgainWithoutLoss() {
    TaskRig rig = keyed().start();
    rig.pollRecords(3);
    rig.kill();
    rig.db.advance(java.time.Duration.ofMinutes(1));
    rig.db.runs().failAbandoned("shop");
    rig.db.forget(rig.jobs("shop.orders").get(0));
    rig.source.clock("2026-12-01T14:00:00Z");

    rig.start().run();

    assertThat(rig.idsOf(rig.jobs("shop.orders").get(1))).containsExactlyElementsOf(ALL);
  }

  @Test
  void withoutExactlyOnceAWindowReadAgainForAnUnknownJobIsWholeAfterARestart() {
    for (int cut = 1; cut <= 7; cut++) {
      TaskRig rig = keyed();
      rig.delivery = Delivery.AT_LEAST_ONCE;
      rig.flushing = false;
      rig.start();
      rig.pollRecords(3);
      rig.commit();
      rig.kill();
      rig.db.advance(java.time.Duration.ofMinutes(1));
      rig.db.runs().failAbandoned("shop");
      rig.db.forget(rig.jobs("shop.orders").get(0));
      rig.source.clock("2026-12-01T14:00:00Z");
      rig.db.syncs().requestRun("shop", "requested");
      rig.start();
      int more = rig.topic.size() + cut;
      rig.until(() -> rig.topic.size() >= more);
      rig.kill();

      rig.flushing = true;
      rig.start().untilRun(2);

      Job job = rig.db.runs().jobs("r-2").get(0);
      assertThat(job.status()).isEqualTo(Status.DELIVERED);
      assertThat(rig.idsOf(job.jobId())).as("killed after %d", cut).containsExactlyElementsOf(ALL);
    }
  }

  @Test
  void anOffsetSetByHandRewindsTheTableAndTheMirrorFollows() {
    TaskRig rig = keyed().start().untilRun(1);
    rig.stop();
    rig.offsets.put(
        io.lakexpress.offset.OffsetPartition.of("shop", ORDERS).toMap(),
        new java.util.HashMap<>(java.util.Map.of("last_exported_value", "2026-12-01T04:00:00Z")));
    rig.topic.clear();

    rig.start();
    rig.until(
        () ->
            rig.db
                .watermarks()
                .watermark("shop", ORDERS)
                .orElseThrow()
                .lastExportedValue()
                .equals("2026-12-01T04:00:00Z"));
    rig.run();

    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
  }

  @Test
  void aWatermarkOfTheLakexpressDbIsAdoptedWhereConnectHasNone() {
    TaskRig rig = keyed().start().untilRun(1);
    rig.stop();
    rig.offsets.clear();
    rig.topic.clear();
    rig.source.insert("shop.orders", 8, "2026-12-01T12:30:00Z");
    rig.source.clock("2026-12-01T14:00:00Z");

    rig.start().run();

    assertThat(rig.ids("shop.orders")).containsExactly(8L);
    assertThat(rig.told())
        .containsExactly(
            "adopted orders 2026-12-01T10:59:59.999999Z 0",
            "closed orders 2026-12-01T12:59:59.999999Z 1");
  }
}
