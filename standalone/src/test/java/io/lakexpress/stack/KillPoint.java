package io.lakexpress.stack;

import java.time.Duration;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/**
 * When a worker is killed, drawn by chance: so long after its process began, while it starts; or
 * when so many records more were written; or so long after it was ready, whatever it does.
 */
record KillPoint(Kind kind, int amount) {
  /** Nothing more comes: it is killed while it is idle. */
  private static final Duration IDLE = Duration.ofSeconds(12);

  enum Kind {
    STARTING,
    RECORDS,
    TIME
  }

  static KillPoint next(Random random, int records) {
    int chance = random.nextInt(10);
    if (chance == 0) {
      return new KillPoint(Kind.STARTING, 500 + random.nextInt(6000));
    }
    return chance < 8
        ? new KillPoint(Kind.RECORDS, random.nextInt(records))
        : new KillPoint(Kind.TIME, random.nextInt(6000));
  }

  /** Waits for it. */
  void await(TestingKafka kafka, TestingSync sync) {
    switch (kind) {
      case STARTING, TIME -> pass(Duration.ofMillis(amount));
      case RECORDS -> awaitRecords(kafka, sync);
    }
  }

  private void awaitRecords(TestingKafka kafka, TestingSync sync) {
    long deadline = System.nanoTime() + IDLE.toNanos();
    awaitRecords(kafka, sync, amount, () -> System.nanoTime() - deadline > 0);
  }

  /** Waits until so many records more were written. */
  static void awaitRecords(TestingKafka kafka, TestingSync sync, long records) {
    awaitRecords(kafka, sync, records, () -> false);
  }

  private static void awaitRecords(
      TestingKafka kafka, TestingSync sync, long records, BooleanSupplier orElse) {
    try (TopicEnds ends = new TopicEnds(kafka, sync.topicPrefix())) {
      long before = ends.sum();
      Awaitility.await("records in the topics of " + sync.id())
          .atMost(TestingSync.PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> ends.sum() >= before + records || orElse.getAsBoolean());
    }
  }

  private static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    Awaitility.await()
        .atMost(TestingSync.PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> System.nanoTime() - end > 0);
  }
}
