package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.ReaderSettings;
import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.connect.source.read.ReaderSettings.NullPolicy;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.SliceSpec;
import io.lakexpress.watermark.TableId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A task that is killed again and again, at every record: the attempts that count hold every row
 * exactly once, and the watermark moves past no row that none of them carries.
 */
class RepeatedKillsTest {
  private static final TableId ORDERS = TableId.parse("shop.orders");
  private static final long ROWS = 5;
  private static final List<Long> ALL = LongStream.rangeClosed(1, ROWS + 2).boxed().toList();

  /** So many polls without a record, and nothing more comes until offsets are written. */
  private static final int IDLE_POLLS = 4;

  /** What Connect wrote before each kill. */
  private enum Flushed {
    NOTHING,
    FIRST_TIME,
    EVERY_TIME,
    NOT_THE_LAST_RECORD
  }

  private static TaskRig rig(Consumer<TaskRig> settings) {
    TaskRig rig = new TaskRig();
    rig.batchRows = 1;
    rig.delivery = Delivery.AT_LEAST_ONCE;
    rig.source.with("shop.orders");
    LongStream.rangeClosed(1, ROWS)
        .forEach(id -> rig.source.insert("shop.orders", id, "2026-12-01T05:00:00Z"));
    rig.source.insert("shop.orders", ROWS + 1, "2026-12-01T06:00:00Z");
    rig.source.insert("shop.orders", ROWS + 2, "2026-12-01T06:00:00Z");
    settings.accept(rig);
    return rig;
  }

  private static void slices(TaskRig rig, int degree, String... overrides) {
    rig.slicing =
        new ReaderSettings.Slicing(
            degree, 1, 0, List.of(overrides).stream().map(SliceSpec::parse).toList());
  }

  /** Some rows have no watermark. */
  private static void withNulls(TaskRig rig) {
    rig.nullPolicy = NullPolicy.FIRST_SYNC;
    rig.source.delete("shop.orders");
    ALL.forEach(
        id -> rig.source.insert("shop.orders", id, id % 2 == 0 ? "2026-12-01T05:00:00Z" : null));
  }

  private static void pollMore(TaskRig rig, int records) {
    int end = rig.topic.size() + records;
    int idle = 0;
    while (rig.topic.size() < end && idle < IDLE_POLLS) {
      idle = rig.poll().isEmpty() ? idle + 1 : 0;
    }
  }

  private static void killedAt(int[] cuts, Flushed flushed, Consumer<TaskRig> settings) {
    TaskRig rig = rig(settings);
    try {
      boolean isExact = rig.delivery == Delivery.EXACTLY_ONCE;
      for (int i = 0; i < cuts.length; i++) {
        rig.flushing = false;
        rig.start();
        boolean isWritten =
            flushed == Flushed.EVERY_TIME || (flushed == Flushed.FIRST_TIME && i == 0);
        if (flushed == Flushed.NOT_THE_LAST_RECORD) {
          pollMore(rig, Math.max(0, cuts[i] - 1));
          rig.commit();
          pollMore(rig, Math.min(1, cuts[i]));
        } else {
          pollMore(rig, cuts[i]);
        }
        if (isWritten && !isExact) {
          rig.commit();
        }
        rig.kill();
      }
      rig.flushing = true;
      rig.start().untilRun(1);
      String told = "killed after " + java.util.Arrays.toString(cuts) + ", written: " + flushed;
      assertWhole(rig, told, "r-1", ALL);

      rig.source.insert("shop.orders", 100, "2026-12-01T11:30:00Z");
      rig.source.clock("2026-12-01T13:00:00Z");
      rig.run();
      assertWhole(rig, told, "r-2", rig.specs.isEmpty() ? plus(ALL, 100L) : List.of(100L));
    } finally {
      rig.stop();
    }
  }

  private static List<Long> plus(List<Long> some, long another) {
    List<Long> more = new ArrayList<>(some);
    more.add(another);
    return more;
  }

  private static void assertWhole(TaskRig rig, String told, String runId, List<Long> expected) {
    List<Long> counted = new ArrayList<>();
    for (Job job : rig.db.runs().jobs(runId)) {
      assertThat(job.table()).isEqualTo(ORDERS);
      assertThat(job.status()).as(told).isEqualTo(Status.DELIVERED);
      List<Long> rows = rig.idsOf(job.jobId());
      assertThat(rows).as("%s, rows of %s", told, job.jobId()).hasSize((int) job.rows());
      counted.addAll(rows);
    }
    assertThat(counted).as(told).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Every first place, with one of the second places each time, and now and then a third. */
  private static void everywhere(int last, Consumer<TaskRig> settings) {
    for (int first = 0; first <= last; first++) {
      int shift = 0;
      for (Flushed flushed : Flushed.values()) {
        int second = (first * 2 + shift) % (last + 1);
        shift += 3;
        int[] cuts = first % 3 == 2 ? new int[] {first, second, 2} : new int[] {first, second};
        killedAt(cuts, flushed, settings);
      }
    }
  }

  @Test
  void aWindowIsWholeWhereverItWasKilledTwice() {
    everywhere((int) ROWS + 3, rig -> {});
  }

  @Test
  void aWindowInBatchesIsWholeWhereverItWasKilledTwice() {
    everywhere((int) ROWS + 3, rig -> rig.batchRows = 3);
  }

  @Test
  void aFirstWindowWithRowsWithoutWatermarkIsWholeWhereverItWasKilledTwice() {
    everywhere((int) ROWS + 3, RepeatedKillsTest::withNulls);
  }

  @Test
  void anExportIsWholeWhereverItWasKilledTwice() {
    everywhere((int) ROWS + 3, rig -> rig.specs = List.of());
  }

  @Test
  void aSlicedWindowIsWholeWhereverItWasKilledTwice() {
    everywhere(12, rig -> slices(rig, 2));
  }

  @Test
  void aSlicedFirstWindowWithRowsWithoutWatermarkIsWholeWhereverItWasKilledTwice() {
    everywhere(
        12,
        rig -> {
          withNulls(rig);
          slices(rig, 3);
        });
  }

  @Test
  void aSlicedExportIsWholeWhereverItWasKilledTwice() {
    everywhere(
        12,
        rig -> {
          rig.specs = List.of();
          slices(rig, 2);
        });
  }

  @Test
  void anExportByBlocksIsWholeWhereverItWasKilledTwice() {
    everywhere(
        12,
        rig -> {
          rig.specs = List.of();
          slices(rig, 1, "shop.orders:Ctid::2");
        });
  }

  @Test
  void exactlyOnceIsWholeTooWithSlicesAndRowsWithoutWatermark() {
    for (int degree : new int[] {1, 3}) {
      everywhere(
          12,
          rig -> {
            rig.delivery = Delivery.EXACTLY_ONCE;
            withNulls(rig);
            slices(rig, degree);
          });
    }
  }

  @Test
  void aWindowWhoseJobWasGivenUpBetweenTwoKillsIsFinishedByTheNextRun() {
    for (int degree : new int[] {1, 2}) {
      for (int cut = 0; cut <= 8; cut++) {
        for (Flushed flushed : Flushed.values()) {
          TaskRig rig = rig(one -> slices(one, degree));
          try {
            for (int i = 0; i < 2; i++) {
              rig.flushing = false;
              rig.start();
              pollMore(rig, cut);
              if (flushed == Flushed.EVERY_TIME || (flushed == Flushed.FIRST_TIME && i == 0)) {
                rig.commit();
              }
              rig.kill();
            }
            rig.db.advance(Duration.ofMinutes(1));
            rig.db.runs().failAbandoned("shop");
            rig.source.insert("shop.orders", 100, "2026-12-01T11:30:00Z");
            rig.source.clock("2026-12-01T13:00:00Z");
            rig.flushing = true;
            rig.start().untilRun(1);
            rig.run();

            List<Long> counted = new ArrayList<>();
            for (String run : List.of("r-1", "r-2")) {
              rig.db.runs().jobs(run).stream()
                  .filter(job -> job.status() == Status.DELIVERED)
                  .forEach(job -> counted.addAll(rig.idsOf(job.jobId())));
            }
            assertThat(counted)
                .as("%d slices, killed after %d, written: %s", degree, cut, flushed)
                .containsExactlyInAnyOrderElementsOf(plus(ALL, 100L));
          } finally {
            rig.stop();
          }
        }
      }
    }
  }
}
