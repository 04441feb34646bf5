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

/** What differs between the databases that can be read. Used by one thread. */
interface Dialect {
  /** A new connection, prepared so that values come in the forms the column readers expect. */
  Connection connect(SourceTarget target) throws SQLException;

  /** The catalogue seen through a session. */
  Catalog catalog(Session session);

  /** Begins the transaction that reads the rows asked for. */
  void begin(Session session, ReadRequest request) throws SQLException;

  /**
   * The statement that reads the rows asked for, made inside the transaction that will run it.
   *
   * @throws SourceException if the rows cannot be read in a form that keeps their values
   */
  RowQuery query(Session session, ReadRequest request, ReadSettings settings) throws SQLException;

  /** Tells the server, if it would send them all the same, that no more rows are wanted. */
  void abandon(Statement statement) throws SQLException;

  /**
   * The values that cut the rows of a request into slices; see {@code SourceDatabase}. Asked inside
   * a transaction.
   */
  List<String> sliceBounds(
      Session session,
      ReadRequest request,
      ReadSettings settings,
      String column,
      SliceMethod method,
      int slices)
      throws SQLException;

  /** Begins a transaction whose state of the database others may join until it ends; its name. */
  String exportSnapshot(Session holder) throws SQLException;

  /** Makes the transaction, which has not read yet, read what another one's snapshot shows. */
  void joinSnapshot(Session session, String snapshot) throws SQLException;

  /** The one table that says which failures pass. Cancellation is told apart by the caller. */
  SourceException.Kind kind(SQLException failure);

  /**
   * What an operator can do about a failure.
   *
   * @param table what was read, if it was one
   * @param user who reads, or null if only the driver's own settings say it
   */
  default Optional<String> advice(SQLException failure, Optional<TableId> table, String user) {
    return Optional.empty();
  }

  /** The database's own words, in one line. */
  String reason(SQLException failure);
}
