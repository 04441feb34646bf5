package io.lakexpress.connect.lake.finish;

import static io.lakexpress.connect.lake.finish.LakeBench.NATION;
import static io.lakexpress.connect.lake.finish.LakeBench.ORDERS;
import static io.lakexpress.connect.lake.finish.LakeBench.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.file.Faults;
import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process dies before and after every single step; the next one must make it whole. */
class CrashEverywhereTest {
  private static final TopicPartition FIRST = partition(ORDERS, 0);
  private static final TopicPartition SECOND = partition(ORDERS, 1);
  private static final TopicPartition THIRD = partition(NATION, 0);

  @TempDir Path folder;

  @Test
  void everyRowLandsOnceWhereverTheProcessDies() {
    int step = 0;
    while (diesAndRecovers(step)) {
      step++;
    }
    assertThat(step).as("steps of the scenario").isGreaterThan(200);
  }

  /** False once the scenario has fewer steps than that. */
  private boolean diesAndRecovers(int step) {
    LakeBench bench = new LakeBench(folder.resolve("lake-" + step));
    bench.roll = new RollPolicy(4, 1 << 20, Duration.ofMinutes(10));
    prepare(bench);
    bench.faults.crashAt(step);
    try {
      run(bench, "first");
    } catch (Faults.Crash died) {
      assertThat(bench.faults.hasCrashed()).isTrue();
    }
    boolean died = bench.faults.hasCrashed();
    List<String> trail = bench.faults.steps();
    bench.faults.revive();
    run(bench, "second");
    String where = "died at step " + step + " after " + trail;
    assertThat(bench.rows(ORDERS))
        .as(where)
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
    assertThat(bench.rows(NATION)).as(where).containsExactly(24L, 25L, 26L);
    assertThat(bench.hiddenFiles()).as(where).isEmpty();
    for (String job : List.of("j-a1", "j-a2", "j-n2")) {
      assertThat(bench.db.job(job).status()).as(where).isEqualTo(Status.LANDED);
    }
    return died;
  }

  private static void prepare(LakeBench bench) {
    bench.db.begin("j-a1", 1, ORDERS, JobMode.FIRST_SYNC);
    bench.db.begin("j-n1", 1, NATION, JobMode.FULL);
    bench.emit(FIRST, "j-a1", 1, 2, 3, 4, 5);
    bench.emit(SECOND, "j-a1", 6, 7, 8);
    bench.emit(THIRD, "j-n1", 21, 22, 23, 24);
    bench.db.deliver("j-a1", 8);
    bench.db.deliver("j-n1", 4);
    bench.db.begin("j-a2", 2, ORDERS, JobMode.INCREMENTAL);
    bench.db.begin("j-n2", 2, NATION, JobMode.FULL);
    bench.emit(FIRST, "j-a2", 9, 10);
    bench.emit(SECOND, "j-a2", 11, 12);
    bench.emit(THIRD, "j-n2", 24, 25, 26);
    bench.db.deliver("j-a2", 4);
    bench.db.deliver("j-n2", 3);
  }

  private static void run(LakeBench bench, String instance) {
    bench.settle(bench.task(FIRST, SECOND, THIRD), bench.finisher("lake", instance));
  }
}
