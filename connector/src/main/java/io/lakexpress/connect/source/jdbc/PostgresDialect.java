package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.TableId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** PostgreSQL, through its own driver. */
final class PostgresDialect implements Dialect {
  static final String URL_PREFIX = "jdbc:postgresql:";

  /**
   * The text forms that keys, row hashes and {@link PostgresText} rely on; and a table that
   * somebody locks keeps nobody waiting for ever, unless the user has a limit of its own.
   */
  private static final String SESSION =
      "SELECT set_config('TimeZone', 'UTC', $local), set_config('DateStyle', 'ISO, YMD', $local),"
          + " set_config('IntervalStyle', 'postgres', $local),"
          + " set_config('extra_float_digits', '1', $local),"
          + " set_config('bytea_output', 'hex', $local),"
          + " set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'),"
          + " '5s'), $local)";

  @Override
  public Connection connect(SourceTarget target) throws SQLException {
    Properties properties = new Properties();
    PGProperty.APPLICATION_NAME.set(properties, target.applicationName());
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    PGProperty.READ_ONLY_MODE.set(properties, "always");
    // Binary values from the first row on: they are exact and cheaper to read.
    PGProperty.PREPARE_THRESHOLD.set(properties, -1);
    target.properties().forEach(properties::setProperty);
    // A statement that is kept fails once one of its columns has another type.
    PGProperty.PREPARED_STATEMENT_CACHE_QUERIES.set(properties, 0);
    if (target.user() != null) {
      properties.setProperty("user", target.user());
    }
    if (target.password() != null) {
      properties.setProperty("password", target.password());
    }
    // Not through DriverManager, which does not see the drivers of a plugin.
    Connection connection = new Driver().connect(target.url(), properties);
    if (connection == null) {
      throw new SQLException("the driver does not know this form of URL", "08001");
    }
    try {
      connection.setReadOnly(true);
      prepare(connection, "false");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public Catalog catalog(Session session) {
    return new PostgresCatalog(session);
  }

  @Override
  public void begin(Session session, ReadRequest request) throws SQLException {
    session.begin();
  }

  @Override
  public RowQuery query(Session session, ReadRequest request, ReadSettings settings)
      throws SQLException {
    // Again for this transaction, as a pooler may have given us another server.
    prepare(session.connection(), "true");
    return new PostgresQueries(session, settings).query(request);
  }

  /** The rows come by fetches, so the rest never leaves the server. */
  @Override
  public void abandon(Statement statement) {}

  @Override
  public List<String> sliceBounds(
      Session session,
      ReadRequest request,
      ReadSettings settings,
      String column,
      SliceMethod method,
      int slices)
      throws SQLException {
    prepare(session.connection(), "true");
    return new PostgresQueries(session, settings).sliceBounds(request, column, method, slices);
  }

  @Override
  public String exportSnapshot(Session holder) throws SQLException {
    holder.connection().setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    holder.begin();
    holder.first("SELECT set_config('idle_in_transaction_session_timeout', '0', true)", rows -> 1);
    return holder.first("SELECT pg_export_snapshot()", rows -> rows.getString(1)).orElseThrow();
  }

  @Override
  public void joinSnapshot(Session session, String snapshot) throws SQLException {
    try (Statement statement = session.connection().createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      statement.execute("SET TRANSACTION SNAPSHOT '" + snapshot.replace("'", "''") + "'");
    }
  }

  @Override
  public SourceException.Kind kind(SQLException failure) {
    return PostgresFailures.kind(failure.getSQLState());
  }

  @Override
  public String reason(SQLException failure) {
    ServerErrorMessage server =
        failure instanceof PSQLException psql ? psql.getServerErrorMessage() : null;
    String text = server == null ? failure.getMessage() : server.getMessage();
    return text == null ? "SQLState " + failure.getSQLState() : text.lines().findFirst().orElse("");
  }

  @Override
  public Optional<String> advice(SQLException failure, Optional<TableId> table, String user) {
    if ("42501".equals(failure.getSQLState())) {
      return table.map(
          id ->
              "grant USAGE on schema "
                  + quoted(id.schema())
                  + " and SELECT on "
                  + quoted(id)
                  + " to "
                  + (user == null ? "the user that reads" : quoted(user)));
    }
    return PostgresFailures.advice(failure.getSQLState());
  }

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  static String quoted(TableId id) {
    return quoted(id.schema()) + "." + quoted(id.table());
  }

  private static void prepare(Connection connection, String isLocal) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(SESSION.replace("$local", isLocal));
    }
  }
}
