package io.lakexpress.connect.lake.finish;

import static io.lakexpress.connect.lake.finish.LakeBench.ORDERS;
import static io.lakexpress.connect.lake.finish.LakeBench.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.file.Faults;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Status;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table has become empty, and the process dies before and after every single step of showing
 * that; the next one must make it whole. Cases K18 and K35 among them: dead between two steps of
 * publishing.
 */
class EmptyExportCrashTest {
  private static final TopicPartition TOPIC = partition(ORDERS, 0);

  @TempDir Path folder;

  @Test
  void emptyTableShowsAsOneFileWhereverTheProcessDies() {
    int step = 0;
    while (diesAndRecovers(step)) {
      step++;
    }
    assertThat(step).as("steps of the scenario").isGreaterThan(50);
  }

  /** False once the scenario has fewer steps than that. */
  private boolean diesAndRecovers(int step) {
    LakeBench bench = new LakeBench(folder.resolve("lake-" + step));
    bench.db.begin("j-1", 1, ORDERS, JobMode.FULL);
    bench.emit(TOPIC, "j-1", 1, 2);
    bench.db.deliver("j-1", 2);
    bench.db.begin("j-2", 2, ORDERS, JobMode.FULL);
    bench.db.deliver("j-2", 0);
    bench.tellOfNoRows("j-2");
    bench.faults.crashAt(step);
    try {
      run(bench, "first");
    } catch (Faults.Crash died) {
      assertThat(bench.faults.hasCrashed()).isTrue();
    }
    boolean died = bench.faults.hasCrashed();
    bench.faults.revive();
    run(bench, "second");
    String where = "died at step " + step;
    assertThat(bench.files(ORDERS)).as(where).hasSize(1);
    assertThat(bench.rows(ORDERS)).as(where).isEmpty();
    assertThat(bench.hiddenFiles()).as(where).isEmpty();
    assertThat(bench.db.job("j-2").status()).as(where).isEqualTo(Status.LANDED);
    return died;
  }

  private static void run(LakeBench bench, String instance) {
    bench.settle(bench.task(TOPIC, LakeBench.RUNS_TOPIC), bench.finisher("lake", instance));
  }
}
