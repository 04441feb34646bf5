package io.lakexpress.connect.lake.finish;

import static io.lakexpress.connect.lake.finish.LakeBench.ORDERS;
import static io.lakexpress.connect.lake.finish.LakeBench.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.file.Faults.Work;
import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults that users of comparable sinks met; more of them, by their cases, in WritingTest. */
class LakeFaultsTest {
  private static final TopicPartition CLICKS = new TopicPartition("web.eu.clicks", 0);
  private static final TableId CLICKS_TABLE = new TableId("web.eu", "clicks");

  @TempDir Path folder;
  private LakeBench bench;
  private Finisher finisher;

  @BeforeEach
  void rollingEveryFiveMinutes() {
    bench = new LakeBench(folder);
    bench.roll = new RollPolicy(1_000, 1 << 20, Duration.ofMinutes(5));
    finisher = bench.finisher("lake", "one");
  }

  private void passAndPoll(LakeBench.Task task, Duration time) {
    bench.clock.pass(time);
    task.poll(10);
    finisher.step();
  }

  /** Case K5: five rows of a foreign topic, then silence; the wall clock closes their file. */
  @Test
  void lastRowsOfForeignTopicAppearByTheWallClock() {
    bench.emit(CLICKS, null, 1, 2, 3, 4, 5);
    LakeBench.Task task = bench.task(CLICKS);
    task.poll(10);
    task.poll(10);

    passAndPoll(task, Duration.ofMinutes(4));
    assertThat(bench.rows(CLICKS_TABLE)).isEmpty();

    passAndPoll(task, Duration.ofMinutes(1));
    assertThat(bench.rows(CLICKS_TABLE)).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  /** Case K7: a row that comes later than the interval after the last file is not alone in its. */
  @Test
  void rowAfterLongSilenceBeginsAFileOfFullAge() {
    bench.emit(CLICKS, null, 1);
    LakeBench.Task task = bench.task(CLICKS);
    task.poll(10);
    task.poll(10);
    passAndPoll(task, Duration.ofMinutes(5));
    assertThat(bench.rows(CLICKS_TABLE)).containsExactly(1L);

    bench.emit(CLICKS, null, 2);
    passAndPoll(task, Duration.ofMinutes(6));
    passAndPoll(task, Duration.ofMinutes(4));
    assertThat(bench.rows(CLICKS_TABLE)).containsExactly(1L);

    bench.emit(CLICKS, null, 3);
    task.poll(10);
    passAndPoll(task, Duration.ofMinutes(1));
    assertThat(bench.rows(CLICKS_TABLE)).containsExactly(1L, 2L, 3L);
    assertThat(bench.files(CLICKS_TABLE)).hasSize(2);
  }

  /** Case K13: the store answers 503 once when a file is completed, its work done or not. */
  @ParameterizedTest
  @EnumSource(Work.class)
  void fileWhoseCompletionFailedIsNotInTheLedgerButWrittenAgain(Work work) {
    TopicPartition topic = partition(ORDERS, 0);
    bench.db.begin("j-1", 1, ORDERS, JobMode.FIRST_SYNC);
    bench.emit(topic, "j-1", 1, 2, 3, 4, 5);
    bench.db.deliver("j-1", 5);
    LakeBench.Task task = bench.task(topic);
    task.poll(10);
    task.poll(10);
    bench.faults.failNext("stage", LakeBench.storeIsDown(), work);
    bench.clock.pass(Duration.ofSeconds(1));

    assertThat(task.poll(10)).as("asked to try again").isPresent();
    assertThat(bench.db.ledger().filesOfJob("j-1"))
        .extracting(LedgerFile::state)
        .containsOnly(FileState.DISCARDED);
    assertThat(bench.db.ledger().positions("tpch"))
        .extracting(Position::nextOffset)
        .as("nothing entered")
        .isNotEmpty()
        .allMatch(next -> next <= 0);

    bench.settle(task, finisher);
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(bench.hiddenFiles()).isEmpty();
  }
}
