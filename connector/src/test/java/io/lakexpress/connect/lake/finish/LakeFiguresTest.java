package io.lakexpress.connect.lake.finish;

import static io.lakexpress.connect.lake.finish.LakeBench.ORDERS;
import static io.lakexpress.connect.lake.finish.LakeBench.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.file.Faults.Work;
import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.WriterFigures;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.JobMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What writers and finishers tell of themselves. */
class LakeFiguresTest {
  private static final TopicPartition TOPIC = partition(ORDERS, 0);

  @TempDir Path folder;
  private LakeBench bench;
  private Finisher finisher;

  @BeforeEach
  void jobOfThreeRows() {
    bench = new LakeBench(folder);
    finisher = bench.finisher("lake", "one");
    bench.db.begin("j-1", 1, ORDERS, JobMode.FULL);
    bench.emit(TOPIC, "j-1", 1, 2, 3);
  }

  @Test
  void openFilesShowWithTheirHeapAndTheirAge() {
    LakeBench.Task task = bench.task(TOPIC);
    task.poll(10);
    bench.clock.pass(Duration.ofSeconds(42));

    WriterFigures open = task.writer.figures();
    assertThat(open.openFiles()).isEqualTo(1);
    assertThat(open.rows()).isEqualTo(3);
    assertThat(open.bufferedBytes()).isPositive();
    assertThat(open.oldestOpenFileSeconds()).isEqualTo(42);
    assertThat(open.files()).isZero();

    bench.db.deliver("j-1", 3);
    bench.settle(task, finisher);

    WriterFigures closed = task.writer.figures();
    assertThat(closed.openFiles()).isZero();
    assertThat(closed.bufferedBytes()).isZero();
    assertThat(closed.oldestOpenFileSeconds()).isZero();
    assertThat(closed.files()).isEqualTo(1);
    assertThat(closed.parts()).isEqualTo(1);
    assertThat(closed.bytes()).isEqualTo("1\n2\n3\n".length());
  }

  @Test
  void filesThatWereGivenUpAreNotOpen() {
    LakeBench.Task task = bench.task(TOPIC);
    task.poll(10);
    task.revoke(TOPIC);
    assertThat(task.writer.figures().openFiles()).isZero();
    assertThat(task.writer.figures().bufferedBytes()).isZero();
  }

  @Test
  void retriesAreCountedOnBothSides() {
    LakeBench.Task task = bench.task(TOPIC);
    bench.db.deliver("j-1", 3);
    bench.faults.failNext("stage", LakeBench.storeIsDown(), Work.NOT_DONE);
    bench.faults.failNext("publish", LakeBench.storeIsDown(), Work.NOT_DONE);
    bench.settle(task, finisher);

    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L);
    assertThat(task.writer.figures().retries()).isEqualTo(1);
    assertThat(finisher.figures().retries()).isEqualTo(1);
  }

  @Test
  void figuresOfSeveralTasksAddUpAndTheOldestFileCounts() {
    WriterFigures one = new WriterFigures(1, 10, 5, 100, 2, 20, 3, 4, 5, 6, 7, 8);
    WriterFigures other = new WriterFigures(2, 20, 9, 200, 3, 30, 4, 5, 6, 7, 8, 9);
    assertThat(WriterFigures.together(List.of(one, other)))
        .isEqualTo(new WriterFigures(3, 30, 9, 300, 5, 50, 7, 9, 11, 13, 15, 17));
    assertThat(one.counts()).isEqualTo(new WriterFigures(0, 0, 0, 100, 2, 20, 3, 4, 5, 6, 7, 8));
  }

  @Test
  void publishLatencyIsTheTimeFromTheLedgerToTheReaders() {
    LakeBench.Task task = bench.task(TOPIC);
    bench.db.deliver("j-1", 3);
    for (int i = 0; i < 5; i++) {
      task.poll(10);
      bench.clock.pass(Duration.ofSeconds(1));
    }
    bench.clock.pass(Duration.ofSeconds(7));
    finisher.step();

    assertThat(bench.rows(ORDERS)).hasSize(3);
    FinisherFigures figures = finisher.figures();
    assertThat(figures.publishedFiles()).isEqualTo(1);
    assertThat(figures.landed()).isEqualTo(1);
    assertThat(figures.publishLatencyMillis()).isBetween(7_000L, 12_000L);
  }

  @Test
  void lostAndFailedAndDeletedAreCounted() {
    bench.roll = new RollPolicy(1, 1 << 20, Duration.ofMinutes(1));
    LakeBench.Task task = bench.task(TOPIC);
    bench.settle(task, finisher);
    assertThat(finisher.figures().waiting()).isZero();
    LedgerFile lost = bench.db.ledger().filesOfJob("j-1").get(0);
    bench.storage.discard(new LakePath(lost.path()), new StagingHandle(lost.handle()));
    bench.db.deliver("j-1", 3);
    bench.settle(task, finisher);
    assertThat(finisher.figures().lostFiles()).isEqualTo(1);
    assertThat(finisher.figures().failed()).isEqualTo(1);

    for (int run = 2; run <= 3; run++) {
      bench.db.begin("j-" + run, run, ORDERS, JobMode.FULL);
      bench.emit(TOPIC, "j-" + run, run);
      bench.db.deliver("j-" + run, 1);
      bench.settle(task, finisher);
    }
    assertThat(finisher.figures().landed()).isEqualTo(2);
    assertThat(finisher.figures().deletedFiles()).isEqualTo(1);
  }
}
