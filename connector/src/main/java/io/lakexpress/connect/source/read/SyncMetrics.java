package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Run;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.UpperBound;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What one task of a sync's source has to say about itself. Thread-safe. */
public final class SyncMetrics {
  static final String OPEN = "open";

  private final Clock clock;
  private final Consumer<TableMetrics> listener;
  private final Map<TableId, TableMetrics> tables = new ConcurrentHashMap<>();
  private final Outage lakexpressDb = new Outage();
  private final Outage source = new Outage();
  private volatile SeenRun run = new SeenRun(0, "", Duration.ZERO, "");
  private volatile Instant lastBound;
  private volatile int deliveriesWaiting;

  private record SeenRun(long number, String state, Duration heldBack, String guardNote) {}

  /** For how long somebody has not answered. */
  private static final class Outage {
    private static final long UP = 0;
    private final AtomicLong since = new AtomicLong(UP);

    void down() {
      // Zero means up; a nanosecond more or less does not matter.
      since.compareAndSet(UP, System.nanoTime() | 1);
    }

    void up() {
      if (since.get() != UP) {
        since.set(UP);
      }
    }

    long seconds() {
      long began = since.get();
      // An outage is at least a second long, so that it can be told from none.
      return began == UP ? 0 : Math.max(1, Duration.ofNanos(System.nanoTime() - began).toSeconds());
    }
  }

  /**
   * Nothing known yet.
   *
   * @param clock what lag is measured by
   * @param listener told of each table as it comes up, on the reader's thread
   */
  public SyncMetrics(Clock clock, Consumer<TableMetrics> listener) {
    this.clock = clock;
    this.listener = listener;
  }

  /** The figures as they are now. */
  public SyncFigures figures() {
    SeenRun seen = run;
    return new SyncFigures(
        seen.number(),
        seen.state(),
        seen.heldBack().toSeconds(),
        seen.guardNote(),
        deliveriesWaiting,
        lakexpressDb.seconds(),
        source.seconds());
  }

  /** The metrics of a table, which come up with the first call. */
  TableMetrics table(TableId id) {
    TableMetrics known = tables.get(id);
    if (known != null) {
      return known;
    }
    TableMetrics added = new TableMetrics(id, clock);
    TableMetrics other = tables.putIfAbsent(id, added);
    if (other != null) {
      return other;
    }
    listener.accept(added);
    return added;
  }

  List<TableMetrics> tables() {
    return List.copyOf(tables.values());
  }

  /** A run was opened, joined or seen closed; told by the reader's thread. */
  void seen(Run seen, Duration safetyLag) {
    run =
        new SeenRun(
            seen.number(),
            seen.isOpen() ? OPEN : seen.error() == null ? "delivered" : "failed",
            heldBack(seen, safetyLag),
            Objects.requireNonNullElse(seen.guardNote(), ""));
  }

  /** How much the run that was seen last is held back. */
  Duration heldBack() {
    return run.heldBack();
  }

  /** A run without a bound ends where the last one did. */
  private Duration heldBack(Run run, Duration safetyLag) {
    if (run.upperBound() != null) {
      lastBound = run.upperBound();
    }
    if (lastBound == null) {
      return Duration.ZERO;
    }
    Duration held = Duration.between(lastBound, UpperBound.instant(run.startedAt(), safetyLag));
    return held.isNegative() ? Duration.ZERO : held;
  }

  void deliveriesWaiting(int waiting) {
    deliveriesWaiting = waiting;
  }

  void lakexpressDbDown() {
    lakexpressDb.down();
  }

  void lakexpressDbAnswers() {
    lakexpressDb.up();
  }

  void sourceDown() {
    source.down();
  }

  void sourceAnswers() {
    source.up();
  }
}
