package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.read.ReaderSettings.ErrorAction;
import io.lakexpress.connect.source.read.ReaderSettings.NullPolicy;
import io.lakexpress.connect.source.read.ReaderSettings.SyncMode;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the task does when a table, a database or Connect does not do as it should. */
class SourceFailureTest {
  private static final TableId ORDERS = TableId.parse("shop.orders");
  private static final List<Long> ALL = List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L);

  private final TaskRig rig = new TaskRig();

  @BeforeEach
  void tables() {
    rig.batchRows = 1;
    rig.source.with("shop.orders").with("shop.items");
    ALL.forEach(id -> rig.source.insert("shop.orders", id, "2026-12-01T05:00:00Z"));
    rig.source.insert("shop.items", 1, null);
  }

  @AfterEach
  void stop() {
    rig.stop();
  }

  private Job job(String table) {
    Run latest = rig.db.runs().latestRun("shop").orElseThrow();
    return rig.db.runs().jobs(latest.runId()).stream()
        .filter(job -> job.table().equals(TableId.parse(table)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRefusedTableFailsWithItsReasonAndTheOthersGoOn() {
    rig.source.breakOff("shop.items", 99, 0, SourceException.Kind.LASTING);

    rig.start().untilRun(1);

    assertThat(job("shop.items").status()).isEqualTo(Status.FAILED);
    assertThat(job("shop.items").error()).contains("shop.items", "it broke");
    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
    assertThat(rig.db.runs().latestRun("shop").orElseThrow().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void aTableThatNeverAnswersFailsAfterSomeTries() {
    rig.source.breakOff("shop.items", 99, 0, SourceException.Kind.PASSING);

    rig.start().untilRun(1);

    assertThat(job("shop.items").error())
        .isEqualTo("Cannot read shop.items: it broke (5 tries without progress)");
    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
  }

  @Test
  void anExportThatBreaksInsideIsGivenUpAfterFiveAttempts() {
    rig.source.insert("shop.items", 2, null).insert("shop.items", 3, null);
    rig.source.breakOff("shop.items", 99, 2, SourceException.Kind.PASSING);

    rig.start().untilRun(1);

    assertThat(job("shop.items").attempt()).isEqualTo(5);
    assertThat(job("shop.items").error()).contains("5 attempts broke off");
  }

  @Test
  void theNextRunTriesAFailedTableAgain() {
    rig.source.breakOff("shop.orders", 1, 3, SourceException.Kind.LASTING);
    rig.start().untilRun(1);
    assertThat(job("shop.orders").status()).isEqualTo(Status.FAILED);

    rig.run();

    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
    assertThat(job("shop.orders").status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void errorActionSkipLeavesTheTableOutUntilRestart() {
    rig.errorAction = ErrorAction.SKIP;
    rig.source.breakOff("shop.items", 1, 0, SourceException.Kind.LASTING);
    rig.start().untilRun(1);

    rig.run();
    assertThat(job("shop.items").error()).contains("Skipped until the connector is restarted");

    rig.stop();
    rig.start().run();
    assertThat(job("shop.items").status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void errorActionFailFailsTheTask() {
    rig.errorAction = ErrorAction.FAIL;
    rig.source.breakOff("shop.items", 99, 0, SourceException.Kind.LASTING);
    rig.start();

    assertThatThrownBy(() -> rig.until(() -> false))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("shop.items");
  }

  @Test
  void aDroppedTableFailsWithTheNearestNames() {
    rig.start().untilRun(1);
    rig.source.drop("shop.orders");
    rig.source.with("shop.order");

    rig.run();

    assertThat(job("shop.orders").error())
        .isEqualTo(
            "Cannot read table shop.orders: it does not exist or may not be seen; nearest are"
                + " shop.order");
    assertThat(job("shop.items").status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void aTableWhoseLargestNumberIsRefusedFailsAndTheOthersGoOn() {
    rig.specs = TableSpec.parseList("shop.orders:id:integer");
    rig.source.refuseLargest();

    rig.start().untilRun(1);

    assertThat(job("shop.orders").status()).isEqualTo(Status.FAILED);
    assertThat(job("shop.orders").error()).contains("shop.orders", "permission denied");
    assertThat(job("shop.items").status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void aStartValueThatTheColumnCannotHoldFailsItsTable() {
    rig.specs = TableSpec.parseList("shop.orders:updated_at:timestamp@yesterday");

    rig.start().untilRun(1);

    assertThat(job("shop.orders").error()).contains("shop.orders", "'yesterday'");
    assertThat(job("shop.items").status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void anAdoptedWatermarkThatTheColumnCannotHoldFailsItsTable() {
    rig.db
        .watermarks()
        .set(
            "shop",
            new WatermarkMove(ORDERS, "updated_at", "timestamp", "4711"),
            WatermarkCause.CLI);

    rig.start().untilRun(1);

    assertThat(job("shop.orders").error()).contains("shop.orders", "'4711'");
    assertThat(rig.ids("shop.orders")).isEmpty();
  }

  @Test
  void stopGivesEverythingBackThoughTheSourceCannotCancel() {
    rig.source.hang();
    rig.source.refuseCancel();
    rig.start();
    rig.until(() -> rig.db.runs().latestRun("shop").isPresent());
    Awaitility.await().until(() -> job("shop.orders").owner() != null);

    rig.stop();

    assertThat(job("shop.orders").owner()).isNull();
    assertThat(rig.db.syncs().owner("shop", Role.SOURCE)).isEmpty();
  }

  @Test
  void aRowLargerThanAllowedFailsItsTableBeforeHandOver() {
    rig.source.rowBytes("shop.orders", 2 << 20);

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).isEmpty();
    assertThat(job("shop.orders").error())
        .contains("shop.orders", "Struct{id=1}", "record.max.bytes 1048576");
  }

  @Test
  void rowsWithoutWatermarkFailTheTableIfThePolicySaysSo() {
    rig.nullPolicy = NullPolicy.FAIL;
    rig.source.insert("shop.orders", 8, null);

    rig.start().untilRun(1);

    assertThat(job("shop.orders").error()).contains("1 rows", "updated_at", "NULL");
  }

  @Test
  void aLakexpressDbThatIsDownIsWaitedFor() {
    rig.start();
    rig.pollRecords(2);
    rig.db.goDown();
    long handed = rig.topic.size();
    rig.until(() -> rig.topic.size() > handed);
    for (int i = 0; i < 5; i++) {
      rig.poll();
    }
    rig.db.comeUp();

    rig.untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
    assertThat(job("shop.orders").status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void pollAndStopDoNotWaitForALakexpressDbThatHangs() {
    rig.start();
    rig.pollRecords(2);
    rig.db.hang();
    long begun = System.nanoTime();
    try {
      for (int i = 0; i < 20; i++) {
        rig.poll();
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));

      rig.stop();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(12));
    } finally {
      rig.db.answerAgain();
    }
    rig.start().untilRun(1);
    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
  }

  @Test
  void aStartWaitsForTheLakexpressDb() {
    rig.db.goDown();
    rig.start();
    for (int i = 0; i < 3; i++) {
      assertThat(rig.poll()).isEmpty();
    }
    rig.db.comeUp();

    rig.untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
  }

  @Test
  void aSecondConnectorOfTheSyncIsRefusedByName() {
    rig.db.syncs().claim("shop", Role.SOURCE, "other", "other", Duration.ofMinutes(1));
    rig.start();

    assertThatThrownBy(() -> rig.until(() -> false))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("connector other serves it");
  }

  @Test
  void aJobTakenBySomebodyElseIsLeftAlone() {
    for (int id = 8; id <= 5000; id++) {
      rig.source.insert("shop.orders", id, "2026-12-01T05:00:00Z");
    }
    rig.start();
    rig.until(() -> rig.ids("shop.orders").size() == 2);
    rig.db.steal(job("shop.orders").jobId(), "tpch-source/1");

    rig.until(() -> job("shop.items").status() == Status.DELIVERED);

    assertThat(job("shop.orders").owner()).isEqualTo("tpch-source/1");
    assertThat(rig.told()).noneMatch(told -> told.contains("orders"));
  }

  @Test
  void aPausedTaskClosesItsCursorAndGoesOnBehindTheLastRow() {
    rig.pause = Duration.ofMillis(150);
    rig.start();
    rig.pollRecords(1);
    Awaitility.await().until(() -> rig.source.openCursors() == 0);

    rig.untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
    assertThat(rig.jobs("shop.orders")).hasSize(1);
  }

  @Test
  void stopCancelsARunningStatementAtOnce() {
    rig.source.hang();
    rig.start();
    rig.until(() -> rig.db.runs().latestRun("shop").isPresent());
    Awaitility.await().until(() -> job("shop.orders").owner() != null);

    long begun = System.nanoTime();
    rig.stop();

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
    assertThat(job("shop.orders").owner()).isNull();
    assertThat(rig.db.syncs().owner("shop", Role.SOURCE)).isEmpty();
  }

  @Test
  void onDemandRunsOnlyWhenAskedFor() {
    rig.mode = SyncMode.ON_DEMAND;
    rig.start();
    for (int i = 0; i < 5; i++) {
      assertThat(rig.poll()).isEmpty();
    }
    assertThat(rig.db.runs().latestRun("shop")).isEmpty();

    rig.run();

    assertThat(rig.ids("shop.orders")).containsExactlyElementsOf(ALL);
    assertThat(rig.db.runs().latestRun("shop").orElseThrow().cause()).isEqualTo("requested");
    assertThat(rig.db.watermarks().watermark("shop", ORDERS)).isPresent();
  }
}
