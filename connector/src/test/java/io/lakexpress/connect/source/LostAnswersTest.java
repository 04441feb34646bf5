package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.ReaderSettings;
import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.SliceSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The LakeXpress DB does as it is told, but its answers are lost: every step can be repeated. */
class LostAnswersTest {
  private static final List<Long> ALL = LongStream.rangeClosed(1, 10).boxed().toList();

  private static TaskRig rig(Delivery delivery, int degree, SliceSpec... overrides) {
    TaskRig rig = new TaskRig();
    rig.batchRows = 2;
    rig.delivery = delivery;
    rig.slicing = new ReaderSettings.Slicing(degree, 1, 0, List.of(overrides));
    rig.source.with("shop.orders").with("shop.items");
    ALL.forEach(id -> rig.source.insert("shop.orders", id, "2026-12-01T05:00:00Z"));
    ALL.forEach(id -> rig.source.insert("shop.items", id, null));
    return rig;
  }

  private static void assertWhole(TaskRig rig) {
    for (String table : List.of("orders", "items")) {
      List<Long> counted = new ArrayList<>();
      for (Job job : rig.db.runs().jobs("r-1")) {
        assertThat(job.status()).as(job.toString()).isEqualTo(Status.DELIVERED);
        if (job.table().table().equals(table)) {
          assertThat(rig.idsOf(job.jobId())).hasSize((int) job.rows());
          counted.addAll(rig.idsOf(job.jobId()));
        }
      }
      assertThat(counted).as(table).containsExactlyInAnyOrderElementsOf(ALL);
    }
  }

  @Test
  void aRunIsReadWholeThoughEveryThirdAnswerIsLost() {
    for (Delivery delivery : Delivery.values()) {
      for (int degree : new int[] {1, 3}) {
        TaskRig rig = rig(delivery, degree);
        rig.db.loseAnswers(1.0 / 3);
        try {
          rig.start().untilRun(1);

          assertWhole(rig);
        } finally {
          rig.stop();
        }
      }
    }
  }

  @Test
  void newAttemptsAreBegunOnceThoughAnswersAreLost() {
    for (int degree : new int[] {1, 3}) {
      for (int cut = 2; cut <= 14; cut += 4) {
        TaskRig rig = rig(Delivery.AT_LEAST_ONCE, degree);
        rig.flushing = false;
        try {
          rig.start();
          rig.pollRecords(cut);
          rig.commit();
          rig.kill();
          rig.db.loseAnswers(1.0 / 3);
          rig.flushing = true;

          rig.start().untilRun(1);

          assertWhole(rig);
          assertThat(rig.db.runs().jobs("r-1")).extracting(Job::attempt).containsAnyOf(1, 2);
          assertThat(rig.db.runs().jobs("r-1")).allMatch(job -> job.attempt() <= 2);
        } finally {
          rig.stop();
        }
      }
    }
  }

  @Test
  void slicesByBlocksShareASnapshotThoughAnswersAreLost() {
    TaskRig rig = rig(Delivery.EXACTLY_ONCE, 1, SliceSpec.parse("shop.items:Ctid::3"));
    rig.db.loseAnswers(0.25);
    try {
      rig.start().untilRun(1);

      assertWhole(rig);
      assertThat(rig.source.heldSnapshots()).isZero();
    } finally {
      rig.stop();
    }
  }
}
