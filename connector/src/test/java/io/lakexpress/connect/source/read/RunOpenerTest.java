package io.lakexpress.connect.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.connect.source.read.ReaderSettings.ErrorAction;
import io.lakexpress.connect.source.read.ReaderSettings.NullPolicy;
import io.lakexpress.connect.source.read.ReaderSettings.RecordKey;
import io.lakexpress.connect.source.read.ReaderSettings.SyncMode;
import io.lakexpress.lxdb.NewRun;
import io.lakexpress.lxdb.Run;
import io.lakexpress.watermark.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunOpenerTest {
  private static final String SYNC = "shop";

  private final MemoryDb db = new MemoryDb();
  private final MemorySource source = new MemorySource();

  @BeforeEach
  void oneTable() {
    source.with("shop.orders");
  }

  @Test
  void opensTheNextRun() {
    Run first = opener(new LateCommitGuard.NoGuard()).open("start");

    assertThat(first.number()).isEqualTo(1);
    assertThat(first.isOpen()).isTrue();
    assertThat(db.runs().jobs(first.runId())).hasSize(1);
  }

  @Test
  void joinsTheRunThatIsOpen() {
    Run first = opener(new LateCommitGuard.NoGuard()).open("start");

    assertThat(opener(new LateCommitGuard.NoGuard()).open("schedule")).isEqualTo(first);
  }

  @Test
  void doesNotRepeatTheRunThatAnotherTaskOpenedAndClosedWhileTheGuardLooked() {
    Run joined = opener(new OvertakenGuard()).open("schedule");

    assertThat(joined.number()).isEqualTo(1);
    assertThat(joined.isOpen()).isFalse();
    assertThat(db.runs().latestRun(SYNC)).contains(joined);
  }

  /** While it looks, another task's run comes and goes: one without jobs is closed at once. */
  private final class OvertakenGuard implements LateCommitGuard {
    @Override
    public Bound bound(RunStart start) {
      Instant until = start.candidate();
      db.runs().open(new NewRun(SYNC, "schedule", until, until, "", List.of()));
      return Bound.free(until);
    }

    @Override
    public Optional<String> obstacle() {
      return Optional.empty();
    }
  }

  private RunOpener opener(LateCommitGuard guard) {
    TableOffsets offsets = new TableOffsets(partition -> null, SYNC);
    return new RunOpener(settings(), db, source, offsets, guard);
  }

  private static ReaderSettings settings() {
    Duration moment = Duration.ofMillis(20);
    return new ReaderSettings(
        new ReaderSettings.Identity(SYNC, "shop-source", 0, 2, Delivery.EXACTLY_ONCE),
        new ReaderSettings.Runs(
            SyncMode.CONTINUOUS,
            Schedule.every(Duration.ofMinutes(1)),
            Duration.ZERO,
            new ZoneRule(ZoneOffset.UTC, Map.of()),
            NullPolicy.SKIP,
            ErrorAction.CONTINUE,
            Duration.ofDays(90)),
        new TableSelection(List.of("shop"), List.of(), List.of(), Set.of(), -1, -1),
        TableSpec.parseList("shop.orders:updated_at:timestamp"),
        new ReaderSettings.Records("", RecordKey.PRIMARY_KEY, 100, 1 << 20, 1 << 20),
        new Timing(moment, moment, moment, moment, moment, moment, moment, 5));
  }
}
