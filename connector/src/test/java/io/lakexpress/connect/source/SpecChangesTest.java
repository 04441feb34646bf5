package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.ConfigReader;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;

/** A spec that changed must not miss or double the rows at its watermark in silence. */
class SpecChangesTest {
  private static final Instant RUN_START = Instant.parse("2026-12-01T12:00:00Z");

  private final FakeLakexpressDb lakexpressDb = new FakeLakexpressDb();
  private final FakeSourceDatabase source =
      new FakeSourceDatabase()
          .table("sales.t", "id bigint", "day date", "at timestamp", "changed timestamptz");

  private Map<String, List<String>> problems(String spec, String... keysAndValues) {
    Map<String, String> properties = new HashMap<>();
    properties.put("sync.id", "shop");
    properties.put("lxdb.url", "jdbc:postgresql://localhost/lakexpress");
    properties.put("source.url", "jdbc:postgresql://localhost/shop");
    properties.put("incremental.tables", spec);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    ConfigReader config = new ConfigReader(SourceConfig.definition(), properties);
    SourceConfig values = SourceConfig.read(config);
    List<TrackedTable> tracked =
        new SourceValidation(config, values, source, () -> false, warning -> {}).run();
    new SpecChanges("shop", lakexpressDb).check(config, tracked, values.reading().zones());
    Map<String, List<String>> problems = new HashMap<>();
    for (ConfigValue value : config.validated().configValues()) {
      if (!value.errorMessages().isEmpty()) {
        problems.put(value.name(), value.errorMessages());
      }
    }
    return problems;
  }

  /** The table was last read under this spec up to this watermark. */
  private void known(String spec, String column, String type, String watermark) {
    lakexpressDb.planned("sales.t", spec).watermark("sales.t", column, type, watermark);
  }

  @Test
  void theSameSpecUnderAnotherStrategyStartOrAliasGoesOn() {
    known("sales.t:changed:timestamp:i!append", "changed", "timestamp", "2026-12-01T10:00:00Z");

    assertThat(problems("sales.t:CHANGED:datetime@2020-01-01!upsert")).isEmpty();
  }

  @Test
  void aTableWithoutWatermarkMayChangeFreely() {
    lakexpressDb.planned("sales.t", "sales.t:day:date:i!append");

    assertThat(problems("sales.t:changed:timestamp:e")).isEmpty();
  }

  @Test
  void anotherColumnIsRefusedWithTheWayToStartAnew() {
    known("sales.t:changed:timestamp:i!append", "changed", "timestamp", "2026-12-01T10:00:00Z");

    assertThat(problems("sales.t:day:date"))
        .isEqualTo(
            Map.of(
                "incremental.tables",
                List.of(
                    "Cannot track table sales.t by column day as date: its watermark"
                        + " 2026-12-01T10:00:00Z is of column changed; to start the table anew,"
                        + " stop the connector under its present configuration, set the table's"
                        + " offset to null and change the spec then")));
  }

  @Test
  void anotherTypeOfTheSameColumnIsRefused() {
    known("sales.t:at:timestamp:i!append", "at", "timestamp", "2026-12-01T10:00:00Z");

    assertThat(problems("sales.t:at:timestamp").get("incremental.tables"))
        .singleElement()
        .asString()
        .contains("its watermark 2026-12-01T10:00:00Z is of another type, timestamp;")
        .contains("set the table's offset to null");
  }

  @Test
  void rowsAtTheWatermarkAreNotDoubledByAnotherDirection() {
    known("sales.t:day:date:i!append", "day", "date", "2026-12-31");

    assertThat(problems("sales.t:day:date:e").get("incremental.tables"))
        .containsExactly(
            "Cannot change the direction of table sales.t from i to e: the rows at its watermark"
                + " 2026-12-31 would be read twice; stop the connector under its present"
                + " configuration, set the table's last_exported_value to the value just above it,"
                + " 2027-01-01 as it stands, and change the spec then");
  }

  @Test
  void rowsAtTheWatermarkAreNotMissedByAnotherDirection() {
    known("sales.t:id:integer:e!append", "id", "integer", "4711");

    assertThat(problems("sales.t:id:integer:i").get("incremental.tables"))
        .singleElement()
        .asString()
        .contains("from e to i: the rows at its watermark 4711 would never be read")
        .contains("to the value just below it, 4710 as it stands,");
  }

  @Test
  void theNeighbourIsOneTickOfTheColumn() {
    known("sales.t:at:timestamp:i!append", "at", "timestamp", "2026-12-01T10:00:59");

    // The columns of this database keep whole seconds.
    assertThat(problems("sales.t:at:timestamp:e").get("incremental.tables"))
        .singleElement()
        .asString()
        .contains("just above it, 2026-12-01T10:01:00 as it stands");
  }

  @Test
  void aWatermarkSetByHandMayBeReadInAnotherDirection() {
    known("sales.t:day:date:i!append", "day", "date", "2027-01-01");
    lakexpressDb.lastMove("sales.t", WatermarkCause.OFFSETS_API);

    assertThat(problems("sales.t:day:date:e")).isEmpty();
    lakexpressDb.lastMove("sales.t", WatermarkCause.RUN);
    assertThat(problems("sales.t:day:date:e")).containsOnlyKeys("incremental.tables");
  }

  private void lastRun(String spec, String lower, String upper) {
    lakexpressDb.run(
        new Run(
            "r-1",
            "shop",
            1,
            "interval",
            RUN_START,
            RUN_START,
            RUN_START,
            null,
            Status.LANDED,
            RUN_START,
            null),
        new Job(
            "j-1",
            "r-1",
            1,
            RUN_START,
            "shop",
            TableId.parse("sales.t"),
            Slice.WHOLE,
            JobMode.INCREMENTAL,
            spec,
            lower,
            upper,
            1,
            null,
            Status.LANDED,
            0,
            0,
            null,
            null,
            RUN_START.plus(Duration.ofSeconds(1))));
  }

  @Test
  void aZoneThatPutsTheWatermarkIntoTheFutureIsRefused() {
    // Made in Europe/Berlin at 12:00 UTC.
    String spec = "sales.t:at:timestamp:e!append";
    known(spec, "at", "timestamp", "2026-12-01T13:00:00");
    lastRun(spec, "2026-12-01T12:00:00", "2026-12-01T13:00:00");

    assertThat(problems(spec, "source.time.zone", "UTC"))
        .isEqualTo(
            Map.of(
                "source.time.zone",
                List.of(
                    "Cannot read column at of table sales.t in zone UTC: its watermark"
                        + " 2026-12-01T13:00:00 was made in another zone and is"
                        + " 2026-12-01T12:00:00 in this one, so rows stamped in between would never"
                        + " be read; stop the connector under its present configuration, set the"
                        + " table's last_exported_value to 2026-12-01T12:00:00 and change the zone"
                        + " then")));
    assertThat(problems(spec, "source.time.zone.overrides", "sales.t:America/New_York"))
        .containsOnlyKeys("source.time.zone.overrides");
    assertThat(problems(spec, "source.time.zone", "Europe/Berlin")).isEmpty();
    assertThat(problems(spec, "source.time.zone", "Asia/Tokyo")).isEmpty();
    lakexpressDb.lastMove("sales.t", WatermarkCause.OFFSETS_API);
    assertThat(problems(spec, "source.time.zone", "UTC")).isEmpty();
  }

  @Test
  void daysThatWereStillToComeInTheNewZoneAreNotMissed() {
    // At 12:00 UTC it is the next day already in Auckland.
    String spec = "sales.t:day:date:e!append";
    known(spec, "day", "date", "2026-12-02");
    lastRun(spec, "2026-12-01", "2026-12-02");

    assertThat(problems(spec, "source.time.zone", "UTC")).containsOnlyKeys("source.time.zone");
    assertThat(problems(spec, "source.time.zone", "Pacific/Auckland")).isEmpty();
  }

  @Test
  void aBoundThatWasLiftedToTheWatermarkProvesNoZone() {
    String spec = "sales.t:at:timestamp:e!append";
    known(spec, "at", "timestamp", "2026-12-01T13:00:00");
    lastRun(spec, "2026-12-01T13:00:00", "2026-12-01T13:00:00");

    assertThat(problems(spec, "source.time.zone", "UTC")).isEmpty();
  }
}
