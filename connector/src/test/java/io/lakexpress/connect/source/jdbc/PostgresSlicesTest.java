package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.read.HeldSnapshot;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.SliceRule;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The slices of a table are the table, each row once, whatever moves between their statements. */
class PostgresSlicesTest {
  private static final int COUNT = 4;
  private static final String KEYS =
      """
      int: id int PRIMARY KEY | g - 150
      smallint: id smallint PRIMARY KEY | g - 150
      bigint: id bigint PRIMARY KEY | g * 4611686018427387 - 922337203685477580
      numeric: id numeric(20,3) PRIMARY KEY | g / 3.0 - 50
      uuid: id uuid PRIMARY KEY | md5(g::text)::uuid
      text: id text PRIMARY KEY | 'Schlüssel "' || chr(97 + g % 26) || '" ' || g
      date: id date PRIMARY KEY | date '1999-12-31' + g
      timestamp: id timestamptz PRIMARY KEY | timestamptz '1999-12-31 Z' + g * interval '1 h'
      """;

  private final TestingSource database = new TestingSource();

  @AfterEach
  void close() {
    database.close();
  }

  private void create(String type) {
    String line = KEYS.lines().filter(one -> one.startsWith(type + ":")).findFirst().orElseThrow();
    String column = line.substring(type.length() + 1, line.indexOf('|'));
    String value = line.substring(line.indexOf('|') + 1);
    database.run(
        "CREATE TABLE t (" + column + ", n int NOT NULL, at timestamptz NOT NULL)",
        "INSERT INTO t SELECT "
            + value
            + ", g, timestamptz '2024-01-01 Z' + (g % 7) * interval '1 h'"
            + " FROM generate_series(1, 300) g",
        "CREATE INDEX ON t (at, id)",
        "ANALYZE t");
  }

  private static ReadRequest slice(ReadRequest all, int index, SliceRule rule) {
    return all.of(new ReadRequest.Share(new Slice(index, COUNT), rule, null));
  }

  private List<SliceRule> rules(ReadRequest all, SliceMethod method) {
    List<SliceRule> rules = new ArrayList<>();
    List<String> bounds =
        method == SliceMethod.RANDOM
            ? List.of()
            : database.source().sliceBounds(all, "id", method, COUNT);
    for (int i = 0; i < COUNT; i++) {
      rules.add(
          method == SliceMethod.RANDOM
              ? new SliceRule.Hash(all.table().uniqueKey())
              : new SliceRule.Range(
                  "id", i == 0 ? null : bounds.get(i - 1), i == COUNT - 1 ? null : bounds.get(i)));
    }
    // As they come back from the LakeXpress DB.
    return rules.stream().map(rule -> SliceRule.parse(rule.text())).toList();
  }

  private List<Object> numbers(ReadRequest request) {
    return database.column(request, "n");
  }

  private static Integer[] all(int count) {
    return java.util.stream.IntStream.rangeClosed(1, count).boxed().toArray(Integer[]::new);
  }

  private void assertEachRowOnce(String type, SliceMethod method, int smallest) {
    create(type);
    ReadRequest window = database.first("t", "at", "2025-01-01T00:00:00Z");
    for (ReadRequest request : List.of(window, ReadRequest.full(database.table("t")))) {
      List<SliceRule> rules = rules(request, method);
      List<Object> read = new ArrayList<>();
      for (int index = 1; index <= COUNT; index++) {
        List<Object> rows = numbers(slice(request, index, rules.get(index - 1)));
        assertThat(rows.size()).as("slice %d of %s", index, rules).isGreaterThanOrEqualTo(smallest);
        read.addAll(rows);
      }
      assertThat(read).containsExactlyInAnyOrder((Object[]) all(300));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"int", "smallint", "bigint", "numeric", "uuid", "text", "date", "timestamp"})
  void slicesByHashTakeEachRowOnce(String type) {
    assertEachRowOnce(type, SliceMethod.RANDOM, 40);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"int", "smallint", "bigint", "numeric", "uuid", "text", "date", "timestamp"})
  void slicesOfEquallyManyRowsTakeEachRowOnce(String type) {
    assertEachRowOnce(type, SliceMethod.NTILE, 74);
  }

  @ParameterizedTest
  @ValueSource(strings = {"int", "smallint", "bigint", "numeric", "date", "timestamp"})
  void slicesOfEqualRangesTakeEachRowOnce(String type) {
    assertEachRowOnce(type, SliceMethod.RANGE_ID, 74);
  }

  @Test
  void aTypeWithoutDistancesHasNoEqualRanges() {
    create("text");
    ReadRequest window = database.first("t", "at", "2025-01-01T00:00:00Z");

    assertThatThrownBy(() -> database.source().sliceBounds(window, "id", SliceMethod.RANGE_ID, 4))
        .isInstanceOfSatisfying(
            SourceException.class,
            e -> assertThat(e.kind()).isEqualTo(SourceException.Kind.LASTING));
    assertThat(numbers(window)).hasSize(300);
  }

  @Test
  void anEmptyTableHasNoBounds() {
    create("int");
    database.run("DELETE FROM t");

    for (SliceMethod method : List.of(SliceMethod.NTILE, SliceMethod.RANGE_ID)) {
      assertThat(
              database
                  .source()
                  .sliceBounds(ReadRequest.full(database.table("t")), "id", method, COUNT))
          .isEmpty();
    }
  }

  @Test
  void rowsOfACompositeKeyWhoseWatermarkMovesBetweenSlicesComeOnceOrWithTheNextWindow() {
    database.run(
        "CREATE TABLE t (a int, b text, n int NOT NULL, at timestamptz NOT NULL,"
            + " PRIMARY KEY (a, b))",
        "INSERT INTO t SELECT g / 10, 'b' || g, g, timestamptz '2024-01-01 Z'"
            + " FROM generate_series(1, 300) g");
    ReadRequest first = database.first("t", "at", "2024-06-01T00:00:00Z");
    List<Object> read = new ArrayList<>();
    for (int index = 1; index <= COUNT; index++) {
      read.addAll(numbers(slice(first, index, new SliceRule.Hash(first.table().uniqueKey()))));
      // Moved inside the window, and moved out of it.
      database.run(
          "UPDATE t SET at = at + interval '1 s' WHERE n % 3 = 0",
          "UPDATE t SET at = '2024-07-01 Z' WHERE n = " + index);
    }
    assertThat(read).doesNotHaveDuplicates();

    ReadRequest second =
        database.window(
            "t", "at", "2024-06-01T00:00:00Z", "2024-12-01T00:00:00Z", Direction.INCLUSIVE);
    for (int index = 1; index <= COUNT; index++) {
      read.addAll(numbers(slice(second, index, new SliceRule.Hash(first.table().uniqueKey()))));
    }
    assertThat(read).contains((Object[]) all(300));
  }

  @Test
  void aSliceGoesOnBehindItsLastRow() {
    create("text");
    ReadRequest window = database.first("t", "at", "2025-01-01T00:00:00Z");
    for (SliceMethod method : List.of(SliceMethod.RANDOM, SliceMethod.NTILE)) {
      SliceRule rule = rules(window, method).get(1);
      List<Object> whole = numbers(slice(window, 2, rule));
      List<TestingSource.Row> some =
          TestingSource.rows(database.source(), slice(window, 2, rule), 20);

      List<Object> rest =
          numbers(slice(TestingSource.after(window, some.get(19).position()), 2, rule));

      assertThat(rest).containsExactlyElementsOf(whole.subList(20, whole.size()));
    }
  }

  @Test
  void slicesStreamInTheOrderOfTheIndex() throws SQLException {
    database.run(
        "CREATE TABLE big (id bigint PRIMARY KEY, at timestamptz NOT NULL, v text)",
        "INSERT INTO big SELECT g, timestamptz '2024-01-01 Z' + g * interval '1 s', repeat('x', 50)"
            + " FROM generate_series(1, 50000) g",
        "CREATE INDEX ON big (at, id)",
        "ANALYZE big");
    ReadRequest window =
        database.window(
            "big", "at", "2024-01-01T01:00:00Z", "2024-01-01T10:00:00Z", Direction.INCLUSIVE);

    assertThat(database.plan(slice(window, 2, new SliceRule.Hash(List.of("id")))))
        .contains("Index Scan using big_at_id_idx")
        .doesNotContain("Sort");
    assertThat(database.plan(slice(window, 2, new SliceRule.Range("id", "5000", "9000"))))
        .doesNotContain("Sort");
  }

  @Test
  void slicesByBlocksShowOneState() {
    database.run(
        "CREATE TABLE t (n int NOT NULL, v text)",
        "INSERT INTO t SELECT g, repeat('x', 500) FROM generate_series(1, 300) g");
    ReadRequest all = ReadRequest.full(database.table("t"));
    long blocks = database.source().blocks(all.table().id());
    assertThat(blocks).isGreaterThan(COUNT);
    List<Object> read = new ArrayList<>();
    String name;
    try (HeldSnapshot snapshot = database.source().holdSnapshot()) {
      name = snapshot.name();
      for (int index = 1; index <= COUNT; index++) {
        read.addAll(
            numbers(
                all.of(
                    new ReadRequest.Share(new Slice(index, COUNT), blocks(index, blocks), name))));
        database.run(
            "UPDATE t SET v = repeat('y', 600) WHERE n % 2 = 0",
            "DELETE FROM t WHERE n = " + index, "INSERT INTO t VALUES (1000, '')");
      }
    }
    assertThat(read).containsExactlyInAnyOrder((Object[]) all(300));

    assertThatThrownBy(
            () ->
                numbers(
                    all.of(new ReadRequest.Share(new Slice(1, COUNT), blocks(1, blocks), name))))
        .isInstanceOfSatisfying(
            SourceException.class,
            e -> assertThat(e.kind()).isEqualTo(SourceException.Kind.PASSING))
        .hasMessageStartingWith("Cannot read public.t in the snapshot its slices share: ");
    assertThat(numbers(all)).isNotEmpty();
  }

  private static SliceRule blocks(int index, long blocks) {
    return new SliceRule.Blocks(
        blocks * (index - 1) / COUNT, index == COUNT ? -1 : blocks * index / COUNT);
  }

  @Test
  void partitionedTablesAreSlicedByTheBlocksOfAllTheirParts() {
    database.run(
        "CREATE TABLE t (n int NOT NULL, v text) PARTITION BY RANGE (n)",
        "CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (1) TO (50)",
        "CREATE TABLE t2 PARTITION OF t FOR VALUES FROM (50) TO (1000)",
        "INSERT INTO t SELECT g, repeat('x', 500) FROM generate_series(1, 300) g");
    ReadRequest all = ReadRequest.full(database.table("t"));
    long blocks = database.source().blocks(all.table().id());
    List<Object> read = new ArrayList<>();
    for (int index = 1; index <= COUNT; index++) {
      read.addAll(numbers(slice(all, index, blocks(index, blocks))));
    }

    assertThat(read).containsExactlyInAnyOrder((Object[]) all(300));
    assertThat(blocks).isPositive();
  }
}
