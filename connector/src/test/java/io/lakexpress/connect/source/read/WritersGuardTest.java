package io.lakexpress.connect.source.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.read.OpenTransaction.Work;
import io.lakexpress.watermark.ColumnKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How the guard asks and waits. */
class WritersGuardTest {
  private static final Instant NOON = Instant.parse("2026-12-01T12:00:00Z");
  private static final Activity.Seen NOBODY = new Activity.Seen("memory", List.of());
  private static final Activity.Seen SOMEBODY =
      new Activity.Seen(
          "memory",
          List.of(new OpenTransaction(Set.of("3/1"), null, Work.WRITTEN, "pid 7 (user app)")));
  private static final RunStart START =
      new RunStart(NOON, Duration.ZERO, Set.of(ColumnKind.INSTANT));

  private final MemoryDb db = new MemoryDb();
  private final MemorySource source = new MemorySource();
  private final Halt halt = new Halt();

  private WritersGuard guard(Duration longestWait) {
    return new WritersGuard(
        GuardRule.auto(longestWait, Duration.ofMinutes(15)), "shop", db.guard(), source, halt);
  }

  private void refuse(SourceException.Kind kind) {
    source.refuseActivity(new SourceException("Cannot read the open transactions", null, kind));
  }

  @Test
  void transactionsThatEndInTimeHoldNothingBack() {
    source.activity(SOMEBODY, SOMEBODY, NOBODY);

    assertThat(guard(Duration.ofMinutes(1)).bound(START))
        .isEqualTo(LateCommitGuard.Bound.free(NOON));
    assertThat(db.guard().samples("shop"))
        .as("the sample, which later runs may end at")
        .singleElement()
        .satisfies(sample -> assertThat(sample.open()).containsOnlyKeys("3/1"));
  }

  @Test
  void laterRunsEndAtTheSampleOfAnEarlierOne() {
    source.activity(NOBODY);
    guard(Duration.ZERO).bound(START);
    source.activity(SOMEBODY);
    source.clock(NOON.plusSeconds(90).toString());

    LateCommitGuard.Bound bound =
        guard(Duration.ZERO)
            .bound(new RunStart(NOON.plusSeconds(90), Duration.ZERO, Set.of(ColumnKind.INSTANT)));

    assertThat(bound.until()).isEqualTo(NOON);
    assertThat(bound.heldBack()).isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void syncsWithoutWatermarksAskNothing() {
    refuse(SourceException.Kind.PASSING);

    assertThat(guard(Duration.ZERO).bound(new RunStart(NOON, Duration.ZERO, Set.of())).until())
        .isEqualTo(NOON);
  }

  /** A database that hides its transactions is read all the same, and the run says so. */
  @Test
  void whereTheListIsRefusedTheLagIsLeft() {
    refuse(SourceException.Kind.LASTING);

    LateCommitGuard.Bound bound = guard(Duration.ZERO).bound(START);

    assertThat(bound.until()).isEqualTo(NOON);
    assertThat(bound.note())
        .isEqualTo(
            "Cannot read the open transactions: only the safety lag of 0 s protects against late"
                + " commits");
    assertThat(guard(Duration.ZERO).obstacle()).contains("Cannot read the open transactions");
  }

  /** What may pass is tried again by the caller: nothing is known, so no run is opened. */
  @Test
  void whereTheDatabaseDoesNotAnswerNoRunIsBounded() {
    refuse(SourceException.Kind.PASSING);

    assertThatThrownBy(() -> guard(Duration.ZERO).bound(START)).isInstanceOf(SourceException.class);
    assertThat(guard(Duration.ZERO).obstacle()).isEmpty();
  }

  @Test
  void aStandbyThatAppearsWhileWaitingEndsTheWait() {
    source.activity(SOMEBODY, new Activity.Hidden("the server is a standby", null));

    assertThat(guard(Duration.ofMinutes(1)).bound(START).note())
        .startsWith("the server is a standby: only the safety lag");
  }

  @Test
  void aTaskThatStopsDoesNotWait() {
    source.activity(SOMEBODY);
    halt.request();

    assertThatThrownBy(() -> guard(Duration.ofMinutes(10)).bound(START))
        .isInstanceOf(Halt.Halted.class);
  }
}
