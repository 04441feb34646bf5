package io.lakexpress.connect.lake.file;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that all open files of a worker may hold together. When it is reached, whoever holds at
 * least the average gives some back; so the large ones roll early and the small ones are left
 * alone. Thread-safe.
 */
public final class MemoryBudget {
  private static final Pool WORKER = new Pool();

  private final long limit;
  private final Pool pool;

  private MemoryBudget(long limit, Pool pool) {
    if (limit < 1) {
      throw new IllegalArgumentException(
          "Invalid memory budget " + limit + ": expected a positive number of bytes");
    }
    this.limit = limit;
    this.pool = pool;
  }

  /** The budget that every writer of this process draws on. */
  public static MemoryBudget ofThisWorker(long limit) {
    return new MemoryBudget(limit, WORKER);
  }

  /** A budget that no other writer draws on. */
  public static MemoryBudget separate(long limit) {
    return new MemoryBudget(limit, new Pool());
  }

  /** One more holder; its owner closes it. */
  public Share join() {
    pool.holders.incrementAndGet();
    return new Share();
  }

  private static final class Pool {
    private final AtomicLong held = new AtomicLong();
    private final AtomicInteger holders = new AtomicInteger();
  }

  /** What one writer holds. Owned by one thread. */
  public final class Share implements AutoCloseable {
    private long held;
    private boolean closed;

    private Share() {}

    /** Holds more, or less if negative. */
    void change(long bytes) {
      held += bytes;
      pool.held.addAndGet(bytes);
    }

    /** Whether this holder must give something back. */
    boolean mustGive() {
      return held > 0 && pool.held.get() > limit && held >= limit / Math.max(1, pool.holders.get());
    }

    long held() {
      return held;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        change(-held);
        pool.holders.decrementAndGet();
      }
    }
  }
}
