package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.TableSelection;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresCatalogTest {
  private final TestingSource database = new TestingSource();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void takesTablesAndPartitionedParentsButViewsOnlyByName() {
    database.run(
        "CREATE TABLE b (id int)",
        "CREATE TABLE a (id int)",
        "CREATE VIEW v AS SELECT 1 AS id",
        "CREATE TABLE pt (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE pt1 PARTITION OF pt FOR VALUES FROM (0) TO (100)",
        "INSERT INTO pt SELECT g FROM generate_series(1, 50) g",
        "ANALYZE pt");

    List<SourceTable> all = database.source().tables(selection(List.of(), List.of(), Set.of()));
    assertThat(names(all)).containsExactly("a", "b", "pt");
    assertThat(all.get(2).kind()).isEqualTo(SourceTable.Kind.PARTITIONED_TABLE);
    assertThat(all.get(2).estimatedRows()).isEqualTo(50);
    assertThat(all.get(0).estimatedRows()).isZero();
    assertThat(
            names(
                database
                    .source()
                    .tables(
                        selection(List.of(), List.of("a"), Set.of(new TableId("public", "v"))))))
        .containsExactly("a", "v");
    assertThat(database.source().tableNames())
        .extracting(TableId::table)
        .containsExactly("a", "b", "pt", "v");
  }

  /** No file format can keep rows of nothing. */
  @Test
  void aTableWithoutColumnsIsRefused() {
    database.run("CREATE TABLE nothing ()");

    assertThatThrownBy(() -> database.rows(ReadRequest.full(database.table("nothing"))))
        .isInstanceOf(SourceException.class)
        .hasMessage("Cannot read public.nothing: it has no columns");
  }

  /** An outer join puts NULL into a column whose domain is NOT NULL. */
  @Test
  void aDomainThatIsNotNullMayBeNullInAView() {
    database.run(
        "CREATE DOMAIN word AS text NOT NULL",
        "CREATE TABLE a (id int)",
        "CREATE TABLE b (id int, w word)",
        "INSERT INTO a VALUES (1)",
        "CREATE VIEW v AS SELECT a.id, b.w FROM a LEFT JOIN b ON a.id = b.id");

    assertThat(database.column(ReadRequest.full(database.table("v")), "w"))
        .containsExactly((Object) null);
  }

  @Test
  void patternsAreThoseOfLikeAndAnExactNameMeansItself() {
    database.run(
        "CREATE TABLE order_lines (id int)",
        "CREATE TABLE \"order-lines\" (id int)",
        "CREATE TABLE \"Order_Lines\" (id int)",
        "CREATE TABLE orders (id int)");

    assertThat(included("order_lines")).containsExactly("order_lines");
    assertThat(included("order_l%")).containsExactly("order-lines", "order_lines");
    assertThat(included("order\\_l%")).containsExactly("order_lines");
    assertThat(included("ORDER%")).isEmpty();
  }

  @Test
  void rowLimitsGoByTheEstimate() {
    database.run(
        "CREATE TABLE small AS SELECT 1 AS id",
        "CREATE TABLE large AS SELECT g AS id FROM generate_series(1, 1000) g",
        "ANALYZE");

    assertThat(
            names(
                database
                    .source()
                    .tables(
                        new TableSelection(
                            List.of("pub%"), List.of(), List.of(), Set.of(), 10, -1))))
        .containsExactly("large");
    assertThat(
            names(
                database
                    .source()
                    .tables(
                        new TableSelection(
                            List.of(), List.of(), List.of("small"), Set.of(), -1, 2000))))
        .containsExactly("large");
  }

  @Test
  void theLakexpressDbsOwnTablesAreNotCopied() {
    database.run(
        "CREATE SCHEMA lx",
        "CREATE TABLE lx.lakexpress_schema_history (id int)",
        "CREATE TABLE lx.export_runs (id int)",
        "CREATE TABLE lx.customers (id int)",
        "CREATE TABLE export_runs (id int)");

    assertThat(database.source().tables(selection(List.of(), List.of(), Set.of())))
        .extracting(table -> table.id().toString())
        .containsExactly("lx.customers", "public.export_runs");
  }

  @Test
  void describesColumnsAndKeys() {
    database.run(
        "CREATE TABLE t (a int, b varchar(5) NOT NULL, c numeric(12,2), gone int, PRIMARY KEY (b,"
            + " a))",
        "ALTER TABLE t DROP COLUMN gone",
        "CREATE TABLE u (a int NOT NULL, b int NOT NULL, c int)",
        "CREATE UNIQUE INDEX ON u (a, b)",
        "CREATE UNIQUE INDEX ON u (c)",
        "CREATE UNIQUE INDEX ON u (b) WHERE a > 0",
        "CREATE UNIQUE INDEX ON u ((a + 1))");

    SourceTable table = database.table("t");
    assertThat(table.primaryKey()).containsExactly("b", "a");
    assertThat(table.uniqueKey()).containsExactly("b", "a");
    assertThat(table.columns())
        .extracting(column -> column.name() + " " + column.type() + " " + column.nullability())
        .containsExactly(
            "a integer NOT_NULL", "b character varying(5) NOT_NULL", "c numeric(12,2) NULLABLE");
    assertThat(database.table("u").primaryKey()).isEmpty();
    assertThat(database.table("u").uniqueKey()).containsExactly("a", "b");
    assertThat(database.source().table(new TableId("public", "missing"))).isEmpty();
  }

  @Test
  void knowsWhatCanBeAWatermark() {
    database.run(
        "CREATE DOMAIN moment AS timestamp(3)",
        "CREATE DOMAIN later AS moment NOT NULL",
        "CREATE TABLE w (d date, t timestamp, p timestamptz(0), s smallint, n numeric(18),"
            + " later later, f float8, x numeric(5,2), tx text)");

    assertThat(database.column("w", "d")).isEqualTo(column("d", ColumnKind.DATE, 0));
    assertThat(database.column("w", "t")).isEqualTo(column("t", ColumnKind.LOCAL_TIME, 6));
    assertThat(database.column("w", "p")).isEqualTo(column("p", ColumnKind.INSTANT, 0));
    assertThat(database.column("w", "s")).isEqualTo(column("s", ColumnKind.INTEGER, 0));
    assertThat(database.column("w", "n")).isEqualTo(column("n", ColumnKind.INTEGER, 0));
    assertThat(database.column("w", "later")).isEqualTo(column("later", ColumnKind.LOCAL_TIME, 3));
    for (String name : List.of("f", "x", "tx")) {
      assertThat(database.source().watermarkColumn(database.table("w").column(name).orElseThrow()))
          .isEmpty();
    }
  }

  @Test
  void findsTheLargestValueAndTheLeadingIndex() {
    database.run(
        "CREATE TABLE t (id bigint, n numeric(30,0), at timestamp)",
        "CREATE INDEX ON t (at, id)",
        "CREATE INDEX ON t (id) WHERE id > 5");
    TableId id = new TableId("public", "t");

    assertThat(database.source().hasIndexLeadingWith(id, "at")).isTrue();
    assertThat(database.source().hasIndexLeadingWith(id, "id")).isFalse();
    assertThat(database.source().largest(id, database.column("t", "id"))).isEmpty();
    database.run("INSERT INTO t VALUES (9223372036854775807, 9223372036854775808)");
    assertThat(database.source().largest(id, database.column("t", "id"))).contains(Long.MAX_VALUE);
    assertThatThrownBy(() -> database.source().largest(id, database.column("t", "n")))
        .isInstanceOf(SourceException.class)
        .hasMessage("Cannot read public.t: the largest value of column \"n\" does not fit 64 bits");
  }

  @Test
  void saysWhyRowsMayNotBeRead() {
    database.run(
        "CREATE TABLE t (id int)",
        "DROP ROLE IF EXISTS srcjdbc_reader",
        "CREATE ROLE srcjdbc_reader LOGIN");
    TableId id = new TableId("public", "t");
    SourceTarget target =
        new SourceTarget(database.postgres().url(), "srcjdbc_reader", "secret", Map.of(), "s");

    assertThat(database.source().refusedRead(id)).isEmpty();
    try (JdbcSource reader = JdbcSource.open(target, ReadSettings.defaults())) {
      assertThat(reader.refusedRead(id).orElseThrow())
          .startsWith("permission denied for table t; grant ");
      assertThat(reader.refusedRead(new TableId("public", "nope")))
          .contains(
              "relation \"public.nope\" does not exist; create it again, or leave the table out");
      assertThat(reader.now())
          .isBetween(Instant.now().minus(Duration.ofMinutes(1)), Instant.now().plusSeconds(60));
    }
    assertThat(target.toString()).doesNotContain("secret").doesNotContain("jdbc:");
  }

  private static WatermarkColumn column(String name, ColumnKind kind, int digits) {
    return new WatermarkColumn(name, kind, digits);
  }

  private List<String> included(String pattern) {
    return names(database.source().tables(selection(List.of(), List.of(pattern), Set.of())));
  }

  private static TableSelection selection(
      List<String> schemas, List<String> include, Set<TableId> named) {
    return new TableSelection(schemas, include, List.of(), named, -1, -1);
  }

  private static List<String> names(List<SourceTable> tables) {
    return tables.stream().map(table -> table.id().table()).toList();
  }
}
