package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.watermark.ColumnKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Lowers the bound of a run below every transaction that may still commit a row inside it. Belongs
 * to the reader's thread.
 */
interface LateCommitGuard {
  /** Whether the numbers read before the guard was asked may bound a window. */
  enum Numbers {
    SAFE,
    UNSAFE
  }

  /**
   * A bound that is safe.
   *
   * @param until where windows of dates and times end; null if no instant is known to be safe
   * @param heldBack how far it stays below the run's own instant; zero if nobody holds it back
   * @param note who holds it back, or why nobody can tell, in one line; empty if all is well
   */
  record Bound(Instant until, Numbers numbers, Duration heldBack, String note) {
    public Bound {
      Objects.requireNonNull(numbers, "numbers");
      Objects.requireNonNull(heldBack, "heldBack");
      Objects.requireNonNull(note, "note");
    }

    /** The run's own instant, unchanged. */
    static Bound free(Instant candidate) {
      return new Bound(candidate, Numbers.SAFE, Duration.ZERO, "");
    }

    /** Whether a window of such a column may end where this run wants it to; else it is empty. */
    boolean covers(ColumnKind kind) {
      return switch (kind) {
        case DATE, LOCAL_TIME, INSTANT -> until != null;
        case INTEGER -> numbers == Numbers.SAFE;
        case ROWVERSION -> true;
      };
    }
  }

  /** Asks, waits a little if need be, and decides. */
  Bound bound(RunStart start);

  /** Why late commits cannot be looked for; empty if they can, as far as is known now. */
  Optional<String> obstacle();

  /** The guard of one reader. */
  static LateCommitGuard of(ReaderParts parts, LakexpressDb db, SourceDatabase source) {
    return switch (parts.guard().mode()) {
      case AUTO ->
          new WritersGuard(
              parts.guard(),
              parts.settings().identity().syncId(),
              db.guard(),
              source,
              parts.halt());
      case OFF -> new NoGuard();
    };
  }

  /** Takes every candidate as it is. */
  final class NoGuard implements LateCommitGuard {
    @Override
    public Bound bound(RunStart start) {
      return Bound.free(start.candidate());
    }

    @Override
    public Optional<String> obstacle() {
      return Optional.of("incremental.late.commit.guard is off");
    }
  }
}
