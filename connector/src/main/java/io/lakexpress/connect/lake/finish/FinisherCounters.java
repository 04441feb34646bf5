package io.lakexpress.connect.lake.finish;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a finisher did since it began. Written by its thread, read by anybody. */
final class FinisherCounters {
  final LongAdder landed = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder lostFiles = new LongAdder();
  final LongAdder deletedFiles = new LongAdder();
  final LongAdder retries = new LongAdder();
  final AtomicLong waiting = new AtomicLong();
  private final LongAdder publishedFiles = new LongAdder();
  private final AtomicLong publishLatencyMillis = new AtomicLong();

  void published(Duration sinceEntry) {
    publishedFiles.increment();
    publishLatencyMillis.set(Math.max(0, sinceEntry.toMillis()));
  }

  FinisherFigures figures() {
    return new FinisherFigures(
        publishedFiles.sum(),
        publishLatencyMillis.get(),
        landed.sum(),
        failed.sum(),
        lostFiles.sum(),
        deletedFiles.sum(),
        waiting.get(),
        retries.sum());
  }
}
