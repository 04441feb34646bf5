package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.jdbc.WatermarkForm.Width;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.Window;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the statements that read rows. A window is read in the order of (watermark, key); a
 * statement that resumes has both a plain bound on the watermark and a row comparison, so that an
 * index that begins with the watermark gives the order and nothing is sorted.
 */
final class PostgresQueries {
  /** The table's name inside the statement. */
  private static final String ROW = "r";

  /** Types whose value in the select list reads as the text that the key is cast from. */
  private static final Set<String> READS_AS_TEXT =
      Set.of("int2", "int4", "int8", "text", "varchar", "uuid");

  private static final String ROW_HASH =
      "encode(sha256(convert_to((r.*)::text, getdatabaseencoding())), 'hex') COLLATE \"C\"";

  private final Session session;
  private final PostgresCatalog catalog;
  private final ReadSettings settings;

  PostgresQueries(Session session, ReadSettings settings) {
    this.session = session;
    this.catalog = new PostgresCatalog(session);
    this.settings = settings;
  }

  RowQuery query(ReadRequest request) throws SQLException {
    Building building = building(request);
    RowPositions positions = building.positions(request);
    if (request.wantedShare().isPresent()) {
      building.slice(request.wantedShare().get());
    }
    return building.build(positions);
  }

  /** See {@link PostgresSlices#bounds}. */
  List<String> sliceBounds(ReadRequest request, String column, SliceMethod method, int count)
      throws SQLException {
    Building building = building(request);
    building.positions(request);
    return session.list(
        building.slices().bounds(column, method, count, building.source()),
        rows -> rows.getString(1),
        building.parameters.toArray());
  }

  private Building building(ReadRequest request) throws SQLException {
    TableId id = request.table().id();
    SourceTable table =
        catalog
            .table(id)
            .orElseThrow(() -> ResumePoint.refused(id, "it does not exist (any more)"));
    List<PostgresType> types =
        session.list(PostgresTypes.OF_TABLE, PostgresTypes::read, id.schema(), id.table());
    if (types.isEmpty()) {
      throw ResumePoint.refused(id, "it has no columns");
    }
    return new Building(table, types);
  }

  /** One statement in the making. */
  private final class Building {
    private final SourceTable table;
    private final List<PostgresType> types;
    private final List<String> names;
    private final List<String> items = new ArrayList<>();
    private final List<String> conditions = new ArrayList<>();
    private final List<String> order = new ArrayList<>();
    private final List<Object> parameters = new ArrayList<>();
    private final InfiniteValues infiniteValues = new InfiniteValues();
    private final RowLayout layout;

    private Building(SourceTable table, List<PostgresType> types) throws SQLException {
      this.table = table;
      this.types = types;
      this.names = types.stream().map(PostgresType::column).toList();
      boolean money = types.stream().anyMatch(type -> type.name().equals("money"));
      PostgresColumns columns =
          new PostgresColumns(settings, infiniteValues, money ? catalog.moneyScale() : 0);
      List<ColumnReader> readers =
          types.stream().map(type -> columns.reader(type, sql(type.column()))).toList();
      readers.forEach(reader -> items.add(reader.expression()));
      this.layout = RowLayout.of(table, readers, settings);
    }

    private RowPositions positions(ReadRequest request) throws SQLException {
      return request.isWithoutWatermark() || request.rowsOf().isPresent()
          ? window(request)
          : everything();
    }

    private PostgresSlices slices() {
      return new PostgresSlices(this::sql, this::type);
    }

    /** Narrows the rows to those of a slice, without changing the order they are found in. */
    private void slice(ReadRequest.Share share) throws SQLException {
      if (!order.isEmpty()) {
        // What a slice takes is not in the statistics: few rows would seem cheap to sort.
        session.first("SELECT set_config('enable_sort', 'off', true)", rows -> 1);
      }
      for (PostgresSlices.Condition condition : slices().conditions(share)) {
        conditions.add(condition.sql());
        parameters.addAll(condition.parameters());
      }
    }

    private RowPositions everything() {
      return new RowPositions.None(keyIndexes());
    }

    private RowPositions window(ReadRequest request) throws SQLException {
      WatermarkColumn column = request.column();
      Optional<Cursor> after = request.startAfter();
      int at = names.indexOf(column.name());
      if (at < 0) {
        throw ResumePoint.refused(
            table.id(), "it has no column \"" + column.name() + "\" (any more)");
      }
      Width width = types.get(at).name().equals("numeric") ? Width.DECIMAL : Width.LONG;
      WatermarkForm form = new WatermarkForm(column.kind(), width);
      String watermark = sql(column.name());
      if (after.isPresent() && !request.table().uniqueKey().equals(table.uniqueKey())) {
        throw ResumePoint.refused(table.id(), "its key changed inside a window");
      }
      order.add(watermark);
      RowPositions positions =
          table.uniqueKey().isEmpty()
              ? hashed(form, at + 1, watermark, after)
              : keyed(form, at + 1, column, after);
      if (request.isWithoutWatermark()) {
        conditions.add(watermark + " IS NULL");
        return positions;
      }
      Window window = request.window();
      if (after.isEmpty()) {
        WindowBound.lower(window).ifPresent(lower -> bound(form, watermark, lower));
      }
      bound(form, watermark, WindowBound.upper(window));
      return positions;
    }

    private RowPositions keyed(
        WatermarkForm form, int watermarkIndex, WatermarkColumn column, Optional<Cursor> after)
        throws SQLException {
      List<String> key = table.uniqueKey();
      streamInIndexOrder();
      seeOperatorsOf(key);
      key.forEach(name -> order.add(sql(name)));
      if (after.isPresent()) {
        Cursor.Keyed cursor = ResumePoint.keyed(table, after.get());
        String names = key.stream().map(this::sql).collect(Collectors.joining(", "));
        String values =
            key.stream()
                .map(name -> "?::" + type(name).declared())
                .collect(Collectors.joining(", "));
        behind(form, sql(column.name()), cursor, names, ">", values);
        cursor.key().forEach(text -> parameters.add(new RowQuery.Untyped(text)));
      }
      return new RowPositions.Keyed(form, watermarkIndex, keyIndexes(), table.order(column));
    }

    private RowPositions hashed(
        WatermarkForm form, int watermarkIndex, String watermark, Optional<Cursor> after) {
      order.add(ROW_HASH);
      items.add(ROW_HASH);
      Cursor.Hashed cursor = null;
      if (after.isPresent()) {
        cursor = ResumePoint.hashed(table, after.get());
        behind(form, watermark, cursor, ROW_HASH, ">=", "?::text");
        parameters.add(new RowQuery.Untyped(cursor.hash()));
      }
      return new RowPositions.Hashed(
          form, watermarkIndex, items.size(), table.fingerprint(), cursor);
    }

    /** The rows at a cursor and behind it; what is to be bound for the rest comes next. */
    private void behind(
        WatermarkForm form,
        String watermark,
        Cursor cursor,
        String rest,
        String comparison,
        String values) {
      if (cursor.isWithoutWatermark()) {
        conditions.add("(" + rest + ") " + comparison + " (" + values + ")");
        return;
      }
      Object value = form.parameter(cursor.value());
      bound(watermark + " >= ?", value);
      bound("(" + watermark + ", " + rest + ") " + comparison + " (?, " + values + ")", value);
    }

    private void bound(WatermarkForm form, String watermark, WindowBound bound) {
      bound(
          watermark + " " + bound.operator() + " ?",
          form.parameter(bound.value(), bound.rounding()));
    }

    private void bound(String condition, Object parameter) {
      conditions.add(condition);
      parameters.add(parameter);
    }

    /** Where the texts of the key stand in the select list, which is added to where it must be. */
    private List<Integer> keyIndexes() {
      List<Integer> indexes = new ArrayList<>();
      for (String column : table.uniqueKey()) {
        PostgresType type = type(column);
        if (type.isBuiltIn() && !type.isArray() && READS_AS_TEXT.contains(type.name())) {
          indexes.add(names.indexOf(column) + 1);
        } else {
          items.add(sql(column) + "::text");
          indexes.add(items.size());
        }
      }
      return indexes;
    }

    /** A bitmap has no order, so it would cost a sort of the whole window before its first row. */
    private void streamInIndexOrder() throws SQLException {
      session.first("SELECT set_config('enable_bitmapscan', 'off', true)", rows -> 1);
    }

    /**
     * ORDER BY finds the order of a type wherever the type lives, a comparison only what the search
     * path shows; both must mean the same.
     */
    private void seeOperatorsOf(List<String> key) throws SQLException {
      for (String column : key) {
        PostgresType type = type(column);
        if (!type.isBuiltIn()) {
          session.first(
              "SELECT set_config('search_path',"
                  + " current_setting('search_path') || ', ' || quote_ident(?), true)",
              rows -> rows.getString(1),
              type.schema());
        }
      }
    }

    private RowQuery build(RowPositions positions) {
      String sql =
          "SELECT "
              + String.join(", ", items)
              + source()
              + (order.isEmpty() ? "" : " ORDER BY " + String.join(", ", order));
      return new RowQuery(table.id(), sql, parameters, layout, positions, infiniteValues);
    }

    private String source() {
      return " FROM "
          + PostgresCatalog.from(table.id(), table.kind())
          + " AS "
          + ROW
          + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions));
    }

    private PostgresType type(String column) {
      int at = names.indexOf(column);
      if (at < 0) {
        throw ResumePoint.refused(table.id(), "it has no column \"" + column + "\" (any more)");
      }
      return types.get(at);
    }

    private String sql(String column) {
      return ROW + "." + PostgresDialect.quoted(column);
    }
  }
}
