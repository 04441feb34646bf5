package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.jdbc.tds.TdsAnswer;
import io.lakexpress.connect.source.jdbc.tds.TdsColumn;
import io.lakexpress.connect.source.jdbc.tds.TdsStatement;
import io.lakexpress.connect.source.jdbc.tds.TdsType;
import io.lakexpress.connect.source.jdbc.tds.TestingTdsServer;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import io.lakexpress.watermark.Window;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A source on a hand-made server, which answers the questions to the catalogue from tables that are
 * written down, and statements that read rows as the test says; not SQL Server.
 */
final class ScriptedSqlServer implements AutoCloseable {
  private final TestingTdsServer server = TestingTdsServer.start();
  private final List<SqlServerTable> tables = new ArrayList<>();
  private final JdbcSource source =
      JdbcSource.open(
          new SourceTarget(server.url(), "reader", "secret", Map.of(), "test"),
          ReadSettings.defaults());

  ScriptedSqlServer() {
    server.answer("FROM sys\\.objects AS o", this::relations);
    server.answer("FROM sys\\.columns AS c\\s+JOIN sys\\.types", this::types);
    server.answer("FROM sys\\.indexes AS i", this::keys);
    server.answer(
        "SELECT SYSDATETIMEOFFSET\\(\\)",
        TdsAnswer.columns(TdsColumn.of("", TdsType.datetimeoffset(7)))
            .row(OffsetDateTime.parse("2026-12-01T03:30:00.1234567+01:00"))
            .rows());
    isolation(0, 0);
  }

  /** What the database allows. */
  ScriptedSqlServer isolation(int snapshotState, int readCommittedSnapshot) {
    server.answer(
        "FROM sys\\.databases",
        TdsAnswer.columns(
                TdsColumn.of("snapshot_isolation_state", TdsType.tinyint()),
                TdsColumn.of("", TdsType.integer()))
            .row(snapshotState, readCommittedSnapshot)
            .rows());
    return this;
  }

  ScriptedSqlServer table(SqlServerTables table) {
    tables.add(table.table());
    return this;
  }

  /** What a statement that reads the rows of a table gets. */
  ScriptedSqlServer rows(String table, Function<TdsStatement, TdsAnswer> answer) {
    server.answer("FROM \\[dbo\\]\\.\\[" + table + "\\]", answer);
    return this;
  }

  TestingTdsServer server() {
    return server;
  }

  JdbcSource source() {
    return source;
  }

  SourceTable described(String name) {
    return source.table(table(name).id()).orElseThrow();
  }

  /** The last statement that read rows of a table. */
  TdsStatement reading(String table) {
    return server.last("FROM \\[dbo\\]\\.\\[" + table + "\\]");
  }

  /** A window that is open below if the lower bound is null. */
  ReadRequest window(String table, String column, String lower, String upper, Direction direction) {
    SourceTable described = described(table);
    WatermarkColumn watermark =
        source.watermarkColumn(described.column(column).orElseThrow()).orElseThrow();
    WatermarkValue end = WatermarkValue.parse(watermark.kind(), upper);
    return new ReadRequest(
        described,
        watermark,
        lower == null
            ? Window.first(end, direction)
            : new Window(WatermarkValue.parse(watermark.kind(), lower), end, direction),
        null);
  }

  private SqlServerTable table(String name) {
    return tables.stream()
        .filter(table -> table.id().table().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No table is written down as " + name));
  }

  private TdsAnswer relations(TdsStatement statement) {
    TdsAnswer.RowsBuilder answer =
        TdsAnswer.columns(
            TdsColumn.of("object_id", TdsType.integer()),
            TdsColumn.of("schema", TdsType.nvarchar(128)),
            TdsColumn.of("name", TdsType.nvarchar(128)),
            TdsColumn.of("type", TdsType.nchar(2)),
            TdsColumn.of("", TdsType.integer()),
            TdsColumn.of("", TdsType.integer()),
            TdsColumn.of("", TdsType.bigint()));
    for (int i = 0; i < tables.size(); i++) {
      SqlServerTable table = tables.get(i);
      boolean isWanted =
          statement.parameters().isEmpty()
              || table.id().table().equals(statement.parameter(1).value());
      if (isWanted) {
        int inMemory = table.storage() == SqlServerTable.Storage.MEMORY ? 1 : 0;
        answer.row(i + 1, table.id().schema(), table.id().table(), "U ", 0, inMemory, 10L);
      }
    }
    return answer.rows();
  }

  private TdsAnswer types(TdsStatement statement) {
    TdsAnswer.RowsBuilder answer =
        TdsAnswer.columns(
            TdsColumn.of("object_id", TdsType.integer()),
            TdsColumn.of("name", TdsType.nvarchar(128)),
            TdsColumn.of("column_id", TdsType.integer()),
            TdsColumn.of("", TdsType.nvarchar(128)),
            TdsColumn.of("max_length", TdsType.smallint()),
            TdsColumn.of("precision", TdsType.tinyint()),
            TdsColumn.of("scale", TdsType.tinyint()),
            TdsColumn.of("collation_name", TdsType.nvarchar(128)),
            TdsColumn.of("", TdsType.integer()));
    for (int i = 0; i < tables.size(); i++) {
      if (isAskedFor(statement, i + 1)) {
        for (SqlServerType type : tables.get(i).types()) {
          answer.row(
              i + 1,
              type.column(),
              type.ordinal(),
              type.name(),
              type.maxLength(),
              Math.max(0, type.precision()),
              type.scale(),
              type.collation(),
              type.notNull() ? 1 : 0);
        }
      }
    }
    return answer.rows();
  }

  private TdsAnswer keys(TdsStatement statement) {
    TdsAnswer.RowsBuilder answer =
        TdsAnswer.columns(
            TdsColumn.of("object_id", TdsType.integer()),
            TdsColumn.of("index_id", TdsType.integer()),
            TdsColumn.of("", TdsType.integer()),
            TdsColumn.of("name", TdsType.nvarchar(128)));
    for (int i = 0; i < tables.size(); i++) {
      if (isAskedFor(statement, i + 1)) {
        for (String column : tables.get(i).source().primaryKey()) {
          answer.row(i + 1, 1, 1, column);
        }
      }
    }
    return answer.rows();
  }

  private static boolean isAskedFor(TdsStatement statement, int objectId) {
    return statement.sql().matches("(?s).*IN \\((?:\\d+, )*" + objectId + "(?:, \\d+)*\\).*");
  }

  @Override
  public void close() {
    source.close();
    server.close();
  }
}
