package io.lakexpress.lxdb.jdbc;

import io.lakexpress.connect.source.jdbc.tds.TdsAnswer;
import io.lakexpress.connect.source.jdbc.tds.TdsColumn;
import io.lakexpress.connect.source.jdbc.tds.TdsParameter;
import io.lakexpress.connect.source.jdbc.tds.TdsStatement;
import io.lakexpress.connect.source.jdbc.tds.TdsType;
import io.lakexpress.connect.source.jdbc.tds.TestingTdsServer;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Answers the statements for a LakeXpress DB on SQL Server from one on SQLite, after taking out
 * what is T-SQL's own. It shows that Microsoft's driver carries every statement, value and answer;
 * it says nothing about what SQL Server makes of the statements.
 */
final class SqliteBehindTds implements AutoCloseable {
  private static final String IDENTITY = " select SCOPE_IDENTITY() AS GENERATED_KEYS";
  private static final DateTimeFormatter TIMES =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT);

  private final TestingTdsServer server = TestingTdsServer.start();
  private final Connection sqlite = createTables();

  SqliteBehindTds() {
    server.answer("(SELECT|INSERT|UPDATE|DELETE) ", this::answer);
    server.answer("SYSUTCDATETIME", SqliteBehindTds::clock);
    server.answer("implicit_transactions|@@TRANCOUNT", this::transaction);
  }

  TestingTdsServer server() {
    return server;
  }

  private static Connection createTables() {
    String script = "/io/lakexpress/lxdb/db/sqlite/V1__lakexpress_db.sql";
    try (InputStream in = Flavour.class.getResourceAsStream(script)) {
      Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
      return connection;
    } catch (IOException | SQLException e) {
      throw new IllegalStateException("Cannot create the tables", e);
    }
  }

  private static TdsAnswer clock(TdsStatement statement) {
    LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    return TdsAnswer.columns(TdsColumn.of("clock", TdsType.datetime2(6))).row(now).rows();
  }

  private TdsAnswer transaction(TdsStatement statement) {
    try {
      if (statement.sql().contains("ROLLBACK")) {
        sqlite.rollback();
      } else if (statement.sql().contains("implicit_transactions on")) {
        sqlite.setAutoCommit(false);
      } else if (statement.sql().contains("implicit_transactions off")) {
        sqlite.setAutoCommit(true);
      } else {
        sqlite.commit();
      }
      return TdsAnswer.done();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private TdsAnswer answer(TdsStatement sent) {
    boolean isNumbered = sent.sql().contains(IDENTITY);
    String tsql = isNumbered ? sent.sql().substring(0, sent.sql().indexOf(IDENTITY)) : sent.sql();
    String sql =
        tsql.replaceAll(" WITH \\(UPDLOCK, \\w+\\)", "")
            .replaceAll(" OFFSET 0 ROWS FETCH NEXT (@P\\d+) ROWS ONLY", " LIMIT $1")
            .replaceAll("@P\\d+", "?");
    try (PreparedStatement statement = sqlite.prepareStatement(sql)) {
      int index = 1;
      for (TdsParameter parameter : sent.parameters()) {
        Object value = parameter.value();
        statement.setObject(index++, value instanceof LocalDateTime t ? TIMES.format(t) : value);
      }
      if (statement.execute()) {
        return rows(statement.getResultSet(), tsql);
      }
      TdsAnswer updated = TdsAnswer.updated(statement.getUpdateCount());
      return isNumbered ? updated.then(number()) : updated;
    } catch (SQLException e) {
      return TdsAnswer.failed(50_000, e.getMessage() + " in: " + sql);
    }
  }

  private TdsAnswer number() throws SQLException {
    try (Statement statement = sqlite.createStatement();
        ResultSet row = statement.executeQuery("SELECT last_insert_rowid()")) {
      return TdsAnswer.columns(TdsColumn.of("GENERATED_KEYS", TdsType.numeric(38, 0)))
          .row(BigDecimal.valueOf(row.getLong(1)))
          .rows();
    }
  }

  private static TdsAnswer rows(ResultSet found, String tsql) throws SQLException {
    ResultSetMetaData described = found.getMetaData();
    TdsColumn[] columns = new TdsColumn[described.getColumnCount()];
    for (int i = 0; i < columns.length; i++) {
      String name = described.getColumnLabel(i + 1);
      columns[i] = TdsColumn.of(name, type(name, described.getColumnTypeName(i + 1), tsql));
    }
    TdsAnswer.RowsBuilder answer = TdsAnswer.columns(columns);
    while (found.next()) {
      List<Object> values = new ArrayList<>();
      for (TdsColumn column : columns) {
        values.add(value(found, column));
      }
      answer.row(values.toArray());
    }
    return answer.rows();
  }

  private static TdsType type(String column, String sqliteType, String tsql) {
    boolean isTime =
        column.matches(".*_at|.*_until|clock")
            || (column.equals("upper_bound") && tsql.startsWith("SELECT * FROM export_runs"));
    if (isTime) {
      return TdsType.datetime2(6);
    }
    return sqliteType.equalsIgnoreCase("text") ? TdsType.nvarcharMax() : TdsType.bigint();
  }

  private static Object value(ResultSet found, TdsColumn column) throws SQLException {
    String text = found.getString(column.name());
    if (text == null) {
      return null;
    }
    return switch (column.type().sql()) {
      case "datetime2(6)" -> LocalDateTime.parse(text.substring(0, text.length() - 1));
      case "bigint" -> Long.valueOf(text);
      default -> text;
    };
  }

  @Override
  public void close() throws SQLException {
    server.close();
    sqlite.close();
  }
}
