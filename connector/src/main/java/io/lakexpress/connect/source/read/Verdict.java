package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.LateCommitGuard.Bound;
import io.lakexpress.connect.source.read.LateCommitGuard.Numbers;
import io.lakexpress.watermark.UpperBound;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What the guard concludes from one look at the open transactions.
 *
 * @param isFinal whether waiting for transactions to end would gain nothing, or too little
 * @param holders the transactions that count
 */
record Verdict(Bound bound, boolean isFinal, List<OpenTransaction> holders) {
  private static final int LONGEST_NOTE = 300;

  Verdict {
    holders = List.copyOf(holders);
  }

  static Verdict of(RunStart start, Sightings sightings, Activity.Seen seen, GuardRule rule) {
    List<OpenTransaction> holders =
        seen.open().stream().filter(one -> sightings.holds(one, rule.readerHold())).toList();
    Instant candidate = start.candidate();
    Instant oldest =
        holders.stream().map(sightings::beganFrom).min(Comparator.naturalOrder()).orElse(candidate);
    boolean unsafeNumbers = start.hasNumbers() && oldest.isBefore(sightings.clock());
    Instant end = unsafeNumbers ? sightings.clock() : candidate;
    List<OpenTransaction> late =
        holders.stream().filter(one -> sightings.beganFrom(one).isBefore(end)).toList();
    if (late.isEmpty()) {
      return new Verdict(Bound.free(candidate), true, holders);
    }
    Instant until = oldest.isBefore(candidate) ? oldest : candidate;
    OpenTransaction first = late.stream().max(Comparator.comparing(sightings::age)).orElseThrow();
    Duration heldBack =
        until.equals(Instant.MIN) || until.equals(candidate)
            ? sightings.age(first)
            : Duration.between(until, candidate);
    Bound bound =
        new Bound(
            until.equals(Instant.MIN) ? null : until,
            unsafeNumbers ? Numbers.UNSAFE : Numbers.SAFE,
            heldBack,
            cut(extent(until, candidate) + " by " + names(first, sightings, late.size() - 1)));
    boolean isLong =
        !start.hasNumbers()
            && late.stream().allMatch(one -> one.beginning().isPresent())
            && sightings.age(first).compareTo(rule.longestWait()) > 0;
    return new Verdict(bound, isLong, holders);
  }

  /** Where writers cannot be seen, the lag has to do. */
  static Bound unguarded(RunStart start, Activity.Hidden hidden) {
    Instant candidate = start.candidate();
    Instant complete =
        hidden
            .complete()
            .map(instant -> UpperBound.instant(instant, start.safetyLag()))
            .filter(instant -> instant.isBefore(candidate))
            .orElse(candidate);
    Duration behind = Duration.between(complete, candidate);
    String note =
        hidden.reason()
            + ": only the safety lag of "
            + text(start.safetyLag())
            + " protects against late commits"
            + (start.hasNumbers() ? ", and nothing protects integer columns" : "")
            + (behind.isZero()
                ? ""
                : ", and what was committed in the last " + text(behind) + " cannot be read yet");
    return new Bound(complete, Numbers.SAFE, behind, cut(note));
  }

  private static String extent(Instant until, Instant candidate) {
    if (until.equals(Instant.MIN)) {
      return "held back to the last watermark";
    }
    return until.equals(candidate)
        ? "integer columns held back"
        : "held back " + text(Duration.between(until, candidate));
  }

  private static String names(OpenTransaction first, Sightings sightings, int others) {
    Duration age = sightings.age(first);
    String open =
        first.beginning().isPresent()
            ? "open for " + text(age)
            : age.isZero() ? "first seen by this run" : "seen for " + text(age);
    return first.who() + ", " + open + (others == 0 ? "" : ", and " + others + " more");
  }

  /** A time span in its largest unit that leaves two digits or more. */
  static String text(Duration span) {
    if (span.compareTo(Duration.ofMinutes(2)) < 0) {
      return span.toSeconds() + " s";
    }
    return span.compareTo(Duration.ofHours(2)) < 0
        ? span.toMinutes() + " min"
        : span.toHours() + " h";
  }

  private static String cut(String note) {
    return note.length() <= LONGEST_NOTE ? note : note.substring(0, LONGEST_NOTE - 1) + "…";
  }
}
