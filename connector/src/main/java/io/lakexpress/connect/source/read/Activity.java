package io.lakexpress.connect.source.read;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What a source database tells about the transactions that are open in it. */
public sealed interface Activity {
  /**
   * All transactions that are open: every one that began before the question, can write into the
   * tables of this database, and has not ended.
   *
   * @param place which database of which server, since its last start: names of transactions mean
   *     something only there
   */
  record Seen(String place, List<OpenTransaction> open) implements Activity {
    public Seen {
      Objects.requireNonNull(place, "place");
      open = List.copyOf(open);
    }
  }

  /**
   * Writers cannot be seen from here.
   *
   * @param reason why, in one line: "this is a standby"
   * @param completeUpTo everything that was committed until then can be read; null if nothing that
   *     is committed is missing, as far as can be known
   */
  record Hidden(String reason, Instant completeUpTo) implements Activity {
    public Hidden {
      Objects.requireNonNull(reason, "reason");
    }

    Optional<Instant> complete() {
      return Optional.ofNullable(completeUpTo);
    }
  }
}
