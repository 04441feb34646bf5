package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.SliceRule;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes the statements that read rows; asks nothing of the database itself. A window is read in
 * the order of (watermark, key). There is no comparison of rows in this database, so a statement
 * that resumes has a plain bound on the watermark and below it the comparison column by column: an
 * index that begins with the watermark and goes on with the key gives the order.
 */
final class SqlServerQueries {
  /** The table's name inside the statement. */
  private static final String ROW = "r";

  private static final String ROW_HASH = "h.row_hash";

  private final ReadSettings settings;

  SqlServerQueries(ReadSettings settings) {
    this.settings = settings;
  }

  /**
   * The statement for a request.
   *
   * @param table as the catalogue describes it now
   */
  RowQuery query(ReadRequest request, SqlServerTable table) {
    if (table.types().isEmpty()) {
      throw ResumePoint.refused(table.id(), "it has no columns");
    }
    Building building = new Building(table);
    RowPositions positions =
        request.isWithoutWatermark() || request.rowsOf().isPresent()
            ? building.window(request)
            : building.everything();
    request.wantedShare().ifPresent(building::slice);
    return building.build(positions);
  }

  /** One statement in the making. */
  private final class Building {
    private final SqlServerTable table;
    private final List<SqlServerKeyColumn> key;
    private final List<String> names;
    private final List<String> items = new ArrayList<>();
    private final List<String> conditions = new ArrayList<>();
    private final List<String> order = new ArrayList<>();
    private final List<Object> parameters = new ArrayList<>();
    private final InfiniteValues infiniteValues = new InfiniteValues();
    private final RowLayout layout;
    private String hash = "";

    private Building(SqlServerTable table) {
      this.table = table;
      this.names = table.types().stream().map(SqlServerType::column).toList();
      this.key =
          table.source().uniqueKey().stream()
              .map(name -> new SqlServerKeyColumn(table.type(name).orElseThrow()))
              .toList();
      SqlServerColumns columns = new SqlServerColumns(settings, infiniteValues);
      List<ColumnReader> readers =
          table.types().stream().map(type -> columns.reader(type, sql(type.column()))).toList();
      readers.forEach(reader -> items.add(reader.expression()));
      this.layout = RowLayout.of(table.source(), readers, settings);
    }

    /** CHECKSUM is the same for keys that are equal by their collation. */
    private void slice(ReadRequest.Share share) {
      if (!(share.rule() instanceof SliceRule.Hash hash)) {
        throw ResumePoint.refused(table.id(), "SQL Server's tables are sliced by hash only");
      }
      conditions.add(
          "(CAST(CHECKSUM("
              + hash.key().stream().map(this::sql).collect(Collectors.joining(", "))
              + ") AS bigint) & 2147483647) % "
              + share.slice().count()
              + " = "
              + (share.slice().index() - 1));
    }

    private RowPositions everything() {
      return new RowPositions.None(keyIndexes());
    }

    private RowPositions window(ReadRequest request) {
      Optional<Cursor> after = request.startAfter();
      if (after.isPresent() && !request.table().uniqueKey().equals(table.source().uniqueKey())) {
        throw ResumePoint.refused(table.id(), "its key changed inside a window");
      }
      SqlServerWatermark watermark = watermark(request.column());
      order.add(sql(request.column().name()));
      int at = names.indexOf(request.column().name()) + 1;
      RowPositions positions =
          key.isEmpty()
              ? hashed(watermark, at, after)
              : keyed(watermark, at, request.column(), after);
      if (request.isWithoutWatermark()) {
        conditions.add(sql(request.column().name()) + " IS NULL");
        return positions;
      }
      Window window = request.window();
      if (after.isEmpty()) {
        WindowBound.lower(window)
            .filter(lower -> !watermark.isBelowAll(lower.value()))
            .ifPresent(lower -> bound(watermark, lower));
      }
      bound(watermark, WindowBound.upper(window));
      return positions;
    }

    private SqlServerWatermark watermark(WatermarkColumn asked) {
      SqlServerType type =
          table
              .type(asked.name())
              .orElseThrow(
                  () ->
                      ResumePoint.refused(
                          table.id(), "it has no column \"" + asked.name() + "\" (any more)"));
      WatermarkColumn column =
          SqlServerWatermarks.column(asked.name(), type.declared())
              .filter(found -> found.kind() == asked.kind())
              .orElseThrow(
                  () ->
                      ResumePoint.refused(
                          table.id(),
                          "its column \"" + asked.name() + "\" is now of type " + type.declared()));
      return new SqlServerWatermark(type, column);
    }

    private RowPositions keyed(
        SqlServerWatermark watermark, int at, WatermarkColumn column, Optional<Cursor> after) {
      String watermarkName = watermark.type().column();
      // A column may stand only once in the order, and the watermark may be part of the key.
      List<SqlServerKeyColumn> rest =
          key.stream().filter(part -> !part.type().column().equals(watermarkName)).toList();
      rest.forEach(part -> order.add(sql(part.type().column())));
      if (after.isPresent()) {
        Cursor.Keyed cursor = ResumePoint.keyed(table.source(), after.get());
        List<RowsAfter.Part> parts = new ArrayList<>();
        for (SqlServerKeyColumn part : rest) {
          Object value = part.parameter(cursor.key().get(key.indexOf(part)));
          parts.add(new RowsAfter.Part(sql(part.type().column()), part.placeholder(), value));
        }
        resume(watermark, cursor, parts, ">");
      }
      return new RowPositions.Keyed(watermark, at, keyIndexes(), table.source().order(column));
    }

    private RowPositions hashed(SqlServerWatermark watermark, int at, Optional<Cursor> after) {
      hash =
          " CROSS APPLY (SELECT "
              + SqlServerRowHash.of(table.types(), this::sql)
              + " AS row_hash) AS h";
      items.add("CONVERT(char(64), " + ROW_HASH + ", 2)");
      order.add(ROW_HASH);
      Cursor.Hashed cursor = null;
      if (after.isPresent()) {
        cursor = ResumePoint.hashed(table.source(), after.get());
        RowsAfter.Part part =
            new RowsAfter.Part(ROW_HASH, "CONVERT(binary(32), ?, 2)", cursor.hash());
        // With the hash itself, as not all rows that have it may have been handed over.
        resume(watermark, cursor, List.of(part), ">=");
      }
      return new RowPositions.Hashed(
          watermark, at, items.size(), table.source().fingerprint(), cursor);
    }

    /** Rows above a watermark, or with the same and behind the cursor. */
    private void resume(
        SqlServerWatermark watermark, Cursor cursor, List<RowsAfter.Part> within, String last) {
      if (cursor.isWithoutWatermark()) {
        behind(new RowsAfter(within, last));
        return;
      }
      String value = watermark.parameter(cursor.value());
      RowsAfter.Part own =
          new RowsAfter.Part(sql(watermark.type().column()), watermark.placeholder(value), value);
      List<RowsAfter.Part> parts = new ArrayList<>(List.of(own));
      parts.addAll(within);
      conditions.add(own.column() + " >= " + own.placeholder());
      parameters.add(value);
      behind(new RowsAfter(parts, last));
    }

    private void behind(RowsAfter rows) {
      conditions.add(rows.sql());
      parameters.addAll(rows.parameters());
    }

    private void bound(SqlServerWatermark watermark, WindowBound bound) {
      String value = watermark.parameter(bound.value(), bound.rounding());
      conditions.add(
          sql(watermark.type().column())
              + " "
              + bound.operator()
              + " "
              + watermark.placeholder(value));
      parameters.add(value);
    }

    /** Where the texts of the key stand in the select list, which is added to where it must be. */
    private List<Integer> keyIndexes() {
      List<Integer> indexes = new ArrayList<>();
      for (SqlServerKeyColumn column : key) {
        String name = column.type().column();
        if (column.readsAsText()) {
          indexes.add(names.indexOf(name) + 1);
        } else {
          items.add(column.text(sql(name)));
          indexes.add(items.size());
        }
      }
      return indexes;
    }

    private RowQuery build(RowPositions positions) {
      String sql =
          "SELECT "
              + String.join(", ", items)
              + " FROM "
              + SqlServerDialect.quoted(table.id())
              + " AS "
              + ROW
              + table.hint()
              + hash
              + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
              + (order.isEmpty() ? "" : " ORDER BY " + String.join(", ", order));
      return new RowQuery(table.id(), sql, parameters, layout, positions, infiniteValues);
    }

    private String sql(String column) {
      return ROW + "." + SqlServerDialect.quoted(column);
    }
  }
}
