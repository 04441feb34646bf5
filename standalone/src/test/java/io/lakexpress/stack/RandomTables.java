package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The tables of the randomised test. Each row has a version, which every update counts up; a
 * trigger keeps every version that was ever committed.
 */
final class RandomTables {
  /**
   * A table.
   *
   * @param spec what comes behind its name in {@code incremental.tables}; empty for a full export
   * @param stamp the watermark column
   * @param stamped what is written there, {@code %s} being the clock
   */
  record Table(RowLines lines, String definition, String spec, String stamp, String stamped) {
    private String name() {
      return lines.table();
    }

    String insert(int rows, int value, String clock) {
      return "INSERT INTO %s (%s, v) SELECT %s, %s FROM generate_series(1, %d) g"
          .formatted(name(), stamp, stamped.formatted(clock), text(value), rows);
    }

    String update(int first, int last, int value, String clock) {
      return "UPDATE %s SET version = version + 1, %s = %s, v = %s WHERE id BETWEEN %d AND %d"
          .formatted(name(), stamp, stamped.formatted(clock), text(value), first, last);
    }

    String delete(int first, int last) {
      return "DELETE FROM %s WHERE id BETWEEN %d AND %d".formatted(name(), first, last);
    }

    private static String text(int value) {
      return value % 10 == 0 ? "NULL" : "'text " + value + "'";
    }
  }

  private static final String KEYED = "id bigserial PRIMARY KEY, version int DEFAULT 1, v text, ";
  private static final String KEYLESS = "id bigserial, version int DEFAULT 1, v text, ";

  private static final Table DAYS =
      table(
          "days", KEYED + "w_day date", ":w_day:date:e", "w_day", "(%s AT TIME ZONE 'UTC')::date");
  private static final Table WHOLE = table("whole", KEYED + "w_at timestamptz", "", "w_at", "%s");

  static final List<Table> TABLES =
      List.of(
          table("keyed", KEYED + "w_at timestamptz NOT NULL", ":w_at:timestamp", "w_at", "%s"),
          table(
              "keyless",
              KEYLESS + "w_at timestamp NOT NULL",
              ":w_at:datetime",
              "w_at",
              "%s AT TIME ZONE 'UTC'"),
          table(
              "numbered",
              KEYED + "w bigint NOT NULL",
              ":w:integer",
              "w",
              "nextval('numbers') + 0 * extract(epoch FROM %s)::int"),
          DAYS,
          WHOLE);

  private static Table table(
      String name, String columns, String spec, String stamp, String stamped) {
    return new Table(RowLines.of(name, "id", "version", stamp, "v"), columns, spec, stamp, stamped);
  }

  private final TestingSync sync;

  RandomTables(TestingSync sync) {
    this.sync = sync;
    sync.sql("CREATE SCHEMA audit; CREATE SEQUENCE numbers");
    sync.sql("CREATE TABLE audit.written (table_name text, line text)");
    for (Table table : TABLES) {
      sync.sql("CREATE TABLE " + table.name() + " (" + table.definition() + ")");
      sync.sql(
          """
          CREATE FUNCTION audit.%1$s() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO audit.written SELECT '%1$s', %2$s FROM (SELECT NEW.*) row;
            RETURN NEW;
          END $$;
          CREATE TRIGGER written AFTER INSERT OR UPDATE ON %1$s
            FOR EACH ROW EXECUTE FUNCTION audit.%1$s();
          """
              .formatted(table.name(), table.lines().inDatabase()));
      sync.sql(table.insert(1_500, 1, "(now() - interval '3 days')"));
    }
    sync.source(
        "incremental.tables",
        TABLES.stream()
            .filter(table -> !table.spec().isEmpty())
            .map(table -> "public." + table.name() + table.spec())
            .collect(Collectors.joining(",")));
  }

  /** What a watermark read promises, for every table. */
  void assertExact() {
    for (Table table : TABLES) {
      if (!table.equals(WHOLE)) {
        assertWindowed(table);
      }
    }
    assertWhole();
  }

  private void assertWindowed(Table table) {
    Bag newest =
        table.equals(DAYS)
            ? table.lines().database(sync, "w_day < '" + lastExported(table) + "'")
            : table.lines().database(sync);
    Bag topic = table.lines().topic(sync);
    Bag written =
        Bag.of(
            sync.databaseLines(
                "SELECT line FROM audit.written WHERE table_name = '" + table.name() + "'"));
    Bag lake = table.lines().lake(sync);
    assertThat(topic.doubled()).as("doubled in the topic of " + table.name()).isEmpty();
    assertThat(versions(topic).doubled()).as("versions doubled of " + table.name()).isEmpty();
    assertThat(newest.beyond(topic)).as("lost in the topic of " + table.name()).isEmpty();
    assertThat(topic.beyond(written)).as("never committed in " + table.name()).isEmpty();
    assertThat(lake.beyond(topic)).as("only in the lake's " + table.name()).isEmpty();
    assertThat(topic.beyond(lake)).as("lost in the lake's " + table.name()).isEmpty();
    System.out.printf(
        "%s: %d rows, %d versions written, %d in topic and lake%n",
        table.name(), newest.size(), written.size(), topic.size());
  }

  private String lastExported(Table table) {
    return sync.offset(table.name()).path("last_exported_value").asText();
  }

  private static Bag versions(Bag lines) {
    return Bag.of(
        lines.distinct().stream()
            .map(line -> line.split("\\|", -1))
            .map(values -> values[0] + "|" + values[1])
            .toList());
  }

  /** The last full export is the table, in the lake and under its job in the topic. */
  private void assertWhole() {
    Bag table = WHOLE.lines().database(sync);
    Bag lake = WHOLE.lines().lake(sync);
    Map<String, Bag> attempts = WHOLE.lines().topicByJob(sync);
    assertThat(lake.beyond(table)).as("too much in the lake's whole").isEmpty();
    assertThat(table.beyond(lake)).as("lost in the lake's whole").isEmpty();
    sync.closings(WHOLE.name())
        .forEach(
            closing ->
                assertThat(attempts.get(closing.path("job_id").asText()).size())
                    .as("rows of " + closing)
                    .isEqualTo(closing.path("rows").asLong()));
  }
}
