package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.GuardBook;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends runs before the oldest transaction that is still open began. Transactions get a short time
 * to end; then the run ends before them, by their beginning where the database shows it, else by
 * the newest earlier sample that none of them was in.
 */
final class WritersGuard implements LateCommitGuard {
  private static final Logger LOG = LoggerFactory.getLogger(WritersGuard.class);

  /** Between the time a transaction carries and its appearance in the database's list. */
  private static final Duration APPEARANCE = Duration.ofMillis(100);

  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofSeconds(60);

  private final GuardRule rule;
  private final String syncId;
  private final GuardBook book;
  private final SourceDatabase source;
  private final Halt halt;

  WritersGuard(GuardRule rule, String syncId, GuardBook book, SourceDatabase source, Halt halt) {
    this.rule = rule;
    this.syncId = syncId;
    this.book = book;
    this.source = source;
    this.halt = halt;
  }

  @Override
  public Optional<String> obstacle() {
    try {
      return activity() instanceof Activity.Hidden hidden
          ? Optional.of(hidden.reason())
          : Optional.empty();
    } catch (SourceException e) {
      LOG.debug("The first run will tell whether late commits can be seen", e);
      return Optional.empty();
    }
  }

  @Override
  public Bound bound(RunStart start) {
    if (start.kinds().isEmpty()) {
      return Bound.free(start.candidate());
    }
    Instant clock = source.now();
    halt.sleep(APPEARANCE);
    Bound bound = bound(start, clock, activity());
    if (bound.heldBack().compareTo(LONG) >= 0) {
      LOG.warn("Sync {}: {}", syncId, bound.note());
    }
    return bound;
  }

  private Bound bound(RunStart start, Instant clock, Activity first) {
    if (!(first instanceof Activity.Seen seen)) {
      return Verdict.unguarded(start, (Activity.Hidden) first);
    }
    Sightings sightings = Sightings.of(book.samples(syncId), clock, seen);
    long end = System.nanoTime() + rule.longestWait().toNanos();
    while (true) {
      Verdict verdict = Verdict.of(start, sightings, seen, rule);
      if (verdict.isFinal() || System.nanoTime() - end >= 0) {
        book.replace(syncId, sightings.worthKeeping(verdict.holders()));
        return verdict.bound();
      }
      halt.sleep(LOOK);
      Activity next = activity();
      if (!(next instanceof Activity.Seen seenNext)) {
        return Verdict.unguarded(start, (Activity.Hidden) next);
      }
      seen = seenNext;
    }
  }

  /** A list that is refused is no reason to export nothing: the lag remains. */
  private Activity activity() {
    try {
      return source.activity();
    } catch (SourceException e) {
      if (e.kind() != SourceException.Kind.LASTING) {
        throw e;
      }
      return new Activity.Hidden(e.getMessage(), null);
    }
  }
}
