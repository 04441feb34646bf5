package io.lakexpress.connect.lake.finish;

import static io.lakexpress.connect.lake.finish.LakeBench.NATION;
import static io.lakexpress.connect.lake.finish.LakeBench.ORDERS;
import static io.lakexpress.connect.lake.finish.LakeBench.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.file.Faults.Work;
import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.Slice;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinisherTest {
  private static final TopicPartition ORDERS_TOPIC = partition(ORDERS, 0);
  private static final TopicPartition NATION_TOPIC = partition(NATION, 0);

  @TempDir Path folder;
  private LakeBench bench;
  private LakeBench.Task task;
  private Finisher finisher;

  @BeforeEach
  void start() {
    bench = new LakeBench(folder);
    begin();
  }

  private void begin() {
    task = bench.task(ORDERS_TOPIC, NATION_TOPIC, LakeBench.RUNS_TOPIC);
    finisher = bench.finisher("lake", "one");
  }

  private void settle() {
    bench.settle(task, finisher);
  }

  private void job(String jobId, long run, JobMode mode, long... ids) {
    bench.db.begin(jobId, run, ORDERS, mode);
    bench.emit(ORDERS_TOPIC, jobId, ids);
    bench.db.deliver(jobId, ids.length);
  }

  @Test
  void exportWithoutRowsLandsAsOneFileInPlaceOfItsPredecessor() {
    job("j-1", 1, JobMode.FULL, 1, 2);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L);
    job("j-2", 2, JobMode.FULL);
    bench.tellOfNoRows("j-2");
    settle();
    assertThat(bench.files(ORDERS)).hasSize(1);
    assertThat(bench.rows(ORDERS)).isEmpty();
    assertThat(bench.db.job("j-2").status()).isEqualTo(Status.LANDED);
    assertThat(bench.db.ledger().columns("j-2")).hasSize(1);
    job("j-3", 3, JobMode.FULL, 5);
    settle();
    assertThat(bench.files(ORDERS)).hasSize(1);
    assertThat(bench.rows(ORDERS)).containsExactly(5L);
  }

  /** The closing record is read before the job is known to be delivered, or long after it. */
  @Test
  void exportWithoutRowsWaitsForItsFile() {
    job("j-1", 1, JobMode.FULL);
    settle();
    assertThat(bench.db.job("j-1").status()).isEqualTo(Status.DELIVERED);
    bench.tellOfNoRows("j-1");
    settle();
    assertThat(bench.db.job("j-1").status()).isEqualTo(Status.LANDED);
    assertThat(bench.files(ORDERS)).hasSize(1);

    bench.db.begin("j-2", 2, NATION, JobMode.FULL);
    bench.tellOfNoRows("j-2");
    settle();
    assertThat(bench.files(NATION)).isEmpty();
    bench.db.deliver("j-2", 0);
    settle();
    assertThat(bench.files(NATION)).hasSize(1);
  }

  /** Without the runs topic nobody learns the columns; the predecessor goes all the same. */
  @Test
  void exportWithoutRowsThatNobodyTellsOfLandsWithoutAFile() {
    job("j-1", 1, JobMode.FULL, 1, 2);
    settle();
    job("j-2", 2, JobMode.FULL);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L);
    bench.clock.pass(bench.missingRows);
    settle();
    assertThat(bench.rows(ORDERS)).isEmpty();
    assertThat(bench.db.job("j-2").status()).isEqualTo(Status.LANDED);
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  @Test
  void rowsThatNeverComeFailTheJobLoudly() {
    job("j-1", 1, JobMode.FIRST_SYNC, 1, 2, 3);
    bench.tell("closed", "j-1");
    bench.expire(ORDERS_TOPIC, 1);
    settle();
    assertThat(bench.db.job("j-1").status()).isEqualTo(Status.DELIVERED);
    bench.clock.pass(Duration.ofMinutes(5));
    settle();
    assertThat(bench.db.job("j-1").status()).isEqualTo(Status.FAILED);
    assertThat(bench.db.job("j-1").error())
        .contains("Cannot land sales.orders of run 1", "3 rows were announced and 2 came")
        .contains("expired");
    assertThat(bench.db.events()).anyMatch(event -> event.startsWith("ERROR Cannot land"));
    assertThat(bench.rows(ORDERS)).isEmpty();
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  @Test
  void laggingSinkIsNotMissingRows() {
    bench.db.begin("j-1", 1, ORDERS, JobMode.FIRST_SYNC);
    bench.emit(ORDERS_TOPIC, "j-1", 1);
    bench.db.deliver("j-1", 20);
    for (int id = 2; id <= 20; id++) {
      task.poll(1);
      bench.clock.pass(Duration.ofMillis(500));
      task.poll(1);
      finisher.step();
      bench.clock.pass(Duration.ofMinutes(2));
      bench.emit(ORDERS_TOPIC, "j-1", id);
    }
    settle();
    assertThat(bench.rows(ORDERS)).hasSize(20);
  }

  @Test
  void timeInWhichTheStoreIsDownDoesNotCountAsMissing() {
    job("j-1", 1, JobMode.FIRST_SYNC, 1, 2, 3);
    bench.faults.takeDown(LakeStorage.class, LakeBench.storeIsDown());
    settle();
    for (int i = 0; i < 30; i++) {
      bench.clock.pass(Duration.ofMinutes(1));
      finisher.step();
    }
    bench.faults.bringUp(LakeStorage.class);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void moreRowsThanAnnouncedFailAtOnceNamingTheIsolationLevel() {
    bench.db.begin("j-1", 1, ORDERS, JobMode.FIRST_SYNC);
    bench.emit(ORDERS_TOPIC, "j-1", 1, 2, 3);
    bench.db.deliver("j-1", 2);
    settle();
    assertThat(bench.db.job("j-1").status()).isEqualTo(Status.FAILED);
    assertThat(bench.db.job("j-1").error())
        .contains("announced 2 rows and the topic held 3")
        .contains("read_committed");
    assertThat(bench.rows(ORDERS)).isEmpty();
  }

  @Test
  void replacedAttemptNeverLands() {
    bench.db.begin("j-1", 1, ORDERS, JobMode.FULL);
    bench.emit(ORDERS_TOPIC, "j-1", 1, 2);
    task.poll(10);
    task.poll(10);
    bench.db.replace("j-1", "j-2");
    bench.emit(ORDERS_TOPIC, "j-2", 1, 2, 3);
    bench.db.deliver("j-2", 3);
    settle();
    bench.clock.pass(Duration.ofMinutes(10));
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L);
    assertThat(bench.hiddenFiles()).isEmpty();
    assertThat(bench.db.ledger().filesOfJob("j-1"))
        .extracting(FileLedger.LedgerFile::state)
        .containsOnly(FileState.DISCARDED);
  }

  @Test
  void olderWindowThatIsShortHoldsBackYoungerOnesOfItsTableOnly() {
    bench.db.begin("j-1", 1, ORDERS, JobMode.FIRST_SYNC);
    bench.db.deliver("j-1", 2);
    job("j-2", 2, JobMode.INCREMENTAL, 3);
    bench.db.begin("j-n", 2, NATION, JobMode.FULL);
    bench.emit(NATION_TOPIC, "j-n", 21);
    bench.db.deliver("j-n", 1);
    settle();
    assertThat(bench.rows(NATION)).containsExactly(21L);
    assertThat(bench.rows(ORDERS)).isEmpty();
    bench.emit(ORDERS_TOPIC, "j-1", 1, 2);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L);
    assertThat(bench.db.events())
        .filteredOn(event -> event.contains("orders"))
        .extracting(event -> event.substring(0, 38))
        .containsExactly(
            "INFO Landed sales.orders of run 1: 2 r", "INFO Landed sales.orders of run 2: 1 r");
  }

  @Test
  void overtakenExportIsDiscarded() {
    bench.db.begin("j-1", 1, ORDERS, JobMode.FULL);
    bench.db.deliver("j-1", 2);
    job("j-2", 2, JobMode.FULL, 5);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(5L);
    bench.emit(ORDERS_TOPIC, "j-1", 1, 2);
    settle();
    bench.clock.pass(Duration.ofMinutes(10));
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(5L);
    assertThat(bench.db.job("j-1").error()).contains("replaced it");
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  @Test
  void slicesLandTogether() {
    bench.db.begin("j-s1", 1, ORDERS, JobMode.FIRST_SYNC, new Slice(1, 2));
    bench.db.begin("j-s2", 1, ORDERS, JobMode.FIRST_SYNC, new Slice(2, 2));
    bench.emit(ORDERS_TOPIC, "j-s1", 1, 3);
    bench.db.deliver("j-s1", 2);
    settle();
    assertThat(bench.rows(ORDERS)).isEmpty();
    bench.emit(ORDERS_TOPIC, "j-s2", 2);
    bench.db.deliver("j-s2", 1);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void exportOfThreeSlicesReplacesTheOlderFilesOnceAllAreWhole() {
    job("j-1", 1, JobMode.FULL, 7, 8);
    settle();
    for (int slice = 1; slice <= 3; slice++) {
      bench.db.begin("j-2" + slice, 2, ORDERS, JobMode.FULL, new Slice(slice, 3));
    }
    bench.emit(ORDERS_TOPIC, "j-21", 1);
    bench.emit(ORDERS_TOPIC, "j-22", 2, 3);
    bench.db.deliver("j-22", 2);
    bench.db.deliver("j-23", 1);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(7L, 8L);
    bench.db.deliver("j-21", 1);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(7L, 8L);
    bench.emit(ORDERS_TOPIC, "j-23", 4);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  /** Case K37: two believe that they publish; who comes first does, the other does no harm. */
  @Test
  void twoFinishersAtOnceDoNoHarm() {
    job("j-1", 1, JobMode.FULL, 1, 2);
    Finisher second = bench.finisher("lake", "two");
    settle();
    job("j-2", 2, JobMode.FULL, 3);
    for (int i = 0; i < 30; i++) {
      task.poll(2);
      bench.clock.pass(Duration.ofSeconds(1));
      finisher.step();
      second.step();
    }
    assertThat(bench.rows(ORDERS)).containsExactly(3L);
    assertThat(bench.alarms).isEmpty();
  }

  @Test
  void secondLakeSinkIsRefusedWithTheNameOfTheFirst() {
    assertThat(finisher.claim()).isEmpty();
    Finisher other = bench.finisher("other", "x");
    assertThat(other.claim())
        .get()
        .satisfies(
            owner ->
                assertThat(Finisher.refusal("tpch", owner))
                    .contains("connector 'lake' is its lake sink"));
    other.step();
    other.step();
    assertThat(bench.alarms).hasSize(1);
    finisher.close();
    assertThat(other.claim()).isEmpty();
  }

  @Test
  void fileThatTheStoreLostFailsItsJobAndLeavesNothingVisible() {
    bench.roll = new RollPolicy(1, 1 << 20, Duration.ofMinutes(1));
    begin();
    bench.db.begin("j-1", 1, ORDERS, JobMode.FIRST_SYNC);
    bench.emit(ORDERS_TOPIC, "j-1", 1, 2, 3);
    settle();
    FileLedger.LedgerFile lost = bench.db.ledger().filesOfJob("j-1").get(1);
    bench.storage.discard(new LakePath(lost.path()), new StagingHandle(lost.handle()));
    bench.db.deliver("j-1", 3);
    settle();
    assertThat(bench.db.job("j-1").error()).contains("the store has lost " + lost.path());
    assertThat(bench.rows(ORDERS)).isEmpty();
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  @Test
  void supersededFilesAreHiddenAtOnceAndDeletedAfterTheirRetention() {
    bench.retention = Duration.ofHours(1);
    begin();
    job("j-1", 1, JobMode.FULL, 1);
    settle();
    job("j-2", 2, JobMode.FULL, 2);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(2L);
    assertThat(bench.hiddenFiles()).hasSize(1);
    bench.clock.pass(Duration.ofHours(1));
    settle();
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  @Test
  void finisherSurvivesServicesThatAreDownAndAsksForNobody() {
    job("j-1", 1, JobMode.FIRST_SYNC, 1);
    bench.faults.takeDown(FileLedger.class, LakeBench.databaseIsDown());
    for (int i = 0; i < 10; i++) {
      assertThat(finisher.step()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    }
    bench.faults.bringUp(FileLedger.class);
    settle();
    assertThat(bench.rows(ORDERS)).containsExactly(1L);
    assertThat(bench.alarms).isEmpty();
  }

  @Test
  void storeThatRefusesForGoodRaisesOneAlarm() {
    job("j-1", 1, JobMode.FIRST_SYNC, 1);
    for (int i = 0; i < 8; i++) {
      bench.faults.failNext("publish", LakeBench.storeRefuses(), Work.NOT_DONE);
    }
    settle();
    assertThat(bench.alarms).hasSize(1).first().asString().contains("no right");
    assertThat(bench.rows(ORDERS)).containsExactly(1L);
  }
}
