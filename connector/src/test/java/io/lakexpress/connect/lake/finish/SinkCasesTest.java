package io.lakexpress.connect.lake.finish;

import static io.lakexpress.connect.lake.finish.LakeBench.ORDERS;
import static io.lakexpress.connect.lake.finish.LakeBench.ROW;
import static io.lakexpress.connect.lake.finish.LakeBench.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.file.Faults.Work;
import io.lakexpress.connect.lake.file.RetryLaterException;
import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More faults that users of comparable sinks met, each by its case. */
class SinkCasesTest {
  private static final TopicPartition TOPIC = partition(ORDERS, 0);
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

  private void job(String jobId, long run, JobMode mode, long... ids) {
    bench.db.begin(jobId, run, ORDERS, mode);
    bench.emit(TOPIC, jobId, ids);
    bench.db.deliver(jobId, ids.length);
  }

  private long steps(String name) {
    return bench.faults.steps().stream().filter(name::equals).count();
  }

  /** Case K6: written, rolled by time, dead before Connect's commit of offsets, all read again. */
  @Test
  void rowsReadAgainAfterARollByTimeAreThereOnce() {
    bench.emit(CLICKS, null, LongStream.rangeClosed(1, 10).toArray());
    LakeBench.Task dying = bench.task(CLICKS);
    dying.poll(10);
    dying.poll(10);
    bench.clock.pass(Duration.ofMinutes(5));
    dying.poll(10);
    finisher.step();
    assertThat(bench.rows(CLICKS_TABLE)).hasSize(10);

    bench.emit(CLICKS, null, 11, 12, 13, 14, 15);
    LakeBench.Task next = bench.task(CLICKS);
    next.poll(20);
    next.poll(20);
    next.poll(20);
    bench.clock.pass(Duration.ofMinutes(5));
    next.poll(20);
    bench.settle(next, finisher);

    assertThat(bench.rows(CLICKS_TABLE))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 15).boxed().toList());
    assertThat(bench.files(CLICKS_TABLE)).hasSize(2);
  }

  /** Case K10: two types of records that alternate in one topic share two files, not twenty. */
  @Test
  void recordTypesThatAlternateInATopicHaveAnOpenFileEach() {
    Schema other =
        SchemaBuilder.struct()
            .name("other")
            .field("id", Schema.INT64_SCHEMA)
            .field("reason", Schema.OPTIONAL_STRING_SCHEMA)
            .build();
    for (long id = 1; id <= 20; id++) {
      Schema schema = id % 2 == 0 ? other : ROW;
      bench.append(CLICKS, null, schema, new Struct(schema).put("id", id));
    }
    LakeBench.Task task = bench.task(CLICKS);
    bench.settle(task, finisher);
    bench.clock.pass(Duration.ofMinutes(5));
    bench.settle(task, finisher);

    assertThat(bench.rows(CLICKS_TABLE)).hasSize(20);
    assertThat(bench.files(CLICKS_TABLE)).hasSize(2);
  }

  /**
   * Case K14: the store answers 503 again and again; the task waits longer each time, and lives.
   */
  @Test
  void storeThatAnswers503SeveralTimesIsTriedAgainEverLater() {
    job("j-1", 1, JobMode.FIRST_SYNC, 1, 2, 3);
    LakeBench.Task task = bench.task(TOPIC);
    for (int i = 0; i < 4; i++) {
      bench.faults.failNext("begin", LakeBench.storeIsDown(), Work.NOT_DONE);
    }
    List<Duration> delays = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      task.poll(10).map(RetryLaterException::delay).ifPresent(delays::add);
    }
    assertThat(delays).hasSize(4);
    assertThat(delays).isSorted().doesNotHaveDuplicates();
    assertThat(delays).allMatch(delay -> delay.compareTo(Duration.ofMinutes(1)) <= 0);

    bench.settle(task, finisher);
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L);
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  /** Case K17: removing old files fails for weeks; new ones are written and landed all the same. */
  @Test
  void cleaningUpThatFailsForeverStopsNothing() {
    LakeBench.Task task = bench.task(TOPIC);
    for (int run = 1; run <= 5; run++) {
      for (int i = 0; i < 50; i++) {
        bench.faults.failNext("delete", LakeBench.storeRefuses(), Work.NOT_DONE);
      }
      job("j-" + run, run, JobMode.FULL, run);
      bench.settle(task, finisher);
      assertThat(bench.db.job("j-" + run).status()).isEqualTo(Status.LANDED);
    }
  }

  /** Case K17: what is done is not asked about again, however much of it there is. */
  @Test
  void whatIsDoneCostsNothingHoweverMuchOfItThereIs() {
    LakeBench.Task task = bench.task(TOPIC);
    job("j-1", 1, JobMode.FIRST_SYNC, 1);
    bench.settle(task, finisher);
    bench.faults.revive();
    bench.settle(task, finisher);
    int atFirst = bench.faults.steps().size();
    for (int run = 2; run <= 30; run++) {
      job("j-" + run, run, JobMode.INCREMENTAL, run);
    }
    for (int i = 0; i < 5; i++) {
      bench.settle(task, finisher);
    }
    assertThat(bench.rows(ORDERS)).hasSize(30);

    bench.faults.revive();
    bench.settle(task, finisher);
    assertThat(bench.faults.steps().size()).isLessThanOrEqualTo(atFirst + 5);
  }

  /** Case K21: a file costs one upload and one publish, no copy, no list, no index, no delete. */
  @Test
  void fileCostsOneUploadAndNothingElse() {
    LakeBench.Task task = bench.task(TOPIC);
    bench.settle(task, finisher);
    bench.faults.revive();
    job("j-1", 1, JobMode.FIRST_SYNC, 1, 2, 3);
    bench.settle(task, finisher);

    assertThat(bench.files(ORDERS)).hasSize(1);
    assertThat(steps("before begin")).isEqualTo(1);
    assertThat(steps("before stage")).isEqualTo(1);
    assertThat(steps("before publish")).isEqualTo(1);
    assertThat(bench.faults.steps())
        .doesNotContain("before delete", "before retire", "before exists", "before verifyWritable");
  }

  /** Case K36: files that were entered while nobody published are found by whoever comes. */
  @Test
  void filesEnteredBeforeTheFinisherCameAreLanded() {
    job("j-1", 1, JobMode.FIRST_SYNC, 1, 2);
    job("j-2", 2, JobMode.INCREMENTAL, 3);
    LakeBench.Task task = bench.task(TOPIC);
    for (int i = 0; i < 20; i++) {
      task.poll(10);
      bench.clock.pass(Duration.ofSeconds(1));
    }
    task.writer.close();
    assertThat(bench.rows(ORDERS)).isEmpty();

    Finisher newcomer = bench.finisher("lake", "newcomer");
    newcomer.step();
    newcomer.step();

    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L);
  }

  /** Case K39: a rebalance in the middle makes the same rows come twice; one file shows them. */
  @Test
  void nameIsPublishedOnceAlthoughTwoTasksWroteIt() {
    job("j-1", 1, JobMode.FIRST_SYNC, 1, 2, 3);
    LakeBench.Task before = bench.task(TOPIC);
    before.poll(10);
    before.poll(10);
    LakeBench.Task after = bench.task(TOPIC);
    after.poll(10);
    bench.faults.revive();
    for (int i = 0; i < 20; i++) {
      after.poll(10);
      before.poll(10);
      bench.clock.pass(Duration.ofSeconds(1));
      finisher.step();
    }

    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L);
    assertThat(steps("before publish")).isEqualTo(1);
    assertThat(bench.db.ledger().filesOfJob("j-1"))
        .extracting(LedgerFile::state)
        .containsOnlyOnce(FileState.PUBLISHED);
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  /** A row is refused in the middle of a job: it counts, and the others land. */
  @Test
  void rowRefusedInTheMiddleOfAJobIsCountedAndTheJobLands() {
    job("j-1", 1, JobMode.FIRST_SYNC, 1, 2, -3, 4, 5);
    LakeBench.Task task = bench.task(TOPIC);
    bench.settle(task, finisher);

    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 4L, 5L);
    assertThat(bench.deadLetters).hasSize(1);
    assertThat(bench.db.job("j-1").refusedRows()).isEqualTo(1);
    assertThat(bench.db.job("j-1").status()).isEqualTo(Status.LANDED);
    assertThat(task.writer.counters().refusedRows()).isEqualTo(1);
  }

  /** Topics that a regex subscription finds later are taken in beside those that are being read. */
  @Test
  void topicThatAppearsLaterIsTakenInBesideTheOthers() {
    TopicPartition late = new TopicPartition("plain", 0);
    bench.emit(CLICKS, null, 1, 2);
    LakeBench.Task task = bench.task(CLICKS);
    task.poll(10);
    bench.emit(late, null, 7);
    task.assign(List.of(late));
    bench.settle(task, finisher);
    bench.clock.pass(Duration.ofMinutes(5));
    bench.settle(task, finisher);

    assertThat(bench.rows(CLICKS_TABLE)).containsExactly(1L, 2L);
    assertThat(bench.rows(new TableId("default", "plain"))).containsExactly(7L);
    assertThat(bench.files(CLICKS_TABLE)).hasSize(1);
  }

  /** A foreign topic rolls by rows, too, and each file shows without waiting for the next. */
  @Test
  void filesOfForeignTopicsShowAsSoonAsTheyAreFull() {
    bench.roll = new RollPolicy(4, 1 << 20, Duration.ofHours(1));
    bench.emit(CLICKS, null, 1, 2, 3, 4, 5, 6);
    LakeBench.Task task = bench.task(CLICKS);
    task.poll(10);
    finisher.step();

    assertThat(bench.rows(CLICKS_TABLE)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(Optional.ofNullable(task.writer.safeOffsets().get(CLICKS))).contains(4L);
  }
}
