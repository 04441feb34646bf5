package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.lxdb.Run;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people read about a run in the log. */
class RunLogTest {
  private final TaskRig rig = new TaskRig();
  private final TaskRig second = rig.sibling(1);

  @BeforeEach
  void twoTasks() {
    rig.taskCount = 2;
    second.taskCount = 2;
  }

  @AfterEach
  void stop() {
    rig.stop();
    second.stop();
  }

  private static List<String> those(RecordedLog log, String start) {
    return log.lines().stream().filter(line -> line.startsWith(start)).toList();
  }

  private String jobId(String table) {
    Run latest = rig.db.runs().latestRun("shop").orElseThrow();
    return rig.db.runs().jobs(latest.runId()).stream()
        .filter(job -> job.table().toString().equals(table))
        .findFirst()
        .orElseThrow()
        .jobId();
  }

  private void untilRun(long number) {
    rig.until(
        () -> {
          second.poll();
          return rig.isClosed(number);
        });
  }

  @Test
  void aRunIsToldOfOnceWithEachOfItsJobsAndFailures() {
    rig.source.with("shop.orders").with("shop.items");
    rig.source.insert("shop.orders", 1, "2026-12-01T05:00:00Z");
    rig.source.insert("shop.orders", 2, "2026-12-01T05:00:00Z");
    rig.source.breakOff("shop.items", 1, 0, SourceException.Kind.LASTING);
    try (RecordedLog log = new RecordedLog()) {
      rig.start();
      second.start();
      rig.until(
          () -> {
            second.poll();
            return those(log, "INFO Run 1 ").size() > 1;
          });

      Run run = rig.db.runs().latestRun("shop").orElseThrow();
      String inRun = " in run 1 (" + run.runId() + "), ";
      assertThat(those(log, "INFO Sync shop"))
          .containsExactly(
              "INFO Sync shop: connector tpch-source reads with 2 tasks, exactly once, 1"
                  + " incremental tables, lag 60 min");
      assertThat(those(log, "INFO Table"))
          .containsExactlyInAnyOrder(
              "INFO Table shop.orders: incremental, shop.orders:updated_at:timestamp:i!append",
              "INFO Table shop.items: full export each run, about 10 rows");
      assertThat(those(log, "INFO Run 1 ")).hasSize(2);
      assertThat(those(log, "INFO Run 1 ").get(0))
          .isEqualTo(
              "INFO Run 1 ("
                  + run.runId()
                  + ") of sync shop is open since 2026-12-01T12:00:00Z, cause start: 2 jobs,"
                  + " bounded by 2026-12-01T11:00:00Z");
      assertThat(those(log, "INFO Run 1 ").get(1))
          .startsWith("INFO Run 1 (" + run.runId() + ") of sync shop is closed after ")
          .endsWith(" ms: 1 jobs delivered with 2 rows, 1 failed");
      assertThat(those(log, "INFO Job"))
          .containsExactly(
              "INFO Job "
                  + jobId("shop.orders")
                  + " of table shop.orders"
                  + inRun
                  + "window from the beginning to 2026-12-01T10:59:59.999999Z: delivered with 2"
                  + " rows");
      assertThat(those(log, "ERROR"))
          .containsExactly(
              "ERROR Job "
                  + jobId("shop.items")
                  + " of table shop.items"
                  + inRun
                  + "full export: failed: Cannot read shop.items: it broke");
    }
  }

  @Test
  void aSecondRunOfTheSameTablesDoesNotListThemAgain() {
    rig.source.with("shop.orders");
    rig.source.insert("shop.orders", 1, "2026-12-01T05:00:00Z");
    rig.start();
    second.start();
    untilRun(1);
    try (RecordedLog log = new RecordedLog()) {
      rig.source.clock("2026-12-01T13:00:00Z");
      rig.db.syncs().requestRun("shop", "requested");
      untilRun(2);

      assertThat(those(log, "INFO Table")).isEmpty();
      assertThat(those(log, "INFO Job").get(0))
          .contains(
              "window from 2026-12-01T10:59:59.999999Z to 2026-12-01T11:59:59.999999Z: delivered"
                  + " with 0 rows");
    }
  }
}
