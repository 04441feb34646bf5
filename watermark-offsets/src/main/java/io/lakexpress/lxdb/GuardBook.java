package io.lakexpress.lxdb;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the guard against late commits saw at earlier runs, kept for whichever task opens the next
 * one. Thread-safe.
 */
public interface GuardBook {
  /**
   * Which transactions were open in the source database a moment after its clock was read.
   *
   * @param place which database of which server, since its last start; samples of another place
   *     tell nothing
   * @param clock the source database's clock
   * @param open the names of those transactions, each with the clock of the first sample that saw
   *     it
   */
  record Sample(String place, Instant clock, Map<String, Instant> open) {
    public Sample {
      Objects.requireNonNull(place, "place");
      Objects.requireNonNull(clock, "clock");
      open = Map.copyOf(open);
    }
  }

  /** All samples of a sync, newest first. */
  List<Sample> samples(String syncId);

  /** Keeps these samples of a sync, with different clocks, and no others. */
  void replace(String syncId, List<Sample> samples);
}
