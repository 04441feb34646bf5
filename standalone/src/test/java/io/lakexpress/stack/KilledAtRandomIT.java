package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Status;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * kill -9 of the worker at points drawn by chance, again and again: nothing lost, nothing doubled.
 */
@ExtendWith(StackExtension.class)
final class KilledAtRandomIT {
  private static final int FIRST_ROWS = 9_000;
  private static final int MORE_ROWS = 4_000;

  private final TestingStack stack;

  KilledAtRandomIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void withExactlyOnceEveryRowIsOnceInTopicAndLake() {
    exactlyOnce(5);
  }

  @Test
  void withoutExactlyOnceEveryRowIsOnceInTheLake() {
    atLeastOnce(3);
  }

  @Test
  @Tag("long")
  void withExactlyOnceManyKillsDoNoHarm() {
    exactlyOnce(60);
  }

  @Test
  @Tag("long")
  void withoutExactlyOnceManyKillsDoNoHarm() {
    atLeastOnce(40);
  }

  private void exactlyOnce(int kills) {
    try (MortalWorker worker = MortalWorker.of(stack, "random-eos-" + kills);
        TestingSync sync = stack.sync("randomeos", worker.rest())) {
      KillTables tables = new KillTables(sync);
      killed(
          kills,
          worker,
          sync,
          tables,
          quiet -> {
            tables.assertTopicsExact();
            tables.assertExportsExact();
            tables.assertLakeExact();
          });
    }
  }

  private void atLeastOnce(int kills) {
    try (MortalWorker worker =
            MortalWorker.of(stack, "random-alo-" + kills)
                .with("exactly.once.source.support", "disabled");
        TestingSync sync = stack.sync("randomalo", worker.rest())) {
      sync.sourceWithout("exactly.once.support");
      KillTables tables = new KillTables(sync);
      killed(kills, worker, sync, tables, quiet -> tables.assertLakeExact());
    }
  }

  private void killed(
      int kills,
      MortalWorker worker,
      TestingSync sync,
      KillTables tables,
      Consumer<TestingSync> check) {
    Seed seed = Seed.of("Killed at random, " + sync.id());
    Random random = seed.random(0);
    tables.add(FIRST_ROWS);
    worker.start();
    worker.awaitReady();
    sync.start();
    sync.db().syncs().requestRun(sync.id(), "requested");
    int inside = 0;
    for (int kill = 1; kill <= kills; kill++) {
      KillPoint point = KillPoint.next(random, 3 * FIRST_ROWS);
      if (kill > 1) {
        worker.start();
      }
      if (point.kind() != KillPoint.Kind.STARTING) {
        worker.awaitReady();
        addIfIdle(sync, tables);
      }
      point.await(stack.kafka(), sync);
      inside += sync.db().runs().openRun(sync.id()).isPresent() ? 1 : 0;
      worker.kill();
      System.out.println("Kill " + kill + " at " + point + ", so far inside a run: " + inside);
    }
    worker.start();
    worker.awaitReady();
    sync.awaitQuiet();
    tables.add(MORE_ROWS);
    sync.run(Status.LANDED);
    sync.awaitQuiet();
    assertThat(inside).as("kills inside a run, " + seed).isPositive();
    check.accept(sync);
    assertThat(sync.trouble()).isEmpty();
  }

  /** Only between runs, so that no insert is under way when the bound of a run is taken. */
  private static void addIfIdle(TestingSync sync, KillTables tables) {
    if (sync.isIdle()) {
      tables.add(MORE_ROWS);
      sync.db().syncs().requestRun(sync.id(), "requested");
    }
  }
}
