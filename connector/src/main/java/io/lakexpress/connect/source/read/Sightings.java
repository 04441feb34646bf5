package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.OpenTransaction.Work;
import io.lakexpress.lxdb.GuardBook.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What samples prove about when transactions began. A transaction that is open now and was not open
 * when a sample was taken began after the sample's clock.
 *
 * @param samples newest first; the first one is of this run
 */
record Sightings(List<Sample> samples) {
  private static final int KEPT = 20;

  Sightings {
    samples = List.copyOf(samples);
  }

  /** Adds what was seen after the clock was read to what earlier runs saw. */
  static Sightings of(List<Sample> earlier, Instant clock, Activity.Seen seen) {
    List<Sample> samples = new ArrayList<>();
    for (Sample sample : earlier) {
      // A clock that was set back tells nothing about what came before.
      if (sample.place().equals(seen.place()) && sample.clock().isBefore(clock)) {
        samples.add(sample);
      }
    }
    Map<String, Instant> before = samples.isEmpty() ? Map.of() : samples.get(0).open();
    Map<String, Instant> open = new HashMap<>();
    for (OpenTransaction transaction : seen.open()) {
      Instant first =
          transaction.names().stream()
              .map(before::get)
              .filter(Objects::nonNull)
              .min(Instant::compareTo)
              .orElse(clock);
      transaction.names().forEach(name -> open.put(name, first));
    }
    samples.add(0, new Sample(seen.place(), clock, open));
    return new Sightings(samples);
  }

  /** The clock of this run. */
  Instant clock() {
    return samples.get(0).clock();
  }

  /** An instant that the transaction did not begin before; {@link Instant#MIN} if none is known. */
  Instant beganFrom(OpenTransaction transaction) {
    return transaction
        .beginning()
        .orElseGet(
            () ->
                samples.stream()
                    .filter(sample -> !mayHold(sample, transaction))
                    .map(Sample::clock)
                    .findFirst()
                    .orElse(Instant.MIN));
  }

  private static boolean mayHold(Sample sample, OpenTransaction transaction) {
    if (transaction.work() == Work.DETACHED) {
      return !sample.open().isEmpty();
    }
    return transaction.names().stream().anyMatch(sample.open()::containsKey);
  }

  /** How long the transaction is known to be open. */
  Duration age(OpenTransaction transaction) {
    Instant from =
        transaction
            .beginning()
            .orElseGet(
                () ->
                    transaction.names().stream()
                        .map(samples.get(0).open()::get)
                        .filter(Objects::nonNull)
                        .min(Instant::compareTo)
                        .orElse(clock()));
    return from.isBefore(clock()) ? Duration.between(from, clock()) : Duration.ZERO;
  }

  /** Whether runs have to end before the transaction began. */
  boolean holds(OpenTransaction transaction, Duration readerHold) {
    return switch (transaction.work()) {
      case WRITTEN, DETACHED -> true;
      case READ -> age(transaction).compareTo(readerHold) < 0;
      case OURS -> false;
    };
  }

  /**
   * The samples that later runs can still make use of: down to the newest that holds none of the
   * transactions, and few.
   */
  List<Sample> worthKeeping(List<OpenTransaction> holders) {
    List<Sample> kept = new ArrayList<>();
    for (Sample sample : samples) {
      kept.add(sample);
      if (holders.stream().noneMatch(holder -> mayHold(sample, holder))) {
        break;
      }
    }
    if (kept.size() > KEPT) {
      kept.subList(KEPT - 1, kept.size() - 1).clear();
    }
    return kept;
  }
}
