package io.lakexpress.connect.source.jdbc;

import com.microsoft.sqlserver.jdbc.ISQLServerConnection;
import com.microsoft.sqlserver.jdbc.SQLServerDriver;
import com.microsoft.sqlserver.jdbc.SQLServerException;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.TableId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SQL Server 2016 and later and Azure SQL, through Microsoft's driver. */
final class SqlServerDialect implements Dialect {
  static final String URL_PREFIX = "jdbc:sqlserver:";

  private static final Logger LOG = LoggerFactory.getLogger(SqlServerDialect.class);
  private static final Pattern CONNECTION_ID =
      Pattern.compile("\\s*ClientConnectionId:[0-9A-Fa-f-]+");

  /** Where one of two must give way, it is the reader, which comes again. */
  private static final String GIVE_WAY = "SET DEADLOCK_PRIORITY LOW";

  private int level = Connection.TRANSACTION_READ_COMMITTED;
  private boolean told;

  @Override
  public Connection connect(SourceTarget target) throws SQLException {
    // Not through DriverManager, which does not see the drivers of a plugin.
    Connection connection = new SQLServerDriver().connect(target.url(), properties(target));
    if (connection == null) {
      throw new SQLException("the driver does not know this form of URL", "08001");
    }
    try {
      try (Statement statement = connection.createStatement()) {
        statement.execute(GIVE_WAY);
      }
      SqlServerIsolation isolation = isolation(connection);
      level =
          isolation == SqlServerIsolation.SNAPSHOT
              ? ISQLServerConnection.TRANSACTION_SNAPSHOT
              : Connection.TRANSACTION_READ_COMMITTED;
      connection.setTransactionIsolation(level);
      tell(isolation);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  static Properties properties(SourceTarget target) {
    Properties properties = new Properties();
    properties.setProperty("applicationName", target.applicationName());
    // Rows stream: the driver holds no more than the one it stands on.
    properties.setProperty("responseBuffering", "adaptive");
    properties.setProperty("selectMethod", "direct");
    // A broken connection is opened anew here, with the cursor's position kept.
    properties.setProperty("connectRetryCount", "0");
    target.properties().forEach(properties::setProperty);
    if (target.user() != null && !target.user().isEmpty()) {
      properties.setProperty("user", target.user());
    }
    if (target.password() != null && !target.password().isEmpty()) {
      properties.setProperty("password", target.password());
    }
    return properties;
  }

  @Override
  public SqlServerCatalog catalog(Session session) {
    return new SqlServerCatalog(session, level);
  }

  @Override
  public void begin(Session session, ReadRequest request) throws SQLException {
    catalog(session).useLevelFor(request.table().id());
    session.begin();
  }

  @Override
  public RowQuery query(Session session, ReadRequest request, ReadSettings settings)
      throws SQLException {
    TableId id = request.table().id();
    SqlServerTable table =
        catalog(session)
            .described(id)
            .orElseThrow(() -> ResumePoint.refused(id, "it does not exist (any more)"));
    return new SqlServerQueries(settings).query(request, table);
  }

  /** Without it, closing would read all the rows that are left. */
  @Override
  public void abandon(Statement statement) throws SQLException {
    if (!statement.isClosed() && !statement.getConnection().isClosed()) {
      statement.cancel();
    }
  }

  @Override
  public List<String> sliceBounds(
      Session session,
      ReadRequest request,
      ReadSettings settings,
      String column,
      SliceMethod method,
      int slices) {
    throw ResumePoint.refused(
        request.table().id(), method.text() + " is offered for PostgreSQL only");
  }

  @Override
  public String exportSnapshot(Session holder) throws SQLException {
    throw new SQLFeatureNotSupportedException("SQL Server's connections share no snapshot");
  }

  @Override
  public void joinSnapshot(Session session, String snapshot) throws SQLException {
    throw new SQLFeatureNotSupportedException("SQL Server's connections share no snapshot");
  }

  @Override
  public SourceException.Kind kind(SQLException failure) {
    return SqlServerFailures.kind(failure);
  }

  @Override
  public String reason(SQLException failure) {
    String text =
        failure instanceof SQLServerException server && server.getSQLServerError() != null
            ? server.getSQLServerError().getErrorMessage()
            : failure.getMessage();
    if (text == null) {
      return "error " + failure.getErrorCode() + ", SQLState " + failure.getSQLState();
    }
    return CONNECTION_ID.matcher(text.lines().findFirst().orElse("")).replaceAll("").strip();
  }

  static String quoted(String name) {
    return "[" + name.replace("]", "]]") + "]";
  }

  static String quoted(TableId id) {
    return quoted(id.schema()) + "." + quoted(id.table());
  }

  private static SqlServerIsolation isolation(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SqlServerIsolation.OF_DATABASE)) {
      return rows.next()
          ? SqlServerIsolation.of(rows.getInt(1), rows.getInt(2))
          : SqlServerIsolation.LOCKING;
    }
  }

  private void tell(SqlServerIsolation isolation) {
    if (told) {
      return;
    }
    told = true;
    if (isolation == SqlServerIsolation.LOCKING) {
      LOG.warn("SQL Server source: {}", isolation.words());
    } else {
      LOG.info("SQL Server source: {}", isolation.words());
    }
  }
}
