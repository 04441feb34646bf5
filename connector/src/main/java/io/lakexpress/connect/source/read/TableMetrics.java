package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.TableId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;

/**
 * What one task has had to do with one table. Told by the reader batch by batch, never row by row;
 * asked by anybody. Thread-safe.
 */
public final class TableMetrics {
  private final TableId table;
  private final Clock clock;
  private final LongAdder rows = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder readNanos = new LongAdder();
  private final LongAdder jobs = new LongAdder();
  private final LongAdder retries = new LongAdder();

  private String watermark = "";
  private Instant completeTo;
  private long nullRows;
  private Duration heldBack = Duration.ZERO;
  private TableState state = TableState.IDLE;
  private String lastError = "";
  private long changedAt = System.nanoTime();

  TableMetrics(TableId table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  public TableId table() {
    return table;
  }

  /** The figures as they are now. */
  public synchronized TableFigures figures() {
    long lag =
        completeTo == null
            ? -1
            : Math.max(0, Duration.between(completeTo, clock.instant()).toSeconds());
    return new TableFigures(
        watermark,
        lag,
        rows.sum(),
        jobs.sum(),
        bytes.sum(),
        readNanos.sum() / 1_000_000,
        nullRows,
        heldBack.toSeconds(),
        retries.sum(),
        state,
        lastError,
        changedAt);
  }

  /** A batch was read; what it took does not count the wait for a poll. */
  void read(int batchRows, long batchBytes, long nanos) {
    rows.add(batchRows);
    bytes.add(batchBytes);
    readNanos.add(nanos);
  }

  /** A job was taken up. */
  synchronized void begun(Duration runHeldBack) {
    heldBack = runHeldBack;
    become(TableState.READING);
  }

  /** A table was looked at before its window is read. */
  synchronized void withoutWatermark(long found) {
    nullRows = found;
  }

  /** Its job comes to nothing for now; the reason stays the last error. */
  synchronized void waits(String reason) {
    lastError = reason;
    become(TableState.WAITING);
  }

  /** Reading goes on. */
  synchronized void goesOn() {
    if (state == TableState.WAITING) {
      become(TableState.READING);
    }
  }

  /** Reading will be tried again. */
  void triedAgain(String reason) {
    retries.increment();
    waits(reason);
  }

  /** Its job is handed over to Connect, or left to somebody else. */
  synchronized void leftAlone() {
    become(TableState.IDLE);
  }

  synchronized void failed(String reason, TableState afterwards) {
    lastError = reason;
    become(afterwards);
  }

  /**
   * A job is delivered.
   *
   * @param newWatermark canonical text, or null if it has none
   * @param newCompleteTo up to when the table is complete now, or null if that is not known
   */
  synchronized void delivered(String newWatermark, Instant newCompleteTo) {
    jobs.increment();
    lastError = "";
    stands(newWatermark, newCompleteTo);
  }

  /** The table's watermark became known without a job of this task. */
  synchronized void stands(String newWatermark, Instant newCompleteTo) {
    if (newWatermark != null) {
      watermark = newWatermark;
    }
    if (newCompleteTo != null) {
      completeTo = newCompleteTo;
    }
    changedAt = System.nanoTime();
  }

  /** Another task delivered the table since. */
  synchronized void recovered() {
    if (state == TableState.FAILED) {
      lastError = "";
      become(TableState.IDLE);
    }
  }

  private void become(TableState next) {
    state = next;
    changedAt = System.nanoTime();
  }
}
