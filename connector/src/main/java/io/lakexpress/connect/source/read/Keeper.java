package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the claims and writes deliveries into the LakeXpress DB, set going by poll() but on a
 * thread of its own: a database that is down or hangs must not hold up poll(). Lets it be, for
 * growing times. {@link #keep} and {@link #stop} belong to the task's thread.
 */
final class Keeper {
  private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
  private static final Duration LAST_WAIT = Duration.ofSeconds(3);

  private final String syncId;
  private final Timing timing;
  private final Leases leases;
  private final Mirror mirror;
  private final Halt halt;
  private final SyncMetrics metrics;
  private final ExecutorService executor;

  private Future<?> work;
  private volatile ConnectException failure;
  private volatile long nextAt = System.nanoTime();
  private volatile long renewAt = System.nanoTime();
  private int troubles;

  Keeper(ReaderSettings settings, Leases leases, Mirror mirror, Halt halt, SyncMetrics metrics) {
    this.metrics = metrics;
    this.syncId = settings.identity().syncId();
    this.timing = settings.timing();
    this.leases = leases;
    this.mirror = mirror;
    this.halt = halt;
    this.executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "lakexpress-keeper-" + settings.identity().owner());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Sets going what is due.
   *
   * @throws ConnectException if the task has to fail, as the sync belongs to somebody else
   */
  void keep(LakexpressDb db) {
    if (failure != null) {
      throw failure;
    }
    long now = System.nanoTime();
    boolean isDue = now - renewAt >= 0 || mirror.hasWork();
    if (isDue && now - nextAt >= 0 && (work == null || work.isDone())) {
      work = executor.submit(() -> work(db));
    }
  }

  private void work(LakexpressDb db) {
    try {
      if (mirror.write(db) > 0) {
        halt.wake();
      }
      if (System.nanoTime() - renewAt >= 0) {
        leases.renew(db);
        renewAt = System.nanoTime() + timing.renewal().toNanos();
      }
      troubles = 0;
      metrics.lakexpressDbAnswers();
    } catch (LakexpressDbException e) {
      metrics.lakexpressDbDown();
      Duration wait = timing.renewalWait(++troubles);
      nextAt = System.nanoTime() + wait.toNanos();
      LOG.warn(
          "The LakeXpress DB does not take {} deliveries and the leases, next try in {}: {}",
          mirror.waiting(),
          wait,
          e.getMessage());
    } catch (ConnectException e) {
      failure = e;
    } catch (RuntimeException e) {
      failure = new ConnectException("Cannot renew the claims of sync " + syncId, e);
    }
  }

  /** Writes what is left and gives everything back, unless the database keeps us waiting. */
  void stop(LakexpressDb db) {
    if (executor.isShutdown()) {
      return;
    }
    Future<?> last = executor.submit(() -> giveBack(db));
    executor.shutdown();
    try {
      last.get(LAST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn("The LakeXpress DB does not answer; the next start writes what it misses");
    } catch (ExecutionException e) {
      LOG.warn("The claims of the task are not given back", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the thread where no database was ever opened. */
  void stop() {
    executor.shutdown();
  }

  private void giveBack(LakexpressDb db) {
    try {
      mirror.write(db);
      leases.release(db);
    } catch (LakexpressDbException e) {
      LOG.warn("The next start writes what the LakeXpress DB misses: {}", e.getMessage());
    }
  }
}
