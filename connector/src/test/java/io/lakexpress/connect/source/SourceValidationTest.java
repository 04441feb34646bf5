package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.ConfigReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;

class SourceValidationTest {
  private final FakeSourceDatabase database =
      new FakeSourceDatabase()
          .table("sales.orders", "id bigint", "day date", "at timestamp", "note text")
          .table("sales.items", "id bigint", "changed timestamptz")
          .table("stock.parts", "id bigint");

  private final List<String> warnings = new ArrayList<>();
  private boolean timeIsUp;

  private Map<String, List<String>> problems(String... keysAndValues) {
    Map<String, String> properties = new HashMap<>();
    properties.put("sync.id", "shop");
    properties.put("lxdb.url", "jdbc:postgresql://localhost/lakexpress");
    properties.put("source.url", "jdbc:postgresql://localhost/shop");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    ConfigReader config = new ConfigReader(SourceConfig.definition(), properties);
    SourceConfig values = SourceConfig.read(config);
    warnings.clear();
    new SourceValidation(config, values, database, () -> timeIsUp, warnings::add).run();
    Map<String, List<String>> problems = new HashMap<>();
    for (ConfigValue value : config.validated().configValues()) {
      if (!value.errorMessages().isEmpty()) {
        problems.put(value.name(), value.errorMessages());
      }
    }
    return problems;
  }

  @Test
  void configurationThatFitsHasNoProblems() {
    assertThat(
            problems(
                "incremental.tables",
                "sales.orders:day:date:e@2026-01-01, SALES.Items:Changed:datetime"))
        .isEmpty();
  }

  @Test
  void unknownNamesAreReportedWithTheNearest() {
    assertThat(
            problems(
                "source.schema.name", "sales,stok",
                "incremental.tables",
                    "sale.orders:day:date, sales.order:day:date, sales.orders:dya:date"))
        .isEqualTo(
            Map.of(
                "source.schema.name",
                List.of("Cannot find schema stok or a table in it: nearest are stock"),
                "incremental.tables",
                List.of(
                    "Cannot find schema sale of table sale.orders: nearest are sales",
                    "Cannot find table sales.order: nearest are orders",
                    "Cannot find column dya of table sales.orders: nearest are day")));
  }

  @Test
  void columnsThatCannotBeTrackedAreReportedWithTheWordThatFits() {
    assertThat(
            problems(
                "incremental.tables",
                "sales.orders:note:date, sales.items:changed:integer, stock.parts:id:datetime"))
        .isEqualTo(
            Map.of(
                "incremental.tables",
                List.of(
                    "Cannot track table sales.orders by column note of type text: expected a date,"
                        + " a timestamp or a whole number",
                    "Cannot track table sales.items by column changed of type timestamptz as"
                        + " integer: expected the word datetime",
                    "Cannot track table stock.parts by column id of type bigint as datetime:"
                        + " expected the word integer")));
  }

  @Test
  void startValueThatCannotBeReadIsReported() {
    assertThat(problems("incremental.tables", "sales.orders:day:date@yesterday"))
        .isEqualTo(
            Map.of(
                "incremental.tables",
                List.of(
                    "Cannot track table sales.orders: Invalid start value 'yesterday': expected the"
                        + " form 2026-12-01")));
  }

  @Test
  void tablesThatMayNotBeReadAreReported() {
    database.forbid("sales.orders").forbid("sales.items");

    assertThat(problems("incremental.tables", "sales.orders:day:date"))
        .isEqualTo(
            Map.of(
                "incremental.tables",
                List.of("Cannot read table sales.orders: permission denied for table orders"),
                "table.include",
                List.of("Cannot read table sales.items: permission denied for table items")));
  }

  @Test
  void incrementalTableThatTheRulesLeaveOutIsReported() {
    assertThat(
            problems(
                "table.exclude", "ord%",
                "table.max.rows", "10",
                "source.schema.name", "sales",
                "incremental.tables", "sales.orders:day:date, stock.parts:id:integer"))
        .isEqualTo(
            Map.of(
                "incremental.tables",
                List.of(
                    "Cannot track table sales.orders: table.exclude [ord%] leaves it out",
                    "Cannot track table stock.parts: source.schema.name [sales] does not name its"
                        + " schema")));
  }

  @Test
  void specsThatMeanOneTableAreReported() {
    assertThat(problems("incremental.tables", "sales.orders:day:date, SALES.ORDERS:id:integer"))
        .isEqualTo(
            Map.of(
                "incremental.tables",
                List.of(
                    "Invalid table spec 'SALES.ORDERS:id:integer:i!append': table sales.orders has"
                        + " a spec already, expected one")));
  }

  @Test
  void unsetZoneIsReportedWhereTheDatabaseIsNotInUtc() {
    database.zone("Europe/Berlin");

    assertThat(problems("incremental.tables", "sales.orders:at:timestamp"))
        .isEqualTo(
            Map.of(
                "source.time.zone",
                List.of(
                    "Missing: column at of table sales.orders holds no zone and the database's own"
                        + " zone is Europe/Berlin, expected the zone its values are in, be it"
                        + " Europe/Berlin or UTC")));
    assertThat(
            problems("incremental.tables", "sales.orders:at:timestamp", "source.time.zone", "UTC"))
        .isEmpty();
    assertThat(problems("incremental.tables", "sales.items:changed:timestamp")).isEmpty();
    database.zone("Etc/UTC");
    assertThat(problems("incremental.tables", "sales.orders:at:timestamp")).isEmpty();
  }

  @Test
  void twoTablesOnOneTopicAndOverlongTopicsAreReported() {
    database.table("sales.a$b", "id bigint").table("sales.a_b", "id bigint");

    assertThat(problems("table.include", "a%"))
        .isEqualTo(
            Map.of(
                "topic.prefix",
                List.of("Invalid topic name sales.a_b: tables sales.a$b and sales.a_b share it")));
    assertThat(problems("table.include", "parts", "topic.prefix", "p".repeat(240)))
        .extractingByKey("topic.prefix")
        .asString()
        .contains("of table stock.parts")
        .contains("expected at most 249");
  }

  @Test
  void daysNeedAZoneToo() {
    database.zone("America/New_York");

    assertThat(problems("incremental.tables", "sales.orders:day:date:e"))
        .extractingByKey("source.time.zone")
        .asString()
        .contains("column day of table sales.orders holds no zone")
        .contains("America/New_York");
    assertThat(
            problems(
                "incremental.tables", "sales.orders:day:date:e",
                "source.time.zone.overrides", "sales.orders:America/New_York"))
        .isEmpty();
  }

  @Test
  void zoneOfATableThatIsNotTrackedIsReportedWithTheNearest() {
    assertThat(
            problems(
                "incremental.tables", "sales.orders:at:timestamp",
                "source.time.zone.overrides", "sales.Orders:UTC, sales.items:UTC"))
        .isEqualTo(
            Map.of(
                "source.time.zone.overrides",
                List.of(
                    "Cannot find table sales.Orders among the incremental tables, spelled as in the"
                        + " database: nearest are sales.orders",
                    "Cannot find table sales.items among the incremental tables, spelled as in the"
                        + " database: there are 1, such as sales.orders")));
  }

  /** Case S21: the same name in two schemas is two tables; case S24: each by its own column. */
  @Test
  void tablesOfOneNameAndColumnsOfTheirOwnHaveNoProblems() {
    database
        .table("a.t", "id bigint", "created_at timestamp")
        .table("b.t", "id bigint", "modified timestamptz");

    assertThat(
            problems(
                "incremental.tables", "a.t:created_at:timestamp, b.t:modified:timestamp",
                "source.schema.name", "a,b,sales"))
        .isEmpty();
    assertThat(
            problems("incremental.tables", "a.t:modified:timestamp, b.t:created_at:timestamp")
                .get("incremental.tables"))
        .containsExactly(
            "Cannot find column modified of table a.t: there are 2, such as created_at, id",
            "Cannot find column created_at of table b.t: there are 2, such as id, modified");
  }

  @Test
  void patternsThatFitNothingAreReported() {
    assertThat(problems("source.schema.name", "sal%,x%", "table.include", "ord%,part%,z%"))
        .isEqualTo(
            Map.of(
                "source.schema.name",
                List.of(
                    "Cannot find schema x% or a table in it: there are 2, such as sales, stock"),
                "table.include",
                List.of(
                    "Cannot find table part%: there are 2, such as items, orders",
                    "Cannot find table z%: there are 2, such as items, orders")));
  }

  @Test
  void tableThatIsHeldIsLeftAndTheOthersAreChecked() {
    database.hold("sales.orders").forbid("sales.items");

    assertThat(
            problems(
                "incremental.tables", "sales.orders:day:date:e, sales.items:changed:timestamp"))
        .isEqualTo(
            Map.of(
                "incremental.tables",
                List.of("Cannot read table sales.items: permission denied for table items")));
    assertThat(warnings)
        .contains("Could not check table sales.orders: Cannot read sales.orders: lock timeout");
  }

  @Test
  void tablesThatTheTimeDoesNotSufficeForAreTold() {
    timeIsUp = true;

    assertThat(problems("incremental.tables", "sales.orders:dya:date, sales.order:day:date"))
        .isEqualTo(
            Map.of(
                "incremental.tables",
                List.of("Cannot find table sales.order: nearest are orders")));
    assertThat(warnings)
        .containsExactly("Could not check 2 tables in time: [sales.items, sales.orders]");
  }

  /** Case S15: a day that is still running; and what makes every window slow or lossy. */
  @Test
  void whatIsWorthALookIsWarnedOf() {
    database
        .table("shop.good", "id bigint not null", "day date not null")
        .table("shop.bad", "id bigint not null", "day date")
        .unindexed("shop.bad");

    assertThat(problems("incremental.tables", "shop.good:day:date:e", "table.exclude", "nothing"))
        .isEmpty();
    assertThat(warnings)
        .containsExactly("table.exclude nothing leaves out no table: none has such a name");
    assertThat(problems("incremental.tables", "shop.bad:day:date")).isEmpty();
    assertThat(warnings)
        .containsExactly(
            "Table shop.bad has no index that begins with its watermark column day: every window"
                + " reads the whole table",
            "Table shop.bad is tracked by date with direction i and a safety lag under one day:"
                + " rows dated today that come after the run are not read; use direction e or a lag"
                + " of 86400",
            "Watermark column day of table shop.bad may be NULL: incremental.null.policy is skip");
    assertThat(
            problems(
                "incremental.tables", "shop.good:day:date",
                "incremental.safety.lag.seconds", "86400"))
        .isEmpty();
    assertThat(warnings).isEmpty();
  }

  @Test
  void emptySelectionAndMisspeltIncludeAreReported() {
    assertThat(problems("table.include", "part"))
        .isEqualTo(
            Map.of(
                "table.include",
                List.of("Cannot find table part: nearest are parts"),
                "source.schema.name",
                List.of(
                    "Cannot find a table to copy: no visible table fits source.schema.name,"
                        + " table.include and table.exclude")));
  }

  @Test
  void sliceSpecsThatDoNotFitAreReportedAllAtOnce() {
    database.keyed(
        "sales.lines", List.of("order_id", "line"), "order_id bigint", "line int", "n int");

    Map<String, List<String>> problems =
        problems(
            "incremental.tables", "sales.orders:day:date",
            "table.parallelism", "300",
            "large.table.threshold", "-1",
            "table.parallelism.overrides",
                "sales.order:Random::4; sales.orders:Ctid::4; stock.parts:Random::2;"
                    + "sales.lines:Ntile:n:4; sales.lines:Physloc::2; lines:RangeId:lne:2;"
                    + "sales.items:Ctid");

    assertThat(problems)
        .containsOnlyKeys(
            "table.parallelism", "large.table.threshold", "table.parallelism.overrides");
    String reported = String.join("\n", problems.get("table.parallelism.overrides"));
    assertThat(reported)
        .contains(
            "Invalid slice spec 'sales.order:Random::4': there is no such table; nearest are",
            "Invalid slice spec 'sales.orders:Ctid::': table sales.orders: Ctid slices full exports"
                .replace("Ctid::'", "Ctid::4'"),
            "Invalid slice spec 'stock.parts:Random::2': table stock.parts: it has no primary key",
            "column n is no part of its key [order_id, line]",
            "Invalid method 'Physloc'",
            "has no column lne; nearest are line")
        .doesNotContain("sales.items");
  }
}
