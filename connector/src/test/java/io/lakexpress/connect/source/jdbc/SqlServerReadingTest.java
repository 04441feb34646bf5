package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lakexpress.connect.source.jdbc.TestingSource.Row;
import io.lakexpress.connect.source.jdbc.tds.TdsAnswer;
import io.lakexpress.connect.source.jdbc.tds.TdsColumn;
import io.lakexpress.connect.source.jdbc.tds.TdsParameter;
import io.lakexpress.connect.source.jdbc.tds.TdsStatement;
import io.lakexpress.connect.source.jdbc.tds.TdsType;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.Direction;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Windows read through Microsoft's driver from a hand-made server, which is not SQL Server. */
class SqlServerReadingTest {
  private final ScriptedSqlServer database = new ScriptedSqlServer();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void theClockIsReadWithItsOffset() {
    assertThat(database.source().now()).isEqualTo(Instant.parse("2026-12-01T02:30:00.123456700Z"));
  }

  @Test
  void s8DatetimeIsReadOnceWhateverWindowsMeetAtIt() {
    database.table(
        SqlServerTables.named("d")
            .required("id", "int")
            .required("updated_at", "datetime")
            .key("id"));
    database.rows("d", SqlServerReadingTest::datetimeRow);

    List<Row> first = rows(database.window("d", "updated_at", null, at(".003"), inclusive()));
    assertThat(first)
        .extracting(row -> row.get("id"), row -> row.get("updated_at"), Row::position)
        .containsExactly(
            tuple(
                1,
                1_704_067_200_003_000L,
                new Cursor.Keyed("2024-01-01T00:00:00.003", List.of("1"), "[\"id\"]")));
    assertThat(sent("d"))
        .containsExactly(new TdsParameter("", "nvarchar(4000)", "2024-01-01T00:00:00.003"));
    assertThat(database.reading("d").sql()).contains("<= CAST(@P0 AS datetime)");

    assertThat(rows(database.window("d", "updated_at", at(".003"), at(".01"), inclusive())))
        .isEmpty();
    assertThat(database.reading("d").sql())
        .contains("> CAST(@P0 AS datetime)")
        .contains("<= CAST(@P1 AS datetime)");
    // Bounds between the ticks are those of the tick below.
    rows(database.window("d", "updated_at", at(".0059"), at(".0099"), inclusive()));
    assertThat(sent("d"))
        .extracting(TdsParameter::value)
        .containsExactly("2024-01-01T00:00:00.003", "2024-01-01T00:00:00.007");
  }

  /** One row at the first tick; compared as the casts in the statement would. */
  private static TdsAnswer datetimeRow(TdsStatement statement) {
    TdsAnswer.RowsBuilder answer =
        TdsAnswer.columns(
            TdsColumn.of("id", TdsType.integer()), TdsColumn.of("updated_at", TdsType.datetime()));
    String row = at(".003");
    List<TdsParameter> bounds = statement.parameters();
    boolean isAbove =
        bounds.size() == 1 || row.compareTo(String.valueOf(bounds.get(0).value())) > 0;
    boolean isBelow = row.compareTo(String.valueOf(bounds.get(bounds.size() - 1).value())) <= 0;
    return isAbove && isBelow
        ? answer.row(1, LocalDateTime.parse("2024-01-01T00:00:00.003333333")).rows()
        : answer.rows();
  }

  @Test
  void aWindowCutAfterARowGoesOnBehindIt() {
    database.table(
        SqlServerTables.named("t")
            .required("id", "int")
            .required("at", "datetimeoffset(7)")
            .key("id"));
    OffsetDateTime at = OffsetDateTime.parse("2024-01-01T01:00:00.1234567+01:00");
    database.rows(
        "t",
        statement ->
            TdsAnswer.columns(
                    TdsColumn.of("id", TdsType.integer()),
                    TdsColumn.of("at", TdsType.datetimeoffset(7)))
                .row(7, at)
                .row(8, at)
                .rows());
    ReadRequest window =
        database.window("t", "at", "2023-12-31T00:00:00Z", "2024-06-01T00:00:00Z", inclusive());

    Row row = TestingSource.rows(database.source(), window, 1).get(0);
    assertThat(row.get("at")).isEqualTo(1_704_067_200_123_456L);
    assertThat(row.position())
        .isEqualTo(new Cursor.Keyed("2024-01-01T00:00:00.1234567Z", List.of("7"), "[\"id\"]"));

    rows(TestingSource.after(window, row.position()));
    assertThat(database.reading("t").sql())
        .contains("WHERE r.[at] >= CAST(@P0 AS datetimeoffset(7))")
        .contains("(r.[at] > CAST(@P1 AS datetimeoffset(7)) OR (r.[at] = CAST(@P2 AS")
        .contains("r.[id] > CAST(@P3 AS int)")
        .endsWith(" ORDER BY r.[at], r.[id]");
    String text = "2024-01-01T00:00:00.1234567+00:00";
    assertThat(sent("t"))
        .extracting(TdsParameter::value)
        .containsExactly(text, text, text, "7", "2024-06-01T00:00:00.0000000+00:00");
  }

  @Test
  void s34RowversionsEndBeforeTheSmallestThatMayStillBeCommitted() {
    database.table(
        SqlServerTables.named("r").required("id", "int").required("rv", "rowversion").key("id"));
    database
        .server()
        .answer(
            "MIN_ACTIVE_ROWVERSION",
            TdsAnswer.columns(TdsColumn.of("", TdsType.bigint())).row(2002L).rows());
    database.rows(
        "r",
        statement ->
            TdsAnswer.columns(
                    TdsColumn.of("id", TdsType.integer()), TdsColumn.of("rv", TdsType.rowversion()))
                .row(1, version(2001))
                .rows());
    ReadRequest any = database.window("r", "rv", "2000", "2001", Direction.EXCLUSIVE);
    long end = database.source().largest(any.table().id(), any.column()).orElseThrow();
    assertThat(end).isEqualTo(2002);

    List<Row> rows =
        rows(database.window("r", "rv", "2000", Long.toString(end), Direction.EXCLUSIVE));

    assertThat(rows)
        .extracting(row -> row.get("rv"), Row::position)
        .containsExactly(tuple(version(2001), new Cursor.Keyed("2001", List.of("1"), "[\"id\"]")));
    assertThat(database.reading("r").sql())
        .contains("r.[rv] >= CONVERT(binary(8), @P0, 2) AND r.[rv] < CONVERT(binary(8), @P1, 2)");
    assertThat(sent("r"))
        .extracting(TdsParameter::value)
        .containsExactly("00000000000007D0", "00000000000007D2");
  }

  private static byte[] version(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  @Test
  void s19MoneyIsExact() {
    BigDecimal largest = new BigDecimal("922337203685477.5807");
    BigDecimal smallest = new BigDecimal("-214748.3648");

    Row row =
        full(
            List.of("money", "smallmoney"),
            List.of(TdsType.money(), TdsType.smallmoney()),
            largest,
            smallest);

    assertThat(row.get("c1")).isEqualTo(largest);
    assertThat(row.get("c2")).isEqualTo(smallest);
    assertThat(row.value().schema().field("c1").schema().parameters())
        .containsEntry("connect.decimal.precision", "19")
        .containsEntry("scale", "4");
  }

  @Test
  void s18DecimalAndNumericAreTheSame() {
    Row row =
        full(
            List.of("numeric(9,0)", "decimal(9,0)", "numeric(18,6)", "decimal(38,38)"),
            List.of(
                TdsType.numeric(9, 0),
                TdsType.decimal(9, 0),
                TdsType.numeric(18, 6),
                TdsType.decimal(38, 38)),
            new BigDecimal("5"),
            new BigDecimal("5"),
            new BigDecimal("123456789012.123456"),
            new BigDecimal("-0.12345678901234567890123456789012345678"));

    assertThat(row.get("c1")).isEqualTo(new BigDecimal("5"));
    assertThat(row.get("c2")).isEqualTo(row.get("c1"));
    assertThat(row.get("c3")).isEqualTo(new BigDecimal("123456789012.123456"));
    assertThat(row.get("c4"))
        .isEqualTo(new BigDecimal("-0.12345678901234567890123456789012345678"));
  }

  @Test
  void numbersTextsAndBytesArriveAsTheyAre() {
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    Row row =
        full(
            List.of(
                "tinyint",
                "smallint",
                "bigint",
                "bit",
                "real",
                "float",
                "nvarchar(max)",
                "varbinary(max)",
                "uniqueidentifier",
                "xml"),
            List.of(
                TdsType.tinyint(),
                TdsType.smallint(),
                TdsType.bigint(),
                TdsType.bit(),
                TdsType.real(),
                TdsType.floating(),
                TdsType.nvarcharMax(),
                TdsType.varbinaryMax(),
                TdsType.uniqueidentifier(),
                TdsType.xml()),
            255,
            -32768,
            Long.MIN_VALUE,
            true,
            1.5f,
            0.1,
            "grün 日本",
            new byte[] {0, -1},
            uuid,
            "<a>ü</a>");

    assertThat(IntStream.rangeClosed(1, 10).mapToObj(i -> row.get("c" + i)))
        .containsExactly(
            (short) 255,
            (short) -32768,
            Long.MIN_VALUE,
            true,
            1.5f,
            0.1,
            "grün 日本",
            new byte[] {0, -1},
            "00112233-4455-6677-8899-AABBCCDDEEFF",
            "<a>ü</a>");
  }

  @Test
  void timesKeepTheirDigitsWhateverTheZoneOfTheProcess() {
    Row row =
        full(
            List.of("date", "time(7)", "datetime2(7)", "smalldatetime", "datetimeoffset(7)"),
            List.of(
                TdsType.date(),
                TdsType.time(7),
                TdsType.datetime2(7),
                TdsType.smalldatetime(),
                TdsType.datetimeoffset(7)),
            LocalDate.parse("1582-10-10"),
            LocalTime.parse("23:59:59.9999999"),
            LocalDateTime.parse("1969-12-31T23:59:59.1234567"),
            LocalDateTime.parse("2079-06-06T23:59:00"),
            OffsetDateTime.parse("2024-03-10T02:30:00.1234567+05:30"));

    assertThat(row.get("c2")).isEqualTo(86_399_999_999L);
    assertThat(row.get("c3")).isEqualTo(-876_544L);
    assertThat(row.get("c4")).isEqualTo(3_453_321_540_000_000L);
    assertThat(row.get("c5")).isEqualTo(1_710_018_000_123_456L);
  }

  @Test
  void nullsStayNulls() {
    Row row =
        full(
            List.of("int", "datetime2(7)", "money", "nvarchar(max)", "bit"),
            List.of(
                TdsType.integer(),
                TdsType.datetime2(7),
                TdsType.money(),
                TdsType.nvarcharMax(),
                TdsType.bit()),
            null,
            null,
            null,
            null,
            null);

    assertThat(IntStream.rangeClosed(1, 5).mapToObj(i -> row.get("c" + i))).containsOnlyNulls();
  }

  @Test
  void rowsAreTakenAsTheyAreReadAndTheRestIsNeverSent() {
    database.table(SqlServerTables.named("big").required("id", "int").key("id"));
    database.rows(
        "big",
        statement ->
            TdsAnswer.columns(TdsColumn.of("id", TdsType.integer()))
                .generated(Integer.MAX_VALUE, List::of));

    try (RowCursor cursor = database.source().read(ReadRequest.full(database.described("big")))) {
      for (int i = 0; i < 1000; i++) {
        assertThat(cursor.next()).isTrue();
      }
      assertThat(cursor.value().get("id")).isEqualTo(999);
    }
    assertThat(database.server().bytesSent()).isLessThan(8L << 20);
    assertThat(database.server().connections()).isEqualTo(1);
  }

  @Test
  void snapshotIsUsedWhereItIsAllowed() {
    database.isolation(1, 0).table(SqlServerTables.named("t").required("id", "int").key("id"));
    database.rows(
        "t", statement -> TdsAnswer.columns(TdsColumn.of("id", TdsType.integer())).row(1).rows());

    rows(ReadRequest.full(database.described("t")));

    assertThat(levels()).containsExactly("set transaction isolation level  snapshot");
  }

  @Test
  void withoutSnapshotOnlyCommittedRowsAreRead() {
    database.isolation(0, 1).table(SqlServerTables.named("t").required("id", "int").key("id"));
    database.rows(
        "t", statement -> TdsAnswer.columns(TdsColumn.of("id", TdsType.integer())).row(1).rows());

    rows(ReadRequest.full(database.described("t")));

    assertThat(levels()).allMatch(level -> level.contains("read committed"));
  }

  private List<String> levels() {
    return database.server().everyStatement().stream()
        .map(statement -> statement.sql().strip())
        .filter(sql -> sql.startsWith("set transaction isolation level"))
        .toList();
  }

  /** The one row of a table with columns c1, c2, … */
  private Row full(List<String> declared, List<TdsType> types, Object... values) {
    SqlServerTables table = SqlServerTables.named("types");
    TdsColumn[] columns = new TdsColumn[types.size()];
    for (int i = 0; i < declared.size(); i++) {
      table.column("c" + (i + 1), declared.get(i));
      columns[i] = TdsColumn.of("c" + (i + 1), types.get(i));
    }
    database.table(table);
    database.rows("types", statement -> TdsAnswer.columns(columns).row(values).rows());
    List<Row> rows = rows(ReadRequest.full(database.described("types")));
    assertThat(rows).hasSize(1);
    return rows.get(0);
  }

  private List<TdsParameter> sent(String table) {
    return database.reading(table).parameters();
  }

  private List<Row> rows(ReadRequest request) {
    return TestingSource.rows(database.source(), request, Integer.MAX_VALUE);
  }

  private static Direction inclusive() {
    return Direction.INCLUSIVE;
  }

  private static String at(String fraction) {
    return "2024-01-01T00:00:00" + fraction;
  }
}
