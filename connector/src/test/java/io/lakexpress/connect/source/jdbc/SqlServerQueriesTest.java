package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import io.lakexpress.watermark.Window;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The statements themselves, to the letter: no SQL Server runs here. */
class SqlServerQueriesTest {
  private static final SqlServerTable ORDERS =
      SqlServerTables.named("orders")
          .required("id", "int")
          .required("updated_at", "datetime2(7)")
          .column("note", "nvarchar(50)")
          .key("id")
          .table();

  private static final SqlServerTable KEYLESS =
      SqlServerTables.named("log")
          .column("at", "datetime")
          .column("text", "ntext")
          .column("any", "sql_variant")
          .table();

  private static RowQuery full(SqlServerTable table) {
    return query(table, ReadRequest.full(table.source()));
  }

  private static RowQuery query(SqlServerTable table, ReadRequest request) {
    return new SqlServerQueries(ReadSettings.defaults()).query(request, table);
  }

  private static ReadRequest window(
      SqlServerTable table, String column, String lower, String upper, Direction direction) {
    WatermarkColumn watermark =
        SqlServerWatermarks.column(column, table.type(column).orElseThrow().declared())
            .orElseThrow();
    return new ReadRequest(
        table.source(),
        watermark,
        new Window(
            lower == null ? null : WatermarkValue.parse(watermark.kind(), lower),
            WatermarkValue.parse(watermark.kind(), upper),
            direction),
        null);
  }

  private static ReadRequest after(ReadRequest request, Cursor cursor) {
    return new ReadRequest(request.table(), request.column(), request.window(), cursor);
  }

  @Test
  void aFullExportReadsEveryColumnByName() {
    RowQuery query = full(ORDERS);

    assertThat(query.sql())
        .isEqualTo("SELECT r.[id], r.[updated_at], r.[note] FROM [dbo].[orders] AS r");
    assertThat(query.parameters()).isEmpty();
  }

  @Test
  void namesAreQuotedWhateverTheyHold() {
    SqlServerTable table =
        SqlServerTables.named("Order [Lines]").column("a]b", "int").column("c d\"", "int").table();

    assertThat(full(table).sql())
        .isEqualTo("SELECT r.[a]]b], r.[c d\"] FROM [dbo].[Order [Lines]]] AS r");
  }

  @Test
  void aFirstWindowIsOpenBelow() {
    RowQuery query =
        query(
            ORDERS,
            window(ORDERS, "updated_at", null, "2026-12-01T03:30:00.1234567", Direction.INCLUSIVE));

    assertThat(query.sql())
        .isEqualTo(
            "SELECT r.[id], r.[updated_at], r.[note] FROM [dbo].[orders] AS r"
                + " WHERE r.[updated_at] <= CAST(? AS datetime2(7))"
                + " ORDER BY r.[updated_at], r.[id]");
    assertThat(query.parameters()).containsExactly("2026-12-01T03:30:00.1234567");
  }

  @Test
  void theDirectionSaysWhichBoundBelongsToTheWindow() {
    assertThat(
            query(
                    ORDERS,
                    window(
                        ORDERS,
                        "updated_at",
                        "2026-12-01T00:00:00",
                        "2026-12-02T00:00:00",
                        Direction.INCLUSIVE))
                .sql())
        .contains(
            " WHERE r.[updated_at] > CAST(? AS datetime2(7))"
                + " AND r.[updated_at] <= CAST(? AS datetime2(7)) ");
    assertThat(
            query(
                    ORDERS,
                    window(
                        ORDERS,
                        "updated_at",
                        "2026-12-01T00:00:00",
                        "2026-12-02T00:00:00",
                        Direction.EXCLUSIVE))
                .sql())
        .contains(
            " WHERE r.[updated_at] >= CAST(? AS datetime2(7))"
                + " AND r.[updated_at] < CAST(? AS datetime2(7)) ");
  }

  @Test
  void aWindowIsResumedBehindTheCursorInIndexOrder() {
    ReadRequest request =
        window(
            ORDERS,
            "updated_at",
            "2026-12-01T00:00:00",
            "2026-12-02T00:00:00",
            Direction.INCLUSIVE);

    RowQuery query =
        query(
            ORDERS,
            after(
                request,
                new Cursor.Keyed("2026-12-01T03:30:00.1234567", List.of("7"), "[\"id\"]")));

    assertThat(query.sql())
        .isEqualTo(
            "SELECT r.[id], r.[updated_at], r.[note] FROM [dbo].[orders] AS r"
                + " WHERE r.[updated_at] >= CAST(? AS datetime2(7))"
                + " AND (r.[updated_at] > CAST(? AS datetime2(7))"
                + " OR (r.[updated_at] = CAST(? AS datetime2(7)) AND r.[id] > CAST(? AS int)))"
                + " AND r.[updated_at] <= CAST(? AS datetime2(7))"
                + " ORDER BY r.[updated_at], r.[id]");
    assertThat(query.parameters())
        .containsExactly(
            "2026-12-01T03:30:00.1234567",
            "2026-12-01T03:30:00.1234567",
            "2026-12-01T03:30:00.1234567",
            "7",
            "2026-12-02T00:00:00.0000000");
  }

  @Test
  void aKeyOfSeveralColumnsIsComparedColumnByColumn() {
    SqlServerTable lines =
        SqlServerTables.named("lines")
            .required("order_id", "bigint")
            .required("code", "varchar(12)")
            .required("at", "datetimeoffset(3)")
            .key("order_id", "code")
            .table();
    ReadRequest request =
        window(lines, "at", null, "2026-12-02T00:00:00.0019Z", Direction.INCLUSIVE);

    RowQuery query =
        query(
            lines,
            after(
                request,
                new Cursor.Keyed(
                    "2026-12-01T03:30:00.123Z", List.of("7", "ä"), "[\"order_id\",\"code\"]")));

    assertThat(query.sql())
        .contains(
            " WHERE r.[at] >= CAST(? AS datetimeoffset(3))"
                + " AND (r.[at] > CAST(? AS datetimeoffset(3))"
                + " OR (r.[at] = CAST(? AS datetimeoffset(3))"
                + " AND (r.[order_id] > CAST(? AS bigint)"
                + " OR (r.[order_id] = CAST(? AS bigint)"
                + " AND r.[code] > CAST(? COLLATE Latin1_General_CI_AS AS varchar(12))))))"
                + " AND r.[at] <= CAST(? AS datetimeoffset(3))"
                + " ORDER BY r.[at], r.[order_id], r.[code]");
    assertThat(query.parameters())
        .containsExactly(
            "2026-12-01T03:30:00.1230000+00:00",
            "2026-12-01T03:30:00.1230000+00:00",
            "2026-12-01T03:30:00.1230000+00:00",
            "7",
            "7",
            "ä",
            "2026-12-02T00:00:00.0010000+00:00");
  }

  @Test
  void aWatermarkThatIsPartOfTheKeyStandsInTheOrderOnce() {
    SqlServerTable days =
        SqlServerTables.named("days")
            .required("day", "date")
            .required("shop", "smallint")
            .key("day", "shop")
            .table();
    ReadRequest request = window(days, "day", null, "2026-12-01", Direction.INCLUSIVE);

    RowQuery query =
        query(
            days,
            after(
                request,
                new Cursor.Keyed("2026-11-30", List.of("2026-11-30", "4"), "[\"day\",\"shop\"]")));

    assertThat(query.sql())
        .isEqualTo(
            "SELECT r.[day], r.[shop], CONVERT(varchar(10), r.[day], 23) FROM [dbo].[days] AS r"
                + " WHERE r.[day] >= CAST(? AS date) AND (r.[day] > CAST(? AS date)"
                + " OR (r.[day] = CAST(? AS date) AND r.[shop] > CAST(? AS smallint)))"
                + " AND r.[day] <= CAST(? AS date) ORDER BY r.[day], r.[shop]");
    assertThat(query.parameters())
        .containsExactly("2026-11-30", "2026-11-30", "2026-11-30", "4", "2026-12-01");
  }

  @Test
  void aWatermarkThatIsTheKeyIsComparedAlone() {
    SqlServerTable numbers = SqlServerTables.named("n").required("id", "int").key("id").table();
    ReadRequest request = window(numbers, "id", null, "90", Direction.INCLUSIVE);

    RowQuery query =
        query(numbers, after(request, new Cursor.Keyed("5", List.of("5"), "[\"id\"]")));

    assertThat(query.sql())
        .isEqualTo(
            "SELECT r.[id] FROM [dbo].[n] AS r WHERE r.[id] >= CAST(? AS int)"
                + " AND r.[id] > CAST(? AS int) AND r.[id] <= CAST(? AS int) ORDER BY r.[id]");
    assertThat(query.parameters()).containsExactly("5", "5", "90");
  }

  @Test
  void aTableWithoutKeyIsReadInTheOrderOfItsRowsHash() {
    ReadRequest request =
        window(KEYLESS, "at", null, "2026-12-01T00:00:00.005", Direction.INCLUSIVE);

    RowQuery query = query(KEYLESS, request);

    assertThat(query.sql())
        .startsWith("SELECT r.[at], r.[text], CASE CAST(SQL_VARIANT_PROPERTY(r.[any], 'BaseType')")
        .endsWith(
            ", CONVERT(char(64), h.row_hash, 2) FROM [dbo].[log] AS r CROSS APPLY (SELECT"
                + " HASHBYTES('SHA2_256', CAST(0x AS varbinary(max))"
                + " + CASE WHEN r.[at] IS NULL THEN 0x00 ELSE 0x01"
                + " + HASHBYTES('SHA2_256', CAST(r.[at] AS varbinary(max))) END"
                + " + CASE WHEN r.[text] IS NULL THEN 0x00 ELSE 0x01 + HASHBYTES('SHA2_256',"
                + " CAST(CAST(r.[text] AS nvarchar(max)) AS varbinary(max))) END"
                + " + CASE WHEN r.[any] IS NULL THEN 0x00 ELSE 0x01 + HASHBYTES('SHA2_256',"
                + " CAST(CAST(r.[any] AS varbinary(8000)) AS varbinary(max))"
                + " + CAST(SQL_VARIANT_PROPERTY(r.[any], 'BaseType') AS varbinary(256))) END"
                + ") AS row_hash) AS h WHERE r.[at] <= CAST(? AS datetime)"
                + " ORDER BY r.[at], h.row_hash");
    assertThat(query.parameters()).containsExactly("2026-12-01T00:00:00.003");
  }

  @Test
  void aKeylessWindowIsResumedAtTheHashItself() {
    ReadRequest request = window(KEYLESS, "at", null, "2026-12-01T00:00:00", Direction.INCLUSIVE);
    String fingerprint = KEYLESS.source().fingerprint();

    RowQuery query =
        query(
            KEYLESS,
            after(request, new Cursor.Hashed("2026-11-30T10:00:00.003", "AB", 2, fingerprint)));

    assertThat(query.sql())
        .contains(
            " WHERE r.[at] >= CAST(? AS datetime) AND (r.[at] > CAST(? AS datetime)"
                + " OR (r.[at] = CAST(? AS datetime)"
                + " AND h.row_hash >= CONVERT(binary(32), ?, 2)))"
                + " AND r.[at] <= CAST(? AS datetime) ORDER BY ");
    assertThat(query.parameters())
        .containsExactly(
            "2026-11-30T10:00:00.003",
            "2026-11-30T10:00:00.003",
            "2026-11-30T10:00:00.003",
            "AB",
            "2026-12-01T00:00:00.000");
  }

  @Test
  void s34RowversionsAreReadUpToTheSmallestThatMayStillBeCommitted() {
    SqlServerTable table =
        SqlServerTables.named("r")
            .required("id", "int")
            .required("rv", "rowversion")
            .key("id")
            .table();

    RowQuery query =
        query(table, window(table, "rv", "2001", "18446744073709551615", Direction.EXCLUSIVE));

    assertThat(query.sql())
        .isEqualTo(
            "SELECT r.[id], r.[rv] FROM [dbo].[r] AS r"
                + " WHERE r.[rv] >= CONVERT(binary(8), ?, 2) AND r.[rv] < CONVERT(binary(8), ?, 2)"
                + " ORDER BY r.[rv], r.[id]");
    assertThat(query.parameters()).containsExactly("00000000000007D1", "FFFFFFFFFFFFFFFF");
  }

  @Test
  void aLowerBoundBelowAllThatATypeHoldsIsLeftOut() {
    RowQuery query =
        query(
            KEYLESS,
            window(
                KEYLESS, "at", "1600-01-01T00:00:00", "2026-12-01T00:00:00", Direction.INCLUSIVE));

    assertThat(query.sql()).contains(" WHERE r.[at] <= CAST(? AS datetime) ORDER BY ");
  }

  @Test
  void tablesInMemoryAreReadByAHint() {
    SqlServerTable table =
        SqlServerTables.named("m").required("id", "int").key("id").inMemory().table();

    assertThat(full(table).sql()).isEqualTo("SELECT r.[id] FROM [dbo].[m] AS r WITH (SNAPSHOT)");
  }

  @Test
  void cursorsOfAnotherTableAreRefused() {
    ReadRequest request =
        window(ORDERS, "updated_at", null, "2026-12-01T00:00:00", Direction.INCLUSIVE);

    assertThatThrownBy(
            () ->
                query(
                    ORDERS,
                    after(request, new Cursor.Hashed("2026-11-30T00:00:00", "AB", 1, "other"))))
        .isInstanceOf(SourceException.class)
        .hasMessage(
            "Cannot read dbo.orders: its key is not the one that the window was begun with");
    assertThatThrownBy(
            () ->
                query(
                    KEYLESS,
                    after(
                        window(KEYLESS, "at", null, "2026-12-01T00:00:00", Direction.INCLUSIVE),
                        new Cursor.Hashed("2026-11-30T00:00:00", "AB", 1, "other"))))
        .isInstanceOf(SourceException.class)
        .hasMessage(
            "Cannot read dbo.log: its columns are not those that the window was begun with");
  }

  @Test
  void aWatermarkColumnThatIsGoneOrOfAnotherKindIsRefused() {
    SqlServerTable dropped =
        SqlServerTables.named("orders").required("id", "int").key("id").table();
    SqlServerTable retyped =
        SqlServerTables.named("orders")
            .required("id", "int")
            .required("updated_at", "datetimeoffset(7)")
            .key("id")
            .table();
    ReadRequest request =
        window(ORDERS, "updated_at", null, "2026-12-01T00:00:00", Direction.INCLUSIVE);

    assertThatThrownBy(() -> query(dropped, request))
        .hasMessage("Cannot read dbo.orders: it has no column \"updated_at\" (any more)");
    assertThatThrownBy(() -> query(retyped, request))
        .hasMessage(
            "Cannot read dbo.orders: its column \"updated_at\" is now of type datetimeoffset(7)");
  }
}
