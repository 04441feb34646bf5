package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.Direction;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresWindowTest {
  private static final String BY_TIME_AND_ID = "[\"at timestamp with time zone\",\"id integer\"]";

  private final TestingSource database = new TestingSource();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void windowsThatMeetSendEveryMicrosecondOnce() {
    database.run(
        "CREATE TABLE t (id int PRIMARY KEY, at timestamp)",
        "INSERT INTO t VALUES (1, '2024-01-01 00:00:00.123456'), (2, '2024-01-01"
            + " 00:00:00.123457')");

    assertThat(database.column(database.first("t", "at", "2024-01-01T00:00:00.123456"), "id"))
        .containsExactly(1);
    assertThat(between(".123456", ".123456", Direction.INCLUSIVE)).isEmpty();
    assertThat(between(".123456", ".123457", Direction.INCLUSIVE)).containsExactly(2);
    assertThat(between(".123456", ".123457", Direction.EXCLUSIVE)).containsExactly(1);
    assertThat(between(".1234561", ".1234569", Direction.INCLUSIVE)).isEmpty();
    assertThat(between(".1234561", ".1234571", Direction.EXCLUSIVE)).containsExactly(2);
  }

  @Test
  void positionsKeepSixDigits() {
    database.run(
        "CREATE TABLE t (id int PRIMARY KEY, at timestamptz)",
        "INSERT INTO t VALUES (1, '2024-01-01 00:00:00.123456Z')");

    assertThat(database.rows(database.first("t", "at", "2025-01-01T00:00:00Z")))
        .extracting(TestingSource.Row::position)
        .containsExactly(
            new Cursor.Keyed("2024-01-01T00:00:00.123456Z", List.of("1"), BY_TIME_AND_ID));
  }

  @Test
  void rowsBefore1970AndDaysNeverShift() {
    database.run(
        "CREATE TABLE t (id int PRIMARY KEY, d date)",
        "INSERT INTO t VALUES (1, '1899-12-31'), (2, '1970-01-01'), (3, '2024-03-31'), (4,"
            + " '2024-04-01')");

    assertThat(database.column(database.first("t", "d", "1970-01-01"), "id")).containsExactly(1, 2);
    assertThat(
            database.column(
                database.window("t", "d", "1970-01-01", "2024-03-31", Direction.INCLUSIVE), "id"))
        .containsExactly(3);
    assertThat(
            database.column(
                database.window("t", "d", "1970-01-01", "2024-03-31", Direction.EXCLUSIVE), "id"))
        .containsExactly(2);
  }

  @Test
  void aDatabaseInAnotherZoneThanThisProcessShiftsNothing() {
    database.run(
        "ALTER DATABASE " + database.postgres().name() + " SET timezone = 'America/New_York'",
        "CREATE TABLE t (id int PRIMARY KEY, at timestamp, tz timestamptz, d date)",
        "INSERT INTO t VALUES (1, '2024-03-10 02:30:00', '2024-03-10 07:30:00Z', '2024-03-10')");

    assertThat(database.source().timeZone()).isEqualTo("America/New_York");
    TestingSource.Row row = database.rows(database.first("t", "at", "2024-03-10T02:30:00")).get(0);
    assertThat(row.get("at")).isEqualTo(1_710_037_800_000_000L);
    assertThat(row.get("tz")).isEqualTo(1_710_055_800_000_000L);
    assertThat(database.column(database.first("t", "tz", "2024-03-10T07:29:59Z"), "id")).isEmpty();
    assertThat(database.column(database.first("t", "tz", "2024-03-10T07:30:00Z"), "id"))
        .containsExactly(1);
  }

  @Test
  void infinityNeverBelongsToAWindowAndMinusInfinityToTheFirst() {
    database.run(
        "CREATE TABLE f (id int PRIMARY KEY, at timestamptz)",
        "INSERT INTO f VALUES (1, '-infinity'), (2, '2024-01-01Z'), (3, 'infinity'), (4, NULL)");
    ReadRequest first = database.first("f", "at", "2025-01-01T00:00:00Z");

    try (RowCursor cursor = database.source().read(first)) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.value().get("at")).isEqualTo(Long.MIN_VALUE);
      assertThat(cursor.position())
          .isEqualTo(new Cursor.Keyed("-infinity", List.of("1"), BY_TIME_AND_ID));
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.value().get("id")).isEqualTo(2);
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.infiniteValues()).isEqualTo(1);
    }
    assertThat(
            database.column(
                database.window(
                    "f", "at", "2023-01-01T00:00:00Z", "2030-01-01T00:00:00Z", Direction.INCLUSIVE),
                "id"))
        .containsExactly(2);
    assertThat(database.source().rowsWithoutWatermark(first.table().id(), first.column()))
        .isEqualTo(1);
  }

  @Test
  void anIndexGivesTheOrderSoNothingIsSorted() throws SQLException {
    database.run(
        "CREATE TABLE big AS SELECT g AS id, timestamp '2024-01-01' + g * interval '1 second' AS at"
            + " FROM generate_series(1, 50000) g",
        "ALTER TABLE big ADD PRIMARY KEY (id)",
        "CREATE INDEX ON big (at, id)",
        "ANALYZE big");
    ReadRequest window =
        database.window(
            "big", "at", "2024-01-01T00:10:00", "2024-01-01T00:30:00", Direction.INCLUSIVE);
    Cursor middle = database.rows(window).get(500).position();

    assertThat(database.plan(window))
        .contains("Index")
        .doesNotContain("Sort")
        .doesNotContain("Seq Scan");
    assertThat(database.plan(TestingSource.after(window, middle)))
        .contains("Index")
        .doesNotContain("Sort")
        .doesNotContain("Seq Scan")
        .containsPattern("Index Cond: .*ROW\\(r?.?at, r?.?id\\)|Index Cond: .*\\(ROW");
  }

  @Test
  void tablesAndColumnsOfAnyNameAreRead() {
    database.run(
        "CREATE TABLE \"o'dd. \"\"t?\" (\"r\" int PRIMARY KEY, \"a \"\"b?.c\" timestamp)",
        "INSERT INTO \"o'dd. \"\"t?\" VALUES (7, '2024-01-01')");

    assertThat(
            database.column(database.first("o'dd. \"t?", "a \"b?.c", "2024-01-01T00:00:00"), "r"))
        .containsExactly(7);
  }

  @Test
  void partitionsAreReadThroughTheirParent() {
    database.run(
        "CREATE TABLE pt (id int, at timestamp) PARTITION BY RANGE (at)",
        "CREATE TABLE pt1 PARTITION OF pt FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')",
        "INSERT INTO pt VALUES (1, '2024-06-01')");

    assertThat(database.column(database.first("pt", "at", "2024-06-01T00:00:00"), "id"))
        .containsExactly(1);
  }

  private List<Object> between(String lower, String upper, Direction direction) {
    String second = "2024-01-01T00:00:00";
    return database.column(
        database.window("t", "at", second + lower, second + upper, direction), "id");
  }
}
