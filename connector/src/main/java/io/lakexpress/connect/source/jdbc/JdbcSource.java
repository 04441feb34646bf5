package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.Activity;
import io.lakexpress.connect.source.read.HeldSnapshot;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.connect.source.read.SourceException.Kind;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.TableSelection;
import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A source database read through JDBC. Connects on the first call that needs it, and anew after a
 * failure that may pass.
 */
public final class JdbcSource implements SourceDatabase {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcSource.class);

  private final SourceTarget target;
  private final ReadSettings settings;
  private final Dialect dialect;
  private final Cancellation cancellation = new Cancellation();
  private Session session;

  private JdbcSource(SourceTarget target, ReadSettings settings, Dialect dialect) {
    this.target = target;
    this.settings = settings;
    this.dialect = dialect;
  }

  /**
   * A source for the database that the URL names; no connection is made yet.
   *
   * @throws IllegalArgumentException for a URL of a database that cannot be read
   */
  public static JdbcSource open(SourceTarget target, ReadSettings settings) {
    if (target.url().startsWith(PostgresDialect.URL_PREFIX)) {
      return new JdbcSource(target, settings, new PostgresDialect());
    }
    if (target.url().startsWith(SqlServerDialect.URL_PREFIX)) {
      return new JdbcSource(target, settings, new SqlServerDialect());
    }
    throw new IllegalArgumentException(
        "Invalid source URL: expected one that begins with "
            + PostgresDialect.URL_PREFIX
            + " or "
            + SqlServerDialect.URL_PREFIX);
  }

  @Override
  public Instant now() {
    return ask("the database's clock", Catalog::now);
  }

  @Override
  public Activity activity() {
    return ask("the open transactions", Catalog::activity);
  }

  @Override
  public String timeZone() {
    return ask("the database's time zone", Catalog::timeZone);
  }

  @Override
  public List<SourceTable> tables(TableSelection selection) {
    return ask("the catalogue", catalog -> catalog.tables(selection));
  }

  @Override
  public Optional<SourceTable> table(TableId id) {
    return ask("the catalogue of " + id, catalog -> catalog.table(id));
  }

  @Override
  public List<TableId> tableNames() {
    return ask("the catalogue", Catalog::tableNames);
  }

  @Override
  public Optional<WatermarkColumn> watermarkColumn(SourceColumn column) {
    return ask(
        "the type of column \"" + column.name() + "\"", catalog -> catalog.watermarkColumn(column));
  }

  @Override
  public Optional<String> refusedRead(TableId id) {
    return ask(
        id,
        catalog -> {
          try {
            catalog.tryRead(id);
            return Optional.empty();
          } catch (SQLException e) {
            if (kind(e) != Kind.LASTING) {
              throw e;
            }
            return Optional.of(explained(e, Optional.of(id)));
          }
        });
  }

  @Override
  public boolean hasIndexLeadingWith(TableId id, String column) {
    return ask("the indexes of " + id, catalog -> catalog.hasIndexLeadingWith(id, column));
  }

  @Override
  public Optional<Long> largest(TableId id, WatermarkColumn column) {
    return ask(id, catalog -> catalog.largest(id, column));
  }

  @Override
  public List<String> sliceBounds(ReadRequest rows, String column, SliceMethod method, int slices) {
    cancellation.enter();
    try {
      dialect.begin(session(), rows);
      return dialect.sliceBounds(session, rows, settings, column, method, slices);
    } catch (SQLException e) {
      throw failure(rows.table().id().toString(), Optional.of(rows.table().id()), e);
    } finally {
      finish();
    }
  }

  private void joinSnapshot(ReadRequest request) throws SQLException {
    Optional<String> snapshot = request.wantedShare().flatMap(ReadRequest.Share::sharedSnapshot);
    if (snapshot.isEmpty()) {
      return;
    }
    try {
      dialect.joinSnapshot(session, snapshot.get());
    } catch (SQLException e) {
      if (kind(e) != Kind.LASTING) {
        throw e;
      }
      throw new SourceException(
          "Cannot read "
              + request.table().id()
              + " in the snapshot its slices share: "
              + dialect.reason(e),
          e,
          Kind.PASSING);
    }
  }

  @Override
  public HeldSnapshot holdSnapshot() {
    Session holder = null;
    try {
      holder = new Session(dialect.connect(target), new Cancellation());
      return new Held(holder, dialect.exportSnapshot(holder));
    } catch (SQLException e) {
      close(holder);
      throw failure("a snapshot", Optional.empty(), e);
    }
  }

  private static void close(Session holder) {
    try {
      if (holder != null) {
        holder.close();
      }
    } catch (SQLException e) {
      LOG.debug("The connection that held a snapshot did not close cleanly", e);
    }
  }

  /** A snapshot and the connection that holds it. */
  private record Held(Session holder, String name) implements HeldSnapshot {
    @Override
    public void close() {
      JdbcSource.close(holder);
    }
  }

  @Override
  public long blocks(TableId id) {
    return ask("the size of " + id, catalog -> catalog.blocks(id));
  }

  @Override
  public long rowsWithoutWatermark(TableId id, WatermarkColumn column) {
    return ask(id, catalog -> catalog.rowsWithoutWatermark(id, column));
  }

  @Override
  public long rowsAbove(TableId id, WatermarkColumn column, WatermarkValue bound) {
    return ask(id, catalog -> catalog.rowsAbove(id, column, bound));
  }

  @Override
  public RowCursor read(ReadRequest request) {
    TableId table = request.table().id();
    cancellation.enter();
    try {
      dialect.begin(session(), request);
      joinSnapshot(request);
      RowQuery query = dialect.query(session, request, settings);
      LOG.debug("Reading {}: {}", table, query.sql());
      return JdbcRowCursor.open(session, query, settings, new Reading(table));
    } catch (SQLException e) {
      SourceException failure = failure(table.toString(), Optional.of(table), e);
      finish();
      throw failure;
    } catch (RuntimeException e) {
      finish();
      throw e;
    }
  }

  @Override
  public void cancel() {
    try {
      cancellation.request();
    } catch (SQLException e) {
      throw new SourceException(
          "Cannot cancel the running statement: " + dialect.reason(e), e, dialect.kind(e));
    }
  }

  @Override
  public void close() {
    drop();
  }

  /** A question to the catalogue. */
  private interface Question<T> {
    T ask(Catalog catalog) throws SQLException;
  }

  private <T> T ask(String subject, Question<T> question) {
    return ask(subject, Optional.empty(), question);
  }

  private <T> T ask(TableId table, Question<T> question) {
    return ask(table.toString(), Optional.of(table), question);
  }

  private <T> T ask(String subject, Optional<TableId> table, Question<T> question) {
    cancellation.enter();
    try {
      return question.ask(dialect.catalog(session()));
    } catch (SQLException e) {
      throw failure(subject, table, e);
    } finally {
      cancellation.leave();
    }
  }

  private Session session() throws SQLException {
    if (session != null && session.isClosed()) {
      session = null;
    }
    if (session == null) {
      session = new Session(dialect.connect(target), cancellation);
    }
    return session;
  }

  private Kind kind(SQLException failure) {
    return cancellation.requested() ? Kind.CANCELLED : dialect.kind(failure);
  }

  private SourceException failure(String subject, Optional<TableId> table, SQLException cause) {
    Kind kind = kind(cause);
    if (kind == Kind.PASSING) {
      drop();
    }
    return new SourceException(
        "Cannot read " + subject + ": " + explained(cause, table), cause, kind);
  }

  private String explained(SQLException cause, Optional<TableId> table) {
    String reason = dialect.reason(cause);
    return kind(cause) == Kind.CANCELLED
        ? reason
        : dialect
            .advice(cause, table, target.user())
            .map(advice -> reason + "; " + advice)
            .orElse(reason);
  }

  private void finish() {
    cancellation.leave();
    try {
      if (session != null) {
        session.end();
      }
    } catch (SQLException e) {
      LOG.debug("The source connection broke while its transaction ended; it is opened anew", e);
      drop();
    }
  }

  private void drop() {
    Session dropped = session;
    session = null;
    if (dropped != null) {
      try {
        dropped.close();
      } catch (SQLException e) {
        LOG.debug("The source connection did not close cleanly", e);
      }
    }
  }

  /** One open cursor. */
  private final class Reading implements JdbcRowCursor.Ending {
    private final TableId table;

    private Reading(TableId table) {
      this.table = table;
    }

    @Override
    public void abandoned(Statement statement) throws SQLException {
      dialect.abandon(statement);
    }

    @Override
    public void closed() {
      finish();
    }

    @Override
    public SourceException failed(SQLException cause) {
      return failure(table.toString(), Optional.of(table), cause);
    }
  }
}
