package io.lakexpress.connect.source.read;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The queue between the reader's thread and poll(), bounded by rows and bytes. Each batch is one
 * poll, so whatever comes in a batch of its own goes out in a later poll.
 */
final class HandOver {
  /** Batches that may wait, beside the one being read. */
  private static final int BATCHES = 2;

  /** How often a full queue looks whether anybody still polls. */
  private static final long LOOK_MILLIS = 100;

  private record Batch(List<SourceRecord> records, long bytes) {}

  private final int maxRows;
  private final long maxBytes;
  private final Duration pause;
  private final Halt halt;
  private final Deque<Batch> batches = new ArrayDeque<>();
  private long rows;
  private long bytes;
  private long polledAt = System.nanoTime();
  private long handedOver;
  private long polls;
  private long lastTakenBy;
  private boolean closed;

  HandOver(ReaderSettings.Records settings, Duration pause, Halt halt) {
    this.maxRows = BATCHES * settings.batchMaxRows();
    this.maxBytes = BATCHES * settings.batchMaxBytes();
    this.pause = pause;
    this.halt = halt;
  }

  /**
   * Hands a batch over, waiting for room.
   *
   * @param whenPaused called once if nobody polls meanwhile, to let go of what costs something
   */
  void put(List<SourceRecord> records, long size, Runnable whenPaused) {
    if (awaitsRoom(records.size(), size, pause)) {
      // Outside of the monitor: a database that hangs must hold up neither poll() nor the stop.
      whenPaused.run();
      awaitsRoom(records.size(), size, null);
    }
    add(records, size);
  }

  /**
   * Waits for room.
   *
   * @param patience null for ever
   * @return whether there is none since nobody has polled for so long
   */
  private synchronized boolean awaitsRoom(int moreRows, long moreBytes, Duration patience) {
    try {
      while (!hasRoom(moreRows, moreBytes) && !closed && !halt.isRequested()) {
        if (patience != null && System.nanoTime() - polledAt > patience.toNanos()) {
          return true;
        }
        wait(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      halt.request();
    }
    return false;
  }

  private synchronized void add(List<SourceRecord> records, long size) {
    if (closed || halt.isRequested()) {
      throw new Halt.Halted();
    }
    batches.add(new Batch(records, size));
    rows += records.size();
    bytes += size;
    handedOver += records.size();
    notifyAll();
  }

  /** How many records were ever handed over. */
  synchronized long handedOver() {
    return handedOver;
  }

  private boolean hasRoom(int moreRows, long moreBytes) {
    return batches.isEmpty() || (rows + moreRows <= maxRows && bytes + moreBytes <= maxBytes);
  }

  /** The next batch, or null if none came in time. */
  synchronized List<SourceRecord> poll(Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    polledAt = System.nanoTime();
    polls++;
    notifyAll();
    try {
      while (batches.isEmpty() && !closed && end > System.nanoTime()) {
        wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    polledAt = System.nanoTime();
    Batch batch = batches.poll();
    if (batch == null) {
      return null;
    }
    rows -= batch.records().size();
    bytes -= batch.bytes();
    lastTakenBy = polls;
    notifyAll();
    return batch.records();
  }

  /**
   * Waits until everything handed over was taken and Connect came back for more: then it has sent
   * what it took, and with exactly-once support committed it. Gives up after a while; nobody may be
   * polling.
   */
  synchronized void awaitTaken(Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    try {
      while (!closed
          && !halt.isRequested()
          && end > System.nanoTime()
          && !(batches.isEmpty() && polls > lastTakenBy)) {
        wait(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      halt.request();
    }
  }

  /** Ends all waiting: the reader failed or stops. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
