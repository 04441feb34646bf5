package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.offset.Cursor;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/** Streams the rows of a {@link RowQuery}, fetching as many at once as a {@link FetchPlan} says. */
final class JdbcRowCursor implements RowCursor {
  /** Told how the reading ended. */
  interface Ending {
    /** The cursor is about to be closed before its last row. */
    void abandoned(Statement statement) throws SQLException;

    /** Ends the transaction. */
    void closed();

    /** Turns a failure into the exception to throw. */
    SourceException failed(SQLException failure);
  }

  private final RowQuery query;
  private final RowLayout layout;
  private final PreparedStatement statement;
  private final ResultSet rows;
  private final FetchPlan fetchPlan;
  private final InfiniteValues infiniteValues;
  private final Cancellation cancellation;
  private final Ending ending;
  private Struct value;
  private Cursor position;
  private long bytes;
  private boolean open = true;
  private boolean ended;

  private JdbcRowCursor(
      RowQuery query,
      PreparedStatement statement,
      ResultSet rows,
      FetchPlan fetchPlan,
      Cancellation cancellation,
      Ending ending) {
    this.query = query;
    this.layout = query.layout();
    this.statement = statement;
    this.rows = rows;
    this.fetchPlan = fetchPlan;
    this.infiniteValues = query.infiniteValues();
    this.cancellation = cancellation;
    this.ending = ending;
  }

  static JdbcRowCursor open(Session session, RowQuery query, ReadSettings settings, Ending ending)
      throws SQLException {
    FetchPlan plan = new FetchPlan(settings.fetchRows(), settings.fetchBytes());
    PreparedStatement statement =
        session
            .connection()
            .prepareStatement(query.sql(), ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
    try {
      statement.setFetchSize(plan.size());
      query.bind(statement);
      session.cancellation().run(statement);
      ResultSet rows = statement.executeQuery();
      return new JdbcRowCursor(query, statement, rows, plan, session.cancellation(), ending);
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }

  @Override
  public Schema valueSchema() {
    return layout.valueSchema();
  }

  @Override
  public Schema keySchema() {
    return layout.keySchema();
  }

  @Override
  public boolean next() {
    try {
      if (cancellation.requested()) {
        throw new SQLException("stopped on request", "57014");
      }
      while (rows.next()) {
        if (!query.positions().passesOver(rows)) {
          read();
          return true;
        }
        noteFetched(1);
      }
      ended = true;
      return false;
    } catch (SQLException e) {
      ended = true;
      throw ending.failed(e);
    }
  }

  @Override
  public Struct value() {
    return value;
  }

  @Override
  public Struct key() {
    return layout.key(value);
  }

  @Override
  public Cursor position() {
    return position;
  }

  @Override
  public long estimatedBytes() {
    return bytes;
  }

  @Override
  public long infiniteValues() {
    return infiniteValues.count();
  }

  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    try (statement;
        rows) {
      value = null;
      if (!ended) {
        ending.abandoned(statement);
      }
    } catch (SQLException e) {
      throw ending.failed(e);
    } finally {
      ending.closed();
    }
  }

  private void read() throws SQLException {
    Struct row = new Struct(layout.valueSchema());
    long rowBytes = 0;
    for (int i = 0; i < layout.size(); i++) {
      ColumnReader column = layout.column(i);
      try {
        Object read = column.reader().read(rows, i + 1);
        row.put(layout.field(i), read);
        rowBytes += layout.field(i).name().length() + 4L + ValueSize.of(read);
      } catch (UnreadableValueException e) {
        throw new SourceException(
            String.format(
                "Cannot read %s: column \"%s\" of %s: %s",
                query.table(), column.name(), query.positions().describe(rows), e.getMessage()),
            e,
            SourceException.Kind.LASTING);
      }
    }
    value = row;
    position = query.positions().of(rows);
    bytes = rowBytes;
    noteFetched(rowBytes);
  }

  private void noteFetched(long rowBytes) throws SQLException {
    if (fetchPlan.note(rowBytes)) {
      rows.setFetchSize(fetchPlan.size());
    }
  }
}
