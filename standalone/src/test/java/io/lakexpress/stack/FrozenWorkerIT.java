package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakexpress.lxdb.Status;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A worker that stands still while another takes over its tasks, and then goes on as if nothing had
 * happened: what it still writes is refused.
 */
@ExtendWith(StackExtension.class)
final class FrozenWorkerIT {
  private static final int ROWS = 12_000;

  private final TestingStack stack;

  FrozenWorkerIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void aFrozenWorkerIsFencedWhenItWakesUpAndDoublesNothing() {
    Random random = Seed.of("Frozen worker").random(0);
    try (MortalWorker first = MortalWorker.of(stack, "frozen", "frozen-1");
        MortalWorker second = MortalWorker.of(stack, "frozen", "frozen-2");
        TestingSync sync = stack.sync("frozen", first.rest())) {
      KillTables tables = new KillTables(sync);
      tables.add(ROWS);
      first.start();
      second.start();
      first.awaitReady();
      second.awaitReady();
      sync.start();
      awaitTasks(sync);
      sync.db().syncs().requestRun(sync.id(), "requested");
      KillPoint.awaitRecords(stack.kafka(), sync, 1_000 + random.nextInt(1_000));

      MortalWorker frozen = worker(sync).equals(first.id()) ? first : second;
      MortalWorker heir = frozen == first ? second : first;
      frozen.freeze();
      sync.on(heir.rest());
      awaitHeir(sync, heir);
      KillPoint.awaitRecords(stack.kafka(), sync, 1 + random.nextInt(1_000));
      frozen.wake();

      sync.awaitQuiet();
      tables.add(ROWS / 3);
      sync.run(Status.LANDED);
      sync.awaitQuiet();
      assertThat(frozen.logged("ProducerFencedException", "InvalidProducerEpochException"))
          .as("the frozen worker was refused when it woke up")
          .isPositive();
      tables.assertTopicsExact();
      tables.assertExportsExact();
      tables.assertLakeExact();
    }
  }

  /** Where the first task of the source runs. */
  private static String worker(TestingSync sync) {
    return tasks(sync).path(0).path("worker_id").asText();
  }

  private static JsonNode tasks(TestingSync sync) {
    return sync.rest().status(sync.sourceName()).path("tasks");
  }

  private static void awaitTasks(TestingSync sync) {
    Awaitility.await("the source's tasks run")
        .atMost(TestingSync.PATIENCE)
        .ignoreExceptions()
        .until(() -> !worker(sync).isEmpty() && areRunning(tasks(sync)));
  }

  private static boolean areRunning(JsonNode tasks) {
    for (JsonNode task : tasks) {
      if (!task.path("state").asText().equals("RUNNING")) {
        return false;
      }
    }
    return true;
  }

  private static void awaitHeir(TestingSync sync, MortalWorker heir) {
    Awaitility.await("the other worker runs the frozen one's task")
        .atMost(TestingSync.PATIENCE)
        .ignoreExceptions()
        .until(() -> worker(sync).equals(heir.id()) && areRunning(tasks(sync)));
  }
}
