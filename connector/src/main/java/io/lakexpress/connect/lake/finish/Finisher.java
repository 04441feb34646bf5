package io.lakexpress.connect.lake.finish;

import io.lakexpress.connect.lake.file.Backoff;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.StorageException;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.SyncBook;
import io.lakexpress.lxdb.SyncBook.Owner;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one actor that makes delivered runs part of the lake; holds the lake side of the sync. Its
 * thread survives every service that is down, and asks for a person only where a person is needed.
 */
public final class Finisher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Finisher.class);
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(10);
  private static final Duration WHILE_WAITING = Duration.ofMillis(500);
  private static final Duration WHILE_IDLE = Duration.ofSeconds(2);
  private static final Duration PATIENCE_AT_STOP = Duration.ofSeconds(5);
  private static final int FAILURES_BEFORE_ALARM = 3;

  private final FinisherSettings settings;
  private final LakexpressDb book;
  private final FinisherCounters counters = new FinisherCounters();
  private final FinishPass pass;
  private final Alarm alarm;
  private final Clock clock;
  private final Backoff backoff = new Backoff();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private Instant renewedAt = Instant.EPOCH;
  private boolean alarmed;

  /**
   * Connect holds the connector for failed from its first error on and will not stop it, not even
   * when it is deleted. So from then on this finisher keeps the lake side for nobody, and ends when
   * another has it.
   */
  private boolean hasRaised;

  private Thread thread;

  public Finisher(
      FinisherSettings settings, LakexpressDb book, LakeStorage storage, Alarm alarm, Clock clock) {
    this.settings = settings;
    this.book = book;
    this.pass = new FinishPass(settings, book, storage, counters, clock);
    this.alarm = alarm;
    this.clock = clock;
  }

  /**
   * Takes the lake side of the sync, or keeps it.
   *
   * @return the other live lake sink that has it, if one has
   */
  public Optional<Owner> claim() {
    SyncBook syncs = book.syncs();
    Owner owner =
        syncs.claim(settings.syncId(), Role.LAKE, settings.connector(), settings.instance(), LEASE);
    if (!owner.instance().equals(settings.instance())) {
      return Optional.of(owner);
    }
    renewedAt = clock.instant();
    return Optional.empty();
  }

  /** What a second lake sink is told. */
  public static String refusal(String syncId, Owner owner) {
    return "Cannot land sync '"
        + syncId
        + "': connector '"
        + owner.connector()
        + "' is its lake sink; stop that one first, or give this one a sync.id of its own";
  }

  /** Starts the thread. */
  public void start() {
    thread = new Thread(this::loop, "lakexpress-finisher-" + settings.connector());
    thread.setDaemon(true);
    thread.start();
  }

  private void loop() {
    try {
      Duration pause = Duration.ZERO;
      while (!stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        pause = guardedStep();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Nothing ends the thread: without it runs would wait for ever and nobody would know. */
  private Duration guardedStep() {
    try {
      return step();
    } catch (Error failure) {
      LOG.error("Cannot finish runs of sync '{}'", settings.syncId(), failure);
      alarmOnce("Cannot finish runs of sync '" + settings.syncId() + "': " + failure, null);
      return backoff.failed();
    }
  }

  /** One step, whatever happens in it; returns how long to pause. */
  Duration step() {
    try {
      Optional<Owner> other = otherOwner();
      if (other.isPresent()) {
        end(other.get());
        return BETWEEN_RENEWALS;
      }
      boolean waits = pass.run();
      backoff.succeeded();
      alarmed = false;
      return waits ? WHILE_WAITING : WHILE_IDLE;
    } catch (RuntimeException failure) {
      return failed(failure);
    }
  }

  /** Keeps the lake side, now and then; tells who else has it. */
  private Optional<Owner> otherOwner() {
    if (clock.instant().isBefore(renewedAt.plus(BETWEEN_RENEWALS))) {
      return Optional.empty();
    }
    if (!hasRaised) {
      return claim();
    }
    renewedAt = clock.instant();
    return book.syncs()
        .owner(settings.syncId(), Role.LAKE)
        .filter(owner -> owner.alive() && !owner.instance().equals(settings.instance()));
  }

  private void end(Owner other) {
    if (hasRaised) {
      LOG.info("Another finisher took over the lake side of sync '{}'", settings.syncId());
    } else {
      alarmOnce(refusal(settings.syncId(), other), null);
    }
    stopped.countDown();
  }

  /** Whether it will do nothing any more. */
  boolean hasEnded() {
    return stopped.getCount() == 0;
  }

  private Duration failed(RuntimeException failure) {
    Duration pause = backoff.failed();
    counters.retries.increment();
    LOG.warn(
        "Cannot finish runs of sync '{}' now, trying again in {}",
        settings.syncId(),
        pause,
        failure);
    if (backoff.failures() >= FAILURES_BEFORE_ALARM && !mayPass(failure)) {
      alarmOnce(
          "Cannot finish runs of sync '" + settings.syncId() + "': " + failure.getMessage(),
          failure);
    }
    return pause;
  }

  private static boolean mayPass(RuntimeException failure) {
    if (failure instanceof StorageException storage) {
      return storage.isRetriable();
    }
    return failure instanceof LakexpressDbException db && db.isRetriable();
  }

  private void alarmOnce(String message, Exception cause) {
    if (!alarmed) {
      alarmed = true;
      hasRaised = true;
      try {
        alarm.raise(message, cause);
      } catch (RuntimeException deaf) {
        LOG.warn("Cannot tell Connect: {}", message, deaf);
      }
    }
  }

  /** What it has done; may be asked by any thread. */
  public FinisherFigures figures() {
    return counters.figures();
  }

  /** Ends the thread and gives the lake side back. */
  @Override
  public void close() {
    stopped.countDown();
    if (thread != null) {
      try {
        thread.join(PATIENCE_AT_STOP.toMillis());
        if (thread.isAlive()) {
          thread.interrupt();
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    try {
      book.syncs().release(settings.syncId(), Role.LAKE, settings.connector(), settings.instance());
    } catch (LakexpressDbException down) {
      LOG.debug("The lake side of sync '{}' ends with its lease", settings.syncId(), down);
    }
  }
}
