package io.lakexpress.connect.lake.finish;

import static io.lakexpress.connect.lake.finish.LakeBench.NATION;
import static io.lakexpress.connect.lake.finish.LakeBench.ORDERS;
import static io.lakexpress.connect.lake.finish.LakeBench.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What may go wrong around a writer without harm to the lake. */
class WriterFaultsTest {
  private static final TopicPartition CLICKS = new TopicPartition("web.clicks", 0);
  private static final TopicPartition ORDERS_TOPIC = partition(ORDERS, 0);
  private static final TopicPartition NATION_TOPIC = partition(NATION, 0);

  @TempDir Path folder;
  private LakeBench bench;

  @BeforeEach
  void start() {
    bench = new LakeBench(folder);
  }

  /** Connect runs the tasks of a connector that it has failed. */
  @Test
  void tasksOfASecondLakeSinkWaitAndTouchNothing() {
    Finisher other = bench.finisher("other", "x");
    assertThat(other.claim()).isEmpty();
    bench.db.begin("j-1", 1, ORDERS, JobMode.FULL);
    bench.emit(ORDERS_TOPIC, "j-1", 1);
    LakeBench.Task task = bench.task(ORDERS_TOPIC);

    assertThat(task.poll(1)).get().asString().contains("connector 'other' is its lake sink");
    assertThat(bench.db.ledger().positions("tpch")).isEmpty();
    assertThat(task.writer.safeOffsets()).isEmpty();

    other.close();
    assertThat(task.poll(1)).isEmpty();
    assertThat(bench.hiddenFiles()).hasSize(1);
  }

  /** Faster than the consumer learns of it, so that nothing is revoked and assigned again. */
  @Test
  void topicCreatedAnewWhileItIsReadGoesOnUnderNewIncarnation() {
    bench.roll = new RollPolicy(1, 1 << 20, Duration.ofMinutes(10));
    Finisher finisher = bench.finisher("lake", "one");
    LakeBench.Task task = bench.task(CLICKS);
    bench.emit(CLICKS, null, 1, 2, 3);
    bench.settle(task, finisher);

    bench.recreate(CLICKS);
    bench.emit(CLICKS, null, 11, 12);
    bench.settle(task, finisher);

    assertThat(bench.rows(new TableId("web", "clicks"))).containsExactly(1L, 2L, 3L, 11L, 12L);
  }

  @Test
  void databaseThatIsDownIsAskedOncePerCommitHoweverManyPartitionsThereAre() {
    LakeBench.Task task = bench.task(CLICKS, ORDERS_TOPIC, NATION_TOPIC);
    for (TopicPartition each : List.of(CLICKS, ORDERS_TOPIC, NATION_TOPIC)) {
      bench.append(each, null, null, null);
      bench.append(each, null, null, null);
    }
    task.poll(1);
    task.poll(1);
    bench.faults.takeDown(FileLedger.class, LakeBench.databaseIsDown());
    bench.faults.revive();

    assertThat(task.writer.safeOffsets()).hasSize(3);

    assertThat(bench.faults.steps()).containsOnlyOnce("before enter");
  }

  @Test
  void databaseThatIsDownIsAskedOncePerRevocationHoweverManyFilesAreOpen() {
    bench.db.begin("j-1", 1, ORDERS, JobMode.FULL);
    bench.db.begin("j-2", 1, NATION, JobMode.FULL);
    bench.emit(CLICKS, null, 1);
    bench.emit(ORDERS_TOPIC, "j-1", 1);
    bench.emit(NATION_TOPIC, "j-2", 1);
    LakeBench.Task task = bench.task(CLICKS, ORDERS_TOPIC, NATION_TOPIC);
    task.poll(1);
    assertThat(bench.hiddenFiles()).hasSize(3);
    bench.faults.takeDown(FileLedger.class, LakeBench.databaseIsDown());
    bench.faults.revive();

    task.writer.close();

    assertThat(bench.hiddenFiles()).isEmpty();
    assertThat(steps("before discard") - steps("after discard")).isEqualTo(1);

    bench.faults.bringUp(FileLedger.class);
    Finisher finisher = bench.finisher("lake", "one");
    bench.db.deliver("j-1", 1);
    bench.settle(bench.task(CLICKS, ORDERS_TOPIC, NATION_TOPIC), finisher);
    assertThat(bench.rows(ORDERS)).containsExactly(1L);
  }

  private long steps(String name) {
    return bench.faults.steps().stream().filter(name::equals).count();
  }
}
