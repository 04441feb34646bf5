package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.TestingPostgres;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import io.lakexpress.watermark.Window;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;

/** A source on a database of its own, and short words for reading from it. */
final class TestingSource implements AutoCloseable {
  private final TestingPostgres postgres = TestingPostgres.createDatabase();
  private final List<JdbcSource> opened = new ArrayList<>();
  private final JdbcSource source = open(ReadSettings.defaults(), Map.of());

  record Row(Struct value, Struct key, Cursor position) {
    Object get(String field) {
      return value.get(field);
    }
  }

  TestingPostgres postgres() {
    return postgres;
  }

  JdbcSource source() {
    return source;
  }

  JdbcSource open(ReadSettings settings, Map<String, String> properties) {
    JdbcSource another =
        JdbcSource.open(
            new SourceTarget(postgres.url(), postgres.user(), null, properties, "test"), settings);
    opened.add(another);
    return another;
  }

  /** Another user, who needs no password. */
  JdbcSource openAs(String user) {
    return JdbcSource.open(
        new SourceTarget(postgres.url(), user, null, Map.of(), "test"), ReadSettings.defaults());
  }

  TestingSource run(String... statements) {
    postgres.run(statements);
    return this;
  }

  SourceTable table(String name) {
    return source.table(new TableId("public", name)).orElseThrow();
  }

  WatermarkColumn column(String table, String column) {
    return source.watermarkColumn(table(table).column(column).orElseThrow()).orElseThrow();
  }

  /** A window up to and with a bound, open below. */
  ReadRequest first(String table, String column, String upper) {
    WatermarkColumn watermark = column(table, column);
    return new ReadRequest(
        table(table),
        watermark,
        Window.first(WatermarkValue.parse(watermark.kind(), upper), Direction.INCLUSIVE),
        null);
  }

  ReadRequest window(String table, String column, String lower, String upper, Direction direction) {
    WatermarkColumn watermark = column(table, column);
    return new ReadRequest(
        table(table),
        watermark,
        new Window(
            WatermarkValue.parse(watermark.kind(), lower),
            WatermarkValue.parse(watermark.kind(), upper),
            direction),
        null);
  }

  static ReadRequest after(ReadRequest request, Cursor cursor) {
    // Through the text form, as a restart would.
    Cursor kept = cursor == null ? null : Cursor.parse(cursor.value(), cursor.keyText());
    return new ReadRequest(request.table(), request.column(), request.window(), kept);
  }

  List<Row> rows(ReadRequest request) {
    return rows(source, request, Integer.MAX_VALUE);
  }

  static List<Row> rows(JdbcSource source, ReadRequest request, int limit) {
    List<Row> rows = new ArrayList<>();
    try (RowCursor cursor = source.read(request)) {
      while (rows.size() < limit && cursor.next()) {
        rows.add(new Row(cursor.value(), cursor.key(), cursor.position()));
      }
    }
    return rows;
  }

  List<Object> column(ReadRequest request, String field) {
    List<Object> values = new ArrayList<>();
    rows(request).forEach(row -> values.add(row.get(field)));
    return values;
  }

  /** How the database would run the statement of a request. */
  String plan(ReadRequest request) throws SQLException {
    PostgresDialect dialect = new PostgresDialect();
    SourceTarget target = new SourceTarget(postgres.url(), postgres.user(), null, Map.of(), "plan");
    try (Connection connection = dialect.connect(target)) {
      connection.setAutoCommit(false);
      RowQuery query =
          dialect.query(
              new Session(connection, new Cancellation()), request, ReadSettings.defaults());
      try (PreparedStatement statement = connection.prepareStatement("EXPLAIN " + query.sql())) {
        query.bind(statement);
        StringBuilder plan = new StringBuilder();
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            plan.append(rows.getString(1)).append('\n');
          }
        }
        return plan.toString();
      }
    }
  }

  @Override
  public void close() {
    opened.forEach(JdbcSource::close);
  }
}
