package io.lakexpress.connect.source.read;

import java.time.Instant;
import java.util.Objects;

/** Lowers the bound of a run below every writer that may still commit a row inside it. */
public interface LateCommitGuard {
  /**
   * A bound that is safe.
   *
   * @param note who held it back; empty if nobody did
   */
  record Bound(Instant instant, String note) {
    public Bound {
      Objects.requireNonNull(instant, "instant");
      Objects.requireNonNull(note, "note");
    }
  }

  /** Called on the reader's thread before a run is opened. */
  Bound bound(Instant candidate);

  /** Whether late commits are looked for at all; if not, only the safety lag helps. */
  boolean isWatching();

  /** Takes every candidate as it is. */
  static LateCommitGuard off() {
    return new LateCommitGuard() {
      @Override
      public Bound bound(Instant candidate) {
        return new Bound(candidate, "");
      }

      @Override
      public boolean isWatching() {
        return false;
      }
    };
  }
}
