package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.offset.Cursor;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every row is an exact resume point: a window cut after any row goes on with the next one. */
class PostgresResumeTest {
  private static final String TIES =
      "SELECT g, timestamp '2024-01-01' + (g / 7) * interval '1 microsecond' FROM"
          + " generate_series(1, 40) g";

  private final TestingSource database = new TestingSource();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void everyRowOfAKeyedTable() {
    database.run("CREATE TABLE t (id int PRIMARY KEY, at timestamp)", "INSERT INTO t " + TIES);

    assertThat(readCutAtEveryRow(request())).hasSize(40);
  }

  @Test
  void everyRowOfACompositeKeyWithOddTypes() {
    database.run(
        "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')",
        "CREATE TABLE t (m mood, \"b \"\"x\" char(4), d date, f float8, u uuid, at timestamptz,"
            + " PRIMARY KEY (m, f, \"b \"\"x\", d, u))",
        "INSERT INTO t SELECT (ARRAY['sad', 'ok', 'happy'])[g % 3 + 1]::mood, chr(65 + g % 5),"
            + " date '2024-01-01' - g % 4, g / 3.0, md5(g::text)::uuid,"
            + " '2024-01-01Z' FROM generate_series(1, 40) g");

    assertThat(readCutAtEveryRow(database.first("t", "at", "2025-01-01T00:00:00Z"))).hasSize(40);
  }

  @Test
  void everyRowOfATextKeyWithAnOddCollation() {
    database.run(
        "CREATE COLLATION odd (provider = icu, locale = 'und-u-kf-upper-kn-true')",
        "CREATE TABLE t (k text COLLATE odd PRIMARY KEY, at timestamp)",
        "INSERT INTO t SELECT k, '2024-01-01' FROM unnest(ARRAY['a', 'A', 'a10', 'a9', 'A10', 'ä',"
            + " 'Z', 'z', '', ' ', 'ß', '日本', '''', '\"', '{}', '\\', 'NULL', 'a b']) k");

    assertThat(readCutAtEveryRow(request())).hasSize(18);
  }

  @Test
  void everyRowOfATypeWhoseOperatorsLieOutsideTheSearchPath() {
    database.run(
        "CREATE SCHEMA ext",
        "CREATE EXTENSION citext SCHEMA ext",
        "CREATE TABLE t (k ext.citext PRIMARY KEY, at timestamp)",
        "INSERT INTO t SELECT k::ext.citext, '2024-01-01'"
            + " FROM unnest(ARRAY['B', 'a', 'C', 'd', 'E', 'f']) k");

    assertThat(readCutAtEveryRow(request())).hasSize(6);
  }

  @Test
  void everyRowOfAUniqueIndexWithoutPrimaryKey() {
    database.run(
        "CREATE TABLE t (a numeric NOT NULL, at timestamp)",
        "CREATE UNIQUE INDEX ON t (a)",
        "INSERT INTO t SELECT g / 8.0, at FROM (" + TIES + ") x(g, at)");

    assertThat(database.table("t").uniqueKey()).containsExactly("a");
    assertThat(database.table("t").primaryKey()).isEmpty();
    assertThat(readCutAtEveryRow(request())).hasSize(40);
  }

  @Test
  void everyRowOfATableWithoutKeyEvenIfRowsAreIdentical() {
    database.run(
        "CREATE TABLE t (a int, b text, at timestamp)",
        "INSERT INTO t SELECT g % 3, 'x', '2024-01-01' FROM generate_series(1, 20) g",
        "INSERT INTO t SELECT g % 2, NULL, '2024-01-02' FROM generate_series(1, 9) g");

    assertThat(readCutAtEveryRow(request())).hasSize(29);
  }

  @Test
  void watermarksBeforeChristAndFarAway() {
    database.run(
        "CREATE TABLE t (id int PRIMARY KEY, at timestamp)",
        "INSERT INTO t VALUES (1, '-infinity'), (2, '4713-01-01 BC'), (3, '0044-03-15 10:00:00.5"
            + " BC'), (4, '0001-01-01 BC'), (5, '1900-01-01'), (6, '12024-02-29 01:02:03.123456'),"
            + " (7, 'infinity'), (8, NULL), (9, '-infinity')");

    ReadRequest request = database.first("t", "at", "+20000-01-01T00:00:00");

    assertThat(ids(readCutAtEveryRow(request))).containsExactly(1, 9, 2, 3, 4, 5, 6);
  }

  @Test
  void wholeNumbersAndDates() {
    database.run(
        "CREATE TABLE t (id int PRIMARY KEY, s smallint, i int, b bigint, n numeric(20, 0), d date)",
        "INSERT INTO t SELECT g, g / 3, g / 3, g / 3, g / 3, date '2024-01-01' + g / 3"
            + " FROM generate_series(1, 12) g");

    for (String column : List.of("s", "i", "b", "n")) {
      assertThat(readCutAtEveryRow(database.first("t", column, "100"))).hasSize(12);
    }
    assertThat(readCutAtEveryRow(database.first("t", "d", "2024-01-05"))).hasSize(12);
  }

  @Test
  void aCursorOfOtherColumnsIsRefused() {
    database.run("CREATE TABLE t (a int, at timestamp)", "INSERT INTO t VALUES (1, '2024-01-01')");
    ReadRequest request = request();
    Cursor position = database.rows(request).get(0).position();
    database.run("ALTER TABLE t ADD b int");

    assertThatThrownBy(() -> database.rows(TestingSource.after(request, position)))
        .isInstanceOf(SourceException.class)
        .hasMessage(
            "Cannot read public.t: its columns are not those that the window was begun with");
  }

  private ReadRequest request() {
    return database.first("t", "at", "2025-01-01T00:00:00");
  }

  private static List<Object> ids(List<Struct> rows) {
    return rows.stream().map(row -> row.get("id")).toList();
  }

  /** Reads once; then, for each row, goes on behind it, which must give exactly the rest. */
  private List<Struct> readCutAtEveryRow(ReadRequest request) {
    List<TestingSource.Row> all = database.rows(request);
    List<Struct> values = all.stream().map(TestingSource.Row::value).toList();
    for (int cut = 0; cut < all.size(); cut++) {
      List<Struct> joined = new ArrayList<>(values.subList(0, cut + 1));
      database
          .rows(TestingSource.after(request, all.get(cut).position()))
          .forEach(row -> joined.add(row.value()));
      assertThat(joined).as("cut after row %s", cut).isEqualTo(values);
    }
    return values;
  }
}
