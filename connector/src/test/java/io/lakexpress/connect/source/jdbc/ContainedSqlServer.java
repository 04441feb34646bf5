package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.TestingSqlServer;
import io.lakexpress.connect.source.jdbc.TestingSource.Row;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import io.lakexpress.watermark.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;

/** A source on a database of its own in a real SQL Server, and short words for reading from it. */
final class ContainedSqlServer implements AutoCloseable {
  private final TestingSqlServer server = TestingSqlServer.createDatabase();
  private final JdbcSource source = open(server.user(), server.password());

  JdbcSource open(String user, String password) {
    return JdbcSource.open(
        new SourceTarget(server.url(), user, password, Map.of(), "test"), ReadSettings.defaults());
  }

  TestingSqlServer server() {
    return server;
  }

  JdbcSource source() {
    return source;
  }

  ContainedSqlServer run(String... statements) {
    server.run(statements);
    return this;
  }

  SourceTable table(String name) {
    return source.table(new TableId("dbo", name)).orElseThrow();
  }

  WatermarkColumn column(String table, String column) {
    return source.watermarkColumn(table(table).column(column).orElseThrow()).orElseThrow();
  }

  ReadRequest first(String table, String column, String upper) {
    WatermarkColumn watermark = column(table, column);
    Window window =
        Window.first(WatermarkValue.parse(watermark.kind(), upper), Direction.INCLUSIVE);
    return new ReadRequest(table(table), watermark, window, null);
  }

  ReadRequest window(String table, String column, String lower, String upper, Direction direction) {
    WatermarkColumn watermark = column(table, column);
    Window window =
        new Window(
            WatermarkValue.parse(watermark.kind(), lower),
            WatermarkValue.parse(watermark.kind(), upper),
            direction);
    return new ReadRequest(table(table), watermark, window, null);
  }

  List<Row> rows(ReadRequest request) {
    return TestingSource.rows(source, request, Integer.MAX_VALUE);
  }

  List<Object> ids(ReadRequest request) {
    return rows(request).stream().map(row -> row.get("id")).toList();
  }

  /** Reads once; then, for each row, what comes behind it; says how the two differ. */
  List<String> differencesOfCuts(ReadRequest request) {
    List<Row> all = rows(request);
    List<Struct> values = all.stream().map(Row::value).toList();
    List<String> differences = new ArrayList<>();
    for (int cut = 0; cut < all.size(); cut++) {
      List<Struct> joined = new ArrayList<>(values.subList(0, cut + 1));
      rows(TestingSource.after(request, all.get(cut).position()))
          .forEach(row -> joined.add(row.value()));
      if (!joined.equals(values)) {
        differences.add("cut after row " + cut + ": " + joined + " instead of " + values);
      }
    }
    return differences;
  }

  @Override
  public void close() {
    source.close();
  }
}
