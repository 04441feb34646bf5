package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.ReaderSettings;
import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.WatermarkBook;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.offset.OffsetPartition;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.SliceSpec;
import io.lakexpress.watermark.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tables read in slices: every row once, one window, whatever happens to the tasks meanwhile. */
class SlicedTablesTest {
  private static final TableId ORDERS = TableId.parse("shop.orders");
  private static final Long[] ALL = LongStream.rangeClosed(1, 12).boxed().toArray(Long[]::new);

  private final List<TaskRig> rigs = new ArrayList<>();

  @AfterEach
  void stop() {
    rigs.forEach(TaskRig::stop);
  }

  private static ReaderSettings.Slicing slices(int degree, String... overrides) {
    return new ReaderSettings.Slicing(
        degree, 1, 0, Stream.of(overrides).map(SliceSpec::parse).toList());
  }

  private TaskRig rig(int degree) {
    TaskRig rig = new TaskRig();
    rig.batchRows = 1;
    rig.slicing = slices(degree);
    rig.source.with("shop.orders");
    insert(rig, 1, 12, "2026-12-01T05:00:00Z");
    rigs.add(rig);
    return rig;
  }

  private static void insert(TaskRig rig, long from, long to, String at) {
    LongStream.rangeClosed(from, to).forEach(id -> rig.source.insert("shop.orders", id, at));
  }

  private static Map<String, Object> offset(TaskRig rig, Slice slice) {
    return rig.offsets.get(new OffsetPartition("shop", ORDERS, slice).toMap());
  }

  private static void assertWholeAndClosed(TaskRig rig, String runId, int slices, long rows) {
    List<Job> jobs = rig.db.runs().jobs(runId);
    assertThat(jobs).hasSize(slices).extracting(Job::status).containsOnly(Status.DELIVERED);
    assertThat(jobs.stream().mapToLong(Job::rows).sum()).isEqualTo(rows);
    for (Job job : jobs) {
      assertThat(rig.idsOf(job.jobId())).as(job.jobId()).hasSize((int) job.rows());
      assertThat(offset(rig, job.slice())).as("offset of %s", job.slice()).isNull();
    }
    assertThat(offset(rig, Slice.WHOLE)).containsEntry("rows", rows).containsEntry("run_id", runId);
  }

  @Test
  void slicesOfAWindowAreReadAndTheFirstClosesIt() {
    TaskRig rig = rig(4).start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactlyInAnyOrder(ALL);
    assertWholeAndClosed(rig, "r-1", 4, 12);
    assertThat(offset(rig, Slice.WHOLE))
        .containsEntry("last_exported_value", "2026-12-01T10:59:59.999999Z")
        .doesNotContainKey("window_upper");
    assertThat(rig.db.watermarks().watermark("shop", ORDERS).orElseThrow().exported())
        .contains("2026-12-01T10:59:59.999999Z");
    assertThat(rig.told().get(0)).startsWith("opened orders 2026-12-01T10:59:59.999999Z");
    assertThat(rig.told()).filteredOn(told -> told.startsWith("slice-closed")).hasSize(4);
    assertThat(rig.told()).filteredOn(told -> told.startsWith("slice-removed")).hasSize(4);
    assertThat(rig.told())
        .filteredOn(told -> told.startsWith("closed"))
        .containsExactly("closed orders 2026-12-01T10:59:59.999999Z 12");
  }

  @Test
  void theNextWindowBeginsWhereTheSlicedOneEnded() {
    TaskRig rig = rig(3).start().untilRun(1);
    insert(rig, 13, 20, "2026-12-01T11:30:00Z");
    rig.source.clock("2026-12-01T13:00:00Z");

    rig.run();

    assertThat(rig.ids("shop.orders"))
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
    assertWholeAndClosed(rig, "r-2", 3, 8);
    assertThat(rig.db.watermarks().history("shop", ORDERS))
        .extracting(WatermarkBook.Advance::newValue)
        .hasSize(2);
  }

  @Test
  void anEmptyWindowIsNotSliced() {
    TaskRig rig = rig(3).start().untilRun(1);

    rig.run();

    assertThat(rig.db.runs().jobs("r-2"))
        .extracting(Job::slice, Job::rows)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(Slice.WHOLE, 0L));
  }

  @Test
  void smallTablesTablesWithoutKeyAndThoseLeftOutAreReadInOnePiece() {
    TaskRig rig = rig(4);
    rig.source.withoutKey("shop.log").insert("shop.log", 1, null);
    rig.source.with("shop.small").estimate("shop.small", 99);
    rig.source.with("shop.none").estimate("shop.none", 1000);
    rig.source.estimate("shop.orders", 1000);
    rig.source.estimate("shop.log", 1000);
    rig.slicing = new ReaderSettings.Slicing(4, 1, 100, List.of(SliceSpec.parse("none:None::")));

    rig.start().untilRun(1);

    assertThat(rig.db.runs().jobs("r-1"))
        .filteredOn(job -> !job.table().equals(ORDERS))
        .extracting(Job::slice)
        .containsExactly(Slice.WHOLE, Slice.WHOLE, Slice.WHOLE);
    assertThat(rig.db.runs().jobs("r-1")).hasSize(7);
  }

  @Test
  void exactlyOnceEachRowComesOnceWhereverTheTaskWasKilled() {
    for (int cut = 0; cut <= 24; cut++) {
      TaskRig rig = rig(3).start();
      rig.pollRecords(cut);
      rig.kill();

      rig.start().untilRun(1);

      assertThat(rig.ids("shop.orders")).as("killed after %d", cut).containsExactlyInAnyOrder(ALL);
      assertThat(rig.jobs("shop.orders")).as("killed after %d", cut).hasSize(3);
      assertWholeAndClosed(rig, "r-1", 3, 12);
    }
  }

  @Test
  void exactlyOnceEachRowComesOnceWhereverOneOfTwoTasksWasKilled() {
    for (int cut = 1; cut <= 20; cut += 2) {
      TaskRig one = rig(4);
      one.taskCount = 2;
      TaskRig other = one.sibling(1);
      rigs.add(other);
      other.slicing = one.slicing;
      other.batchRows = 1;
      one.start();
      other.start();
      int stop = cut;
      untilBoth(one, other, () -> one.topic.size() >= stop || one.isClosed(1));
      (cut % 4 == 1 ? one : other).kill();
      (cut % 4 == 1 ? one : other).start();

      untilBoth(one, other, () -> one.isClosed(1));

      assertThat(one.ids("shop.orders")).as("killed after %d", cut).containsExactlyInAnyOrder(ALL);
      assertWholeAndClosed(one, "r-1", 4, 12);
      one.stop();
      other.stop();
    }
  }

  private static void untilBoth(
      TaskRig one, TaskRig other, java.util.function.BooleanSupplier holds) {
    one.until(
        () -> {
          if (holds.getAsBoolean()) {
            return true;
          }
          other.poll();
          if (other.delivery == Delivery.AT_LEAST_ONCE) {
            other.commit();
          }
          return holds.getAsBoolean();
        });
  }

  @Test
  void withoutExactlyOnceTheDeliveredAttemptsAreWhole() {
    // The window closes only once offsets are written: 16 records come before that.
    for (int cut = 0; cut <= 16; cut += 2) {
      for (int flushed : new int[] {0, cut / 2, cut}) {
        TaskRig rig = rig(3);
        rig.delivery = Delivery.AT_LEAST_ONCE;
        rig.flushing = false;
        rig.start();
        rig.pollRecords(flushed);
        rig.commit();
        rig.pollRecords(cut);
        rig.kill();

        rig.flushing = true;
        rig.start().untilRun(1);

        List<Long> whole = new ArrayList<>();
        rig.db.runs().jobs("r-1").forEach(job -> whole.addAll(rig.idsOf(job.jobId())));
        assertThat(whole)
            .as("killed after %d, offsets of %d", cut, flushed)
            .containsExactlyInAnyOrder(ALL);
        assertThat(rig.db.runs().jobs("r-1"))
            .extracting(Job::status)
            .containsOnly(Status.DELIVERED);
      }
    }
  }

  @Test
  void aFailedSliceFailsItsTableAndTheNextRunFinishesTheSameWindow() {
    TaskRig rig = rig(3);
    rig.source.breakOff("shop.orders", 1, 2, SourceException.Kind.LASTING);
    rig.start().untilRun(1);
    assertThat(rig.db.runs().jobs("r-1")).extracting(Job::status).contains(Status.FAILED);
    assertThat(rig.db.watermarks().watermark("shop", ORDERS)).isEmpty();
    insert(rig, 13, 14, "2026-12-01T11:30:00Z");
    rig.source.clock("2026-12-01T13:00:00Z");
    // Another degree meanwhile: the open window keeps its own.
    rig.stop();
    rig.slicing = slices(2);

    rig.start().run();

    assertThat(rig.ids("shop.orders"))
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 14).boxed().toList());
    assertThat(rig.db.runs().jobs("r-1")).extracting(Job::status).containsOnly(Status.DELIVERED);
    assertWholeAndClosed(rig, "r-2", 3, 2);
    insert(rig, 15, 16, "2026-12-01T13:30:00Z");
    rig.source.clock("2026-12-01T15:00:00Z");
    rig.run();
    assertWholeAndClosed(rig, "r-3", 2, 2);
  }

  @Test
  void withoutExactlyOnceAFailedSliceIsFinishedByTheNextRun() {
    for (boolean isRestarted : new boolean[] {false, true}) {
      TaskRig rig = rig(3);
      rig.delivery = Delivery.AT_LEAST_ONCE;
      rig.source.breakOff("shop.orders", 1, 2, SourceException.Kind.LASTING);
      rig.start().untilRun(1);
      insert(rig, 13, 14, "2026-12-01T11:30:00Z");
      rig.source.clock("2026-12-01T13:00:00Z");
      if (isRestarted) {
        rig.stop();
        rig.start();
      }

      rig.run();

      List<Long> whole = new ArrayList<>();
      for (String run : List.of("r-1", "r-2")) {
        assertThat(rig.db.runs().jobs(run)).extracting(Job::status).containsOnly(Status.DELIVERED);
        rig.db.runs().jobs(run).forEach(job -> whole.addAll(rig.idsOf(job.jobId())));
      }
      assertThat(whole)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 14).boxed().toList());
    }
  }

  @Test
  void aWindowThatIsOpenInOnePieceIsClosedInOnePiece() {
    TaskRig rig = rig(1);
    rig.source.breakOff("shop.orders", 1, 2, SourceException.Kind.LASTING);
    rig.start().untilRun(1);
    rig.stop();
    rig.slicing = slices(4);
    rig.source.clock("2026-12-01T13:00:00Z");

    rig.start().run();

    assertThat(rig.ids("shop.orders")).containsExactlyInAnyOrder(ALL);
    assertThat(rig.db.runs().jobs("r-2")).extracting(Job::slice).containsExactly(Slice.WHOLE);
  }

  @Test
  void aTableSetByHandInsideItsWindowForgetsItsSlices() {
    TaskRig rig = rig(3).start();
    rig.pollRecords(8);
    rig.stop();
    Map<String, Object> partition = OffsetPartition.of("shop", ORDERS).toMap();
    rig.db
        .watermarks()
        .set(
            "shop",
            new io.lakexpress.lxdb.WatermarkMove(
                ORDERS, "updated_at", "timestamp", "2026-12-01T01:00:00Z"),
            WatermarkCause.OFFSETS_API);
    rig.db.runs().abandonTable("shop", ORDERS, "Its offset was set by hand");
    rig.offsets.put(partition, Map.of("last_exported_value", "2026-12-01T01:00:00Z"));
    int before = rig.topic.size();
    rig.slicing = slices(2);

    rig.start().run();

    List<Long> again = rig.ids("shop.orders");
    long rows =
        rig.topic.subList(before, rig.topic.size()).stream()
            .filter(record -> record.topic().equals("shop.orders"))
            .count();
    assertThat(rows).isEqualTo(12);
    assertThat(again).contains(ALL);
    assertWholeAndClosed(rig, "r-2", 2, 12);
    for (int index = 1; index <= 3; index++) {
      assertThat(offset(rig, new Slice(index, 3))).isNull();
    }
  }

  @Test
  void slicesOfAnExportAreOneExport() {
    for (int cut = 0; cut <= 22; cut += 2) {
      TaskRig rig = rig(3);
      rig.specs = List.of();
      rig.start();
      rig.pollRecords(cut);
      rig.kill();

      rig.start().untilRun(1);

      List<Long> whole = new ArrayList<>();
      rig.db.runs().jobs("r-1").forEach(job -> whole.addAll(rig.idsOf(job.jobId())));
      assertThat(whole).as("killed after %d", cut).containsExactlyInAnyOrder(ALL);
      assertWholeAndClosed(rig, "r-1", 3, 12);
      assertThat(offset(rig, Slice.WHOLE)).containsKey("exported_at");
    }
  }

  @Test
  void slicesByBlocksShareOneSnapshotAndBeginAnewTogether() {
    for (int cut = 0; cut <= 22; cut++) {
      TaskRig rig = rig(1);
      rig.specs = List.of();
      rig.source.withoutKey("shop.orders");
      insert(rig, 1, 12, "2026-12-01T05:00:00Z");
      rig.slicing = slices(1, "shop.orders:Ctid::3");
      rig.start();
      rig.pollRecords(cut);
      rig.kill();
      assertThat(rig.source.heldSnapshots()).isZero();

      rig.start().untilRun(1);

      List<Long> whole = new ArrayList<>();
      rig.db.runs().jobs("r-1").forEach(job -> whole.addAll(rig.idsOf(job.jobId())));
      assertThat(whole).as("killed after %d", cut).containsExactlyInAnyOrder(ALL);
      assertWholeAndClosed(rig, "r-1", 3, 12);
      assertThat(rig.db.runs().jobs("r-1")).extracting(Job::attempt).containsAnyOf(1, 2);
      assertThat(rig.source.heldSnapshots()).isZero();
    }
  }

  @Test
  void rangesAreFixedWhenTheRunOpens() {
    TaskRig rig = rig(1);
    rig.slicing = slices(1, "shop.orders:Ntile:id:3");
    rig.start();
    rig.pollRecords(4);
    rig.source.insert("shop.orders", 100, "2026-12-01T12:30:00Z");
    rig.kill();

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactlyInAnyOrder(ALL);
    assertThat(rig.db.runs().jobs("r-1"))
        .extracting(job -> rig.idsOf(job.jobId()))
        .contains(List.of(1L, 2L, 3L, 4L), List.of(5L, 6L, 7L, 8L), List.of(9L, 10L, 11L, 12L));
  }
}
