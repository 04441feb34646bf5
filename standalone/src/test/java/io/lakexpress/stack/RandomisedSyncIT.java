package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Run;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Writers of every kind work on the tables while a sync runs again and again and its worker and
 * connections are killed. In the end table, topic and lake agree row for row.
 */
@ExtendWith(StackExtension.class)
final class RandomisedSyncIT {
  private static final int WRITERS = 4;

  /**
   * On a slow machine the trouble goes on until it has seen so many runs, if that is not too long.
   */
  private static final int RUNS = 8;

  private static final Duration LONGER = Duration.ofSeconds(60);

  private final TestingStack stack;

  RandomisedSyncIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void tableTopicAndLakeAgreeAfterAMinuteOfTrouble() throws Exception {
    agreeAfter(Duration.ofSeconds(60));
  }

  @Test
  @Tag("long")
  void tableTopicAndLakeAgreeAfterTwentyMinutesOfTrouble() throws Exception {
    agreeAfter(Duration.ofMinutes(20));
  }

  private void agreeAfter(Duration trouble) throws Exception {
    Seed seed = Seed.of("Randomised sync");
    String group = "random-" + trouble.toSeconds();
    try (MortalWorker worker = MortalWorker.of(stack, group);
        TestingSync sync = stack.sync("random", worker.rest())) {
      RandomTables tables = new RandomTables(sync);
      sync.source("sync.mode", "continuous")
          .source("sync.interval.seconds", "1")
          .source("topic.creation.default.partitions", "1")
          .source("batch.max.rows", "100");
      worker.start();
      worker.awaitReady();
      sync.start();
      AtomicBoolean isOver = new AtomicBoolean();
      List<Future<Long>> writers = new ArrayList<>();
      ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
      try {
        for (int writer = 1; writer <= WRITERS; writer++) {
          writers.add(
              threads.submit(new RandomWriter(sync.connect(), seed.random(writer), isOver::get)));
        }
        trouble(worker, sync, seed.random(0), trouble);
        isOver.set(true);
        System.out.println("Committed transactions by writer: " + committed(writers));
      } finally {
        isOver.set(true);
        threads.shutdownNow();
      }
      settle(sync);
      assertThat(sync.trouble()).isEmpty();
      tables.assertExact();
    }
  }

  private static List<Long> committed(List<Future<Long>> writers)
      throws InterruptedException, ExecutionException {
    List<Long> committed = new ArrayList<>();
    for (Future<Long> writer : writers) {
      committed.add(writer.get());
    }
    return committed;
  }

  /** Kills now the worker, now the connections of the source, now those of the LakeXpress DB. */
  private void trouble(MortalWorker worker, TestingSync sync, Random random, Duration time)
      throws SQLException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0
        || (sync.lastNumber() <= RUNS && System.nanoTime() - end < LONGER.toNanos())) {
      new KillPoint(KillPoint.Kind.TIME, 1_000 + random.nextInt(5_000)).await(stack.kafka(), sync);
      int chance = random.nextInt(8);
      if (chance < 3) {
        System.out.println("Kill the worker in run " + sync.lastNumber());
        worker.kill();
        worker.start();
        worker.awaitReady();
      } else if (chance < 7) {
        System.out.println("Kill " + sync.killConnections("src_") + " of the source");
      } else {
        System.out.println("Kill " + sync.killConnections("lx_") + " of the book");
      }
    }
  }

  /** Two runs more that begin after the last commit, and everything landed. */
  private static void settle(TestingSync sync) {
    for (int run = 1; run <= 2; run++) {
      long before = sync.lastNumber();
      Awaitility.await("another run")
          .atMost(TestingSync.PATIENCE)
          .pollInterval(Duration.ofMillis(300))
          .until(
              () ->
                  sync.db().runs().latestRun(sync.id()).filter(r -> isOver(r, before)).isPresent());
    }
    sync.sourceWithout("sync.interval.seconds").source("sync.mode", "on-demand").startSource();
    sync.awaitQuiet();
  }

  private static boolean isOver(Run run, long before) {
    return run.number() > before && !run.isOpen();
  }
}
