package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.UpperBound;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * A run about to be opened.
 *
 * @param at the source database's clock; the largest numbers were read after it
 * @param kinds of the watermark columns of its tables
 */
record RunStart(Instant at, Duration safetyLag, Set<ColumnKind> kinds) {
  RunStart {
    kinds = Set.copyOf(kinds);
  }

  /** Where the run ends if nobody holds it back. */
  Instant candidate() {
    return UpperBound.instant(at, safetyLag);
  }

  boolean hasNumbers() {
    return kinds.contains(ColumnKind.INTEGER);
  }
}
