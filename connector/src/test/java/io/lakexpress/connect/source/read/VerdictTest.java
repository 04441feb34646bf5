package io.lakexpress.connect.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.LateCommitGuard.Numbers;
import io.lakexpress.connect.source.read.OpenTransaction.Work;
import io.lakexpress.lxdb.GuardBook.Sample;
import io.lakexpress.watermark.ColumnKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What follows from one look; times are seconds after noon, the run starts at 1000. */
class VerdictTest {
  private static final Instant NOON = Instant.parse("2026-12-01T12:00:00Z");
  private static final String PLACE = "5@1764590400";
  private static final GuardRule RULE =
      GuardRule.auto(Duration.ofSeconds(5), Duration.ofMinutes(15));

  private static Instant at(long second) {
    return NOON.plusSeconds(second);
  }

  private static RunStart times(long lag) {
    return new RunStart(at(1000), Duration.ofSeconds(lag), Set.of(ColumnKind.INSTANT));
  }

  private static RunStart numbers() {
    return new RunStart(
        at(1000), Duration.ofSeconds(60), Set.of(ColumnKind.INSTANT, ColumnKind.INTEGER));
  }

  /** A sample in which every transaction was seen for the first time. */
  private static Sample sample(long second, String... open) {
    Map<String, Instant> names = new LinkedHashMap<>();
    Arrays.stream(open).forEach(name -> names.put(name, at(second)));
    return new Sample(PLACE, at(second), names);
  }

  private static OpenTransaction open(Work work, String... names) {
    return new OpenTransaction(Set.of(names), null, work, "pid 7 (user app)");
  }

  private static OpenTransaction began(long second, Work work, String name) {
    return new OpenTransaction(Set.of(name), at(second), work, "pid 8 (user app)");
  }

  private static Activity.Seen seen(OpenTransaction... open) {
    return new Activity.Seen(PLACE, List.of(open));
  }

  private static Verdict verdict(RunStart start, List<Sample> earlier, Activity.Seen seen) {
    return Verdict.of(start, Sightings.of(earlier, at(1000), seen), seen, RULE);
  }

  @Test
  void nobodyOpenLeavesTheRunAsItIs() {
    Verdict verdict = verdict(times(0), List.of(), seen());

    assertThat(verdict.isFinal()).isTrue();
    assertThat(verdict.bound()).isEqualTo(LateCommitGuard.Bound.free(at(1000)));
  }

  @Test
  void aRunEndsAtTheNewestSampleWithoutTheTransaction() {
    Verdict verdict =
        verdict(
            times(0),
            List.of(sample(900, "3/1"), sample(800), sample(700)),
            seen(open(Work.WRITTEN, "3/1")));

    assertThat(verdict.isFinal()).isFalse();
    assertThat(verdict.bound().until()).isEqualTo(at(800));
    assertThat(verdict.bound().heldBack()).isEqualTo(Duration.ofSeconds(200));
    assertThat(verdict.bound().note())
        .isEqualTo("held back 3 min by pid 7 (user app), seen for 100 s");
  }

  @Test
  void aRunEndsAtTheBeginningThatTheDatabaseShows() {
    Verdict verdict =
        verdict(times(0), List.of(sample(800)), seen(began(990, Work.WRITTEN, "3/1")));

    assertThat(verdict.bound().until()).isEqualTo(at(990));
    assertThat(verdict.bound().note())
        .isEqualTo("held back 10 s by pid 8 (user app), open for 10 s");
  }

  @Test
  void theOldestOfAllTransactionsCounts() {
    Verdict verdict =
        verdict(
            times(0),
            List.of(sample(900, "3/1"), sample(800, "3/1"), sample(700)),
            seen(
                began(950, Work.WRITTEN, "4/1"),
                open(Work.WRITTEN, "3/1"),
                open(Work.READ, "5/1")));

    assertThat(verdict.bound().until()).isEqualTo(at(700));
    assertThat(verdict.bound().note()).endsWith("by pid 7 (user app), seen for 100 s, and 2 more");
  }

  @Test
  void withoutAnySafeSampleNoInstantIsKnown() {
    Verdict verdict = verdict(times(0), List.of(), seen(open(Work.WRITTEN, "3/1")));

    assertThat(verdict.bound().until()).isNull();
    assertThat(verdict.bound().covers(ColumnKind.INSTANT)).isFalse();
    assertThat(verdict.bound().covers(ColumnKind.ROWVERSION)).isTrue();
    assertThat(verdict.bound().note())
        .isEqualTo("held back to the last watermark by pid 7 (user app), first seen by this run");
  }

  @Test
  void theLagIsEnoughForTransactionsYoungerThanIt() {
    Verdict verdict = verdict(times(60), List.of(sample(950)), seen(open(Work.WRITTEN, "3/1")));

    assertThat(verdict.isFinal()).isTrue();
    assertThat(verdict.bound()).isEqualTo(LateCommitGuard.Bound.free(at(940)));
  }

  @Test
  void noLagIsEnoughForNumbers() {
    Verdict verdict = verdict(numbers(), List.of(sample(950)), seen(open(Work.WRITTEN, "3/1")));

    assertThat(verdict.isFinal()).isFalse();
    assertThat(verdict.bound().until()).isEqualTo(at(940));
    assertThat(verdict.bound().numbers()).isEqualTo(Numbers.UNSAFE);
    assertThat(verdict.bound().note()).startsWith("integer columns held back by pid 7");
  }

  @Test
  void whoBeganAfterTheClockWasReadTakesLargerNumbers() {
    Activity.Seen first = seen(open(Work.WRITTEN, "3/1"));
    Activity.Seen later = seen(open(Work.WRITTEN, "3/2"), began(1001, Work.WRITTEN, "4/1"));

    Verdict verdict = Verdict.of(numbers(), Sightings.of(List.of(), at(1000), first), later, RULE);

    assertThat(verdict.isFinal()).isTrue();
    assertThat(verdict.bound().numbers()).isEqualTo(Numbers.SAFE);
    assertThat(verdict.bound().heldBack()).isZero();
  }

  @Test
  void aReaderCountsUntilItsTimeIsOver() {
    Sample first = new Sample(PLACE, at(500), Map.of("3/1", at(101)));
    Sample earlier = new Sample(PLACE, at(500), Map.of("3/1", at(100)));
    Activity.Seen reader = seen(open(Work.READ, "3/1"));

    assertThat(verdict(times(0), List.of(first), reader).bound().until()).isNull();
    assertThat(verdict(times(0), List.of(earlier), reader).bound().until()).isEqualTo(at(1000));
    assertThat(verdict(times(0), List.of(), seen(began(100, Work.READ, "3/1"))).bound().until())
        .isEqualTo(at(1000));
    assertThat(verdict(times(0), List.of(), seen(began(100, Work.WRITTEN, "3/1"))).bound().until())
        .isEqualTo(at(100));
  }

  @Test
  void ourOwnReadersDoNotCountUntilTheyWrite() {
    List<Sample> earlier = List.of(sample(900, "3/1"), sample(800));

    assertThat(verdict(times(0), earlier, seen(open(Work.OURS, "3/1"))).bound().until())
        .isEqualTo(at(1000));
    assertThat(verdict(times(0), earlier, seen(open(Work.WRITTEN, "3/1", "77"))).bound().until())
        .isEqualTo(at(800));
  }

  /** A prepared transaction that lost its session's name may be any that was open before. */
  @Test
  void aTransactionWithoutItsOldNamesBeganAfterASampleOfNone() {
    List<Sample> earlier = List.of(sample(900, "3/1"), sample(800));

    assertThat(verdict(times(0), earlier, seen(open(Work.DETACHED, "77"))).bound().until())
        .isEqualTo(at(800));
  }

  @Test
  void aNameThatWasSeenIsEnough() {
    assertThat(
            verdict(
                    times(0),
                    List.of(sample(900, "77"), sample(800)),
                    seen(open(Work.WRITTEN, "3/1", "77")))
                .bound()
                .until())
        .isEqualTo(at(800));
  }

  @Test
  void samplesOfAnotherServerOrOfAClockSetBackProveNothing() {
    Sample elsewhere = new Sample("5@1", at(900), Map.of());
    Sample future = new Sample(PLACE, at(1001), Map.of());

    assertThat(
            verdict(times(0), List.of(future, elsewhere), seen(open(Work.WRITTEN, "3/1")))
                .bound()
                .until())
        .isNull();
  }

  @Test
  void waitingForATransactionKnownToBeLongGainsTooLittle() {
    assertThat(verdict(times(0), List.of(), seen(began(994, Work.WRITTEN, "3/1"))).isFinal())
        .isTrue();
    assertThat(verdict(times(0), List.of(), seen(began(996, Work.WRITTEN, "3/1"))).isFinal())
        .isFalse();
    assertThat(verdict(numbers(), List.of(), seen(began(900, Work.WRITTEN, "3/1"))).isFinal())
        .isFalse();
  }

  @Test
  void samplesOlderThanTheNewestSafeOneAreDropped() {
    Activity.Seen seen = seen(open(Work.WRITTEN, "3/1"));
    Sightings sightings =
        Sightings.of(List.of(sample(900, "3/1"), sample(800), sample(700)), at(1000), seen);

    assertThat(sightings.worthKeeping(seen.open()))
        .extracting(Sample::clock)
        .containsExactly(at(1000), at(900), at(800));
    assertThat(sightings.worthKeeping(List.of()))
        .extracting(Sample::clock)
        .containsExactly(at(1000));
  }

  @Test
  void fewSamplesAreKeptAndTheSafeOneIsAmongThem() {
    Activity.Seen seen = seen(open(Work.WRITTEN, "3/1"));
    List<Sample> earlier =
        IntStream.range(0, 100)
            .mapToObj(i -> i == 99 ? sample(800) : sample(999 - i, "3/1"))
            .toList();

    List<Sample> kept = Sightings.of(earlier, at(1000), seen).worthKeeping(seen.open());

    assertThat(kept).hasSize(20);
    assertThat(kept.get(0).clock()).isEqualTo(at(1000));
    assertThat(kept.get(19).clock()).isEqualTo(at(800));
  }

  @Test
  void onAStandbyOnlyTheLagIsLeft() {
    LateCommitGuard.Bound bound =
        Verdict.unguarded(times(60), new Activity.Hidden("the server is a standby", null));

    assertThat(bound.until()).isEqualTo(at(940));
    assertThat(bound.note())
        .isEqualTo(
            "the server is a standby: only the safety lag of 60 s protects against late commits");
    assertThat(
            Verdict.unguarded(numbers(), new Activity.Hidden("the server is a standby", null))
                .note())
        .endsWith(" protects against late commits, and nothing protects integer columns");
  }

  @Test
  void onAStandbyThatIsBehindARunEndsBeforeWhatIsMissing() {
    LateCommitGuard.Bound bound =
        Verdict.unguarded(times(60), new Activity.Hidden("the server is a standby", at(970)));

    assertThat(bound.until()).isEqualTo(at(910));
    assertThat(bound.heldBack()).isEqualTo(Duration.ofSeconds(30));
    assertThat(bound.note())
        .endsWith("late commits, and what was committed in the last 30 s cannot be read yet");
  }

  @Test
  void notesAreShort() {
    OpenTransaction loud =
        new OpenTransaction(Set.of("3/1"), null, Work.WRITTEN, "pid 7 (" + "x".repeat(900) + ")");

    assertThat(verdict(times(0), List.of(), seen(loud)).bound().note()).hasSize(300).endsWith("…");
  }
}
