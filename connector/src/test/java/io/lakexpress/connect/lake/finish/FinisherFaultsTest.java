package io.lakexpress.connect.lake.finish;

import static io.lakexpress.connect.lake.finish.LakeBench.NATION;
import static io.lakexpress.connect.lake.finish.LakeBench.ORDERS;
import static io.lakexpress.connect.lake.finish.LakeBench.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakexpress.connect.lake.file.Faults.Work;
import io.lakexpress.connect.lake.file.InMemoryLakexpressDb;
import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.SyncBook.Owner;
import io.lakexpress.watermark.TableId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What may go wrong around a finisher without harm to the lake. */
class FinisherFaultsTest {
  private static final TopicPartition ORDERS_TOPIC = partition(ORDERS, 0);
  private static final TopicPartition CLICKS = new TopicPartition("web.clicks", 0);

  @TempDir Path folder;
  private LakeBench bench;
  private Finisher finisher;

  @BeforeEach
  void start() {
    bench = new LakeBench(folder);
    finisher = bench.finisher("lake", "one");
  }

  private void job(String jobId, long run, JobMode mode, long... ids) {
    bench.db.begin(jobId, run, ORDERS, mode);
    bench.emit(ORDERS_TOPIC, jobId, ids);
    bench.db.deliver(jobId, ids.length);
  }

  private Landing landing() {
    FinisherCounters counters = new FinisherCounters();
    return new Landing(
        InMemoryLakexpressDb.SYNC,
        bench.db.ledger(),
        new LakeFiles(bench.db, bench.storage, Duration.ZERO, counters),
        bench.db.log(),
        counters);
  }

  private List<TableRun> waiting() {
    return TableRun.group(bench.db.ledger().waiting(InMemoryLakexpressDb.SYNC));
  }

  @Test
  void verdictOfAnOldLookLeavesARunAloneThatLandedMeanwhile() {
    job("j-1", 1, JobMode.FIRST_SYNC, 1, 2);
    TableRun seenShort = waiting().get(0);
    bench.settle(bench.task(ORDERS_TOPIC), finisher);

    landing().fail(seenShort, "rows are missing");

    assertThat(bench.db.job("j-1").status()).isEqualTo(Status.LANDED);
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L);
  }

  @Test
  void runThatFailsLeavesOpenFilesToTheirWriter() {
    bench.roll = new RollPolicy(2, 1 << 20, Duration.ofMinutes(10));
    bench.db.begin("j-1", 1, ORDERS, JobMode.FIRST_SYNC);
    bench.emit(ORDERS_TOPIC, "j-1", 1, 2, 3);
    LakeBench.Task task = bench.task(ORDERS_TOPIC);
    task.poll(10);
    bench.db.deliver("j-1", 1);

    finisher.step();
    assertThat(bench.db.job("j-1").status()).isEqualTo(Status.FAILED);
    assertThat(bench.db.ledger().filesOfJob("j-1"))
        .extracting(LedgerFile::state)
        .containsExactly(FileState.DISCARDED, FileState.OPEN);

    bench.clock.pass(Duration.ofMinutes(10));
    bench.settle(task, finisher);
    assertThat(bench.rows(ORDERS)).isEmpty();
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  @Test
  void fileThatCouldNotBeRetiredIsRetiredByTheNextPass() {
    bench.retention = Duration.ofHours(1);
    finisher = bench.finisher("lake", "one");
    LakeBench.Task task = bench.task(ORDERS_TOPIC);
    job("j-1", 1, JobMode.FULL, 1);
    bench.settle(task, finisher);
    bench.faults.failNext("retire", LakeBench.storeIsDown(), Work.NOT_DONE);
    job("j-2", 2, JobMode.FULL, 2);

    bench.settle(task, finisher);

    assertThat(bench.rows(ORDERS)).containsExactly(2L);
  }

  @Test
  void fileThatCannotBePublishedHoldsOnlyItselfBack() throws IOException {
    Path inTheWay = folder.resolve("web/clicks/part-0-0-000000000000.parquet");
    Files.createDirectories(inTheWay.getParent());
    Files.writeString(inTheWay, "99\n");
    bench.roll = new RollPolicy(1, 1 << 20, Duration.ofMinutes(10));
    bench.emit(CLICKS, null, 1, 2);
    job("j-1", 1, JobMode.FIRST_SYNC, 1, 2);

    bench.settle(bench.task(CLICKS, ORDERS_TOPIC), finisher);

    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L);
    assertThat(bench.rows(new TableId("web", "clicks"))).containsExactly(2L, 99L);
    assertThat(bench.alarms).singleElement().asString().contains("another file has this name");
  }

  @Test
  void surplusRowsOfALandedRunAreRemovedAndNeverShown() {
    bench.db.begin("j-1", 1, ORDERS, JobMode.FIRST_SYNC);
    bench.emit(ORDERS_TOPIC, "j-1", 1, 2);
    LakeBench.Task task = bench.task(ORDERS_TOPIC);
    task.poll(10);
    bench.db.deliver("j-1", 2);
    bench.settle(task, finisher);

    bench.emit(ORDERS_TOPIC, "j-1", 2);
    bench.settle(task, finisher);
    bench.settle(task, finisher);

    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L);
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  /** Connect never stops a connector that raised an error, not even when it is deleted. */
  @Test
  void finisherThatAskedForAPersonGivesWayToWhoeverComesAfterIt() {
    raiseAnAlarm();
    Finisher next = bench.finisher("lake", "two");
    assertThat(next.claim()).isEmpty();

    for (int i = 0; i < 30; i++) {
      bench.clock.pass(Duration.ofSeconds(5));
      finisher.step();
      next.step();
    }

    assertThat(owner().instance()).isEqualTo("two");
    assertThat(finisher.hasEnded()).isTrue();
    assertThat(next.hasEnded()).isFalse();
    assertThat(bench.alarms).hasSize(1);
  }

  @Test
  void finisherThatAskedForAPersonDoesNotHoldTheLakeForEver() {
    raiseAnAlarm();
    for (int i = 0; i < 30; i++) {
      bench.clock.pass(Duration.ofSeconds(5));
      finisher.step();
    }

    assertThat(bench.finisher("other", "x").claim()).isEmpty();
    assertThat(bench.rows(ORDERS)).as("it goes on with its work all the same").hasSize(1);
  }

  private void raiseAnAlarm() {
    LakeBench.Task task = bench.task(ORDERS_TOPIC);
    job("j-1", 1, JobMode.FIRST_SYNC, 1);
    for (int i = 0; i < 3; i++) {
      bench.faults.failNext("publish", LakeBench.storeRefuses(), Work.NOT_DONE);
    }
    for (int i = 0; i < 10 && bench.alarms.isEmpty(); i++) {
      task.poll(10);
      bench.clock.pass(Duration.ofSeconds(1));
      finisher.step();
    }
    assertThat(bench.alarms).hasSize(1);
  }

  private Owner owner() {
    return bench.db.syncs().owner(InMemoryLakexpressDb.SYNC, Role.LAKE).orElseThrow();
  }

  @Test
  void secondLakeSinkEndsInsteadOfWaitingForTheFirst() {
    assertThat(finisher.claim()).isEmpty();
    Finisher other = bench.finisher("other", "x");
    other.step();
    assertThat(other.hasEnded()).isTrue();
    assertThat(bench.alarms).singleElement().asString().contains("is its lake sink");
  }

  @Test
  void threadOutlivesErrorsAndAlarmsThatFail() {
    List<String> raised = new CopyOnWriteArrayList<>();
    bench.faults.crashAt(0);
    try (Finisher running =
        new Finisher(
            new FinisherSettings(
                InMemoryLakexpressDb.SYNC, "lake", "running", Duration.ofMinutes(5), Duration.ZERO),
            bench.db,
            bench.storage,
            (message, cause) -> {
              raised.add(message);
              throw new IllegalStateException("Connect does not listen");
            },
            bench.clock)) {
      running.start();
      await().until(() -> !raised.isEmpty());
      bench.faults.revive();
      await().until(() -> bench.faults.steps().contains("after waiting"));
    }
  }

  @Test
  void idleFinisherAsksLittle() {
    assertThat(questionsInAMinute()).isLessThan(65);
  }

  @Test
  void manyRunsThatWaitForRowsAreAskedForTogether() {
    IntStream.range(0, 100)
        .forEach(
            i -> {
              TableId table = new TableId("sales", "table_" + i);
              bench.db.begin("j-" + i, 1, table, JobMode.FIRST_SYNC);
              bench.db.deliver("j-" + i, 5);
            });
    bench.db.begin("j-n", 1, NATION, JobMode.FULL);
    bench.db.deliver("j-n", 5);
    assertThat(questionsInAMinute()).isLessThan(2_000);
  }

  /** Calls of any service in a minute of its own pace, after it has settled. */
  private int questionsInAMinute() {
    finisher.step();
    bench.faults.revive();
    for (Duration passed = Duration.ZERO; passed.toSeconds() < 60; ) {
      Duration pause = finisher.step();
      bench.clock.pass(pause);
      passed = passed.plus(pause);
    }
    return (int) bench.faults.steps().stream().filter(step -> step.startsWith("before")).count();
  }
}
