package io.lakexpress.lxdb;

import static io.lakexpress.lxdb.TestBooks.newSync;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.GuardBook.Sample;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What every {@link GuardBook} does. */
public abstract class GuardBookContract extends DbContract {
  private static final Instant EARLIER = Instant.parse("2026-12-01T03:30:00.123456Z");
  private static final Instant LATER = Instant.parse("2026-12-01T03:40:00.654321Z");

  protected GuardBookContract(Supplier<LakexpressDb> databases) {
    super(databases);
  }

  @Test
  void samplesComeBackAsTheyWereNewestFirst() {
    Sample earlier = new Sample("5@1764559800.5", EARLIER, Map.of());
    Sample later = new Sample("5@1764559800.5", LATER, Map.of("3/45", EARLIER, "771", LATER));

    db.guard().replace(sync, List.of(earlier, later));

    assertThat(db.guard().samples(sync)).containsExactly(later, earlier);
  }

  @Test
  void onlyTheSamplesKeptLastAreThere() {
    db.guard().replace(sync, List.of(new Sample("5@1", EARLIER, Map.of("3/45", EARLIER))));
    db.guard().replace(sync, List.of(new Sample("5@1", LATER, Map.of())));

    assertThat(db.guard().samples(sync)).extracting(Sample::clock).containsExactly(LATER);
  }

  @Test
  void samplesBelongToTheirSync() {
    db.guard().replace(sync, List.of(new Sample("5@1", EARLIER, Map.of())));

    assertThat(db.guard().samples(newSync())).isEmpty();
  }

  @Test
  void noSamplesAreKeptOnceThereAreNone() {
    db.guard().replace(sync, List.of(new Sample("5@1", EARLIER, Map.of())));
    db.guard().replace(sync, List.of());

    assertThat(db.guard().samples(sync)).isEmpty();
  }
}
