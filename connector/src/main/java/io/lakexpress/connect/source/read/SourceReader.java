package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the tables of a sync ahead of poll(), for one task. {@link #poll} and {@link #stop} belong
 * to the task's thread, {@link #commit} and {@link #acknowledge} to any.
 */
public final class SourceReader {
  private static final Logger LOG = LoggerFactory.getLogger(SourceReader.class);
  private static final Duration LAST_WAIT = Duration.ofSeconds(2);
  private static final Duration CANCEL_AGAIN = Duration.ofMillis(250);

  private final ReaderSettings settings;
  private final Supplier<LakexpressDb> databases;
  private final Supplier<SourceDatabase> sources;
  private final Halt halt = new Halt();
  private final Acknowledgements acknowledgements;
  private final Keeper keeper;
  private final HandOver handOver;
  private final ReaderParts parts;
  private final Thread thread;
  private final List<SourceDatabase> opened = new CopyOnWriteArrayList<>();

  private volatile LakexpressDb db;
  private volatile ConnectException failure;

  /**
   * A reader that has not begun.
   *
   * @param databases opens the LakeXpress DB; asked again while it throws a {@link
   *     LakexpressDbException}
   * @param sources opens the source database; asked again while it throws a {@link SourceException}
   */
  public SourceReader(
      ReaderSettings settings,
      StoredOffsets stored,
      Supplier<LakexpressDb> databases,
      Supplier<SourceDatabase> sources,
      GuardRule guard,
      Clock clock,
      SyncMetrics metrics) {
    this.settings = settings;
    this.databases = databases;
    this.sources = sources;
    this.acknowledgements = new Acknowledgements(settings.identity().delivery());
    Leases leases = new Leases(settings);
    this.keeper =
        new Keeper(settings, leases, new Mirror(acknowledgements, leases, metrics), halt, metrics);
    this.handOver = new HandOver(settings.records(), settings.timing().pause(), halt);
    this.parts =
        new ReaderParts(
            settings,
            new TableOffsets(stored, settings.identity().syncId()),
            leases,
            new Patience(settings.timing(), halt, metrics),
            handOver,
            guard,
            halt,
            clock,
            metrics);
    this.thread = new Thread(this::read, "lakexpress-reader-" + settings.identity().owner());
    this.thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /**
   * The next batch, or null if there is none for now.
   *
   * @throws ConnectException if the task has to fail
   */
  public List<SourceRecord> poll() {
    LakexpressDb open = db;
    if (open != null) {
      keeper.keep(open);
    }
    List<SourceRecord> batch = handOver.poll(settings.timing().poll());
    if (batch == null && failure != null) {
      throw failure;
    }
    return batch;
  }

  /** A record reached Kafka. */
  public void acknowledge(SourceRecord sent) {
    acknowledgements.acknowledge(sent);
  }

  /** Connect wrote offsets. */
  public void commit() {
    acknowledgements.commit();
  }

  /** Stops a running statement at once, gives back what is claimed, and waits for the reader. */
  public void stop() {
    halt.request();
    handOver.close();
    endReader();
    LakexpressDb open = db;
    if (open == null) {
      keeper.stop();
      return;
    }
    try {
      keeper.stop(open);
    } finally {
      open.close();
    }
  }

  /** Cancels again and again: between two statements there is nothing to cancel. */
  private void endReader() {
    long end = System.nanoTime() + LAST_WAIT.toNanos();
    while (thread.isAlive()
        && !Thread.currentThread().isInterrupted()
        && end - System.nanoTime() > 0) {
      cancel();
      join(CANCEL_AGAIN);
    }
    if (thread.isAlive()) {
      thread.interrupt();
      join(LAST_WAIT);
    }
  }

  private void cancel() {
    for (SourceDatabase source : opened) {
      try {
        source.cancel();
      } catch (SourceException e) {
        // Its server is gone, and the statement with it.
        LOG.warn("The running statement is left alone: {}", e.getMessage());
      }
    }
  }

  private void join(Duration longest) {
    if (!thread.isAlive()) {
      return;
    }
    try {
      thread.join(longest.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try {
      db = parts.patience().ask(databases);
      new ReaderLoop(parts, db, openSource(), this::openSource).run();
    } catch (Halt.Halted e) {
      LOG.debug("The reader of {} stopped", settings.identity().owner());
    } catch (ConnectException e) {
      fail(e);
    } catch (RuntimeException e) {
      if (!halt.isRequested()) {
        fail(new ConnectException("Cannot read sync " + settings.identity().syncId(), e));
      }
    } finally {
      opened.forEach(SourceDatabase::close);
    }
  }

  private void fail(ConnectException reason) {
    failure = reason;
    handOver.close();
  }

  private SourceDatabase openSource() {
    for (int number = 1; ; number++) {
      halt.check();
      try {
        SourceDatabase source = sources.get();
        opened.add(source);
        halt.check();
        return source;
      } catch (SourceException e) {
        parts.metrics().sourceDown();
        Duration wait = settings.timing().wait(number);
        LOG.warn("The source database cannot be opened, next try in {}: {}", wait, e.getMessage());
        halt.sleep(wait);
      }
    }
  }
}
