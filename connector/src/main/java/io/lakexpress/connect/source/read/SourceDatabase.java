package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The database whose tables are copied: its catalogue, its clock, its rows. One connection, used by
 * one thread; only {@link #cancel} may be called from another one. A broken connection is opened
 * anew by the next call.
 *
 * <p>Every method may throw {@link SourceException}.
 */
public interface SourceDatabase extends AutoCloseable {
  /** The database's clock, now. */
  Instant now();

  /** The transactions that are open now, without this connection's own. */
  Activity activity();

  /** The zone the database writes zone-less times in by default, as it names it. */
  String timeZone();

  /** The tables a selection takes, in order of their names, without the LakeXpress DB's own. */
  List<SourceTable> tables(TableSelection selection);

  /** One table, or empty if it does not exist or may not be seen. */
  Optional<SourceTable> table(TableId id);

  /** All tables and views that may be seen, for "did you mean" texts. */
  List<TableId> tableNames();

  /**
   * What kind of watermark a column can be.
   *
   * @return empty if a column of its type cannot be tracked
   */
  Optional<WatermarkColumn> watermarkColumn(SourceColumn column);

  /** Whether rows may be read: empty if so, else the database's reason. */
  Optional<String> refusedRead(TableId id);

  /** Whether an index leads with the column. */
  boolean hasIndexLeadingWith(TableId id, String column);

  /** The largest value of an integer column, or empty for a table without one. */
  Optional<Long> largest(TableId id, WatermarkColumn column);

  /**
   * The values of a column that cut the rows of a request into slices: by equal distances or by
   * equal numbers of rows, as the method says.
   *
   * @return the database's texts of one value less than slices, in order; none if there is no row
   */
  List<String> sliceBounds(ReadRequest rows, String column, SliceMethod method, int slices);

  /**
   * Takes a snapshot that requests can name, also those of other connections.
   *
   * @return to be closed by the caller, before which nobody loses the snapshot
   */
  HeldSnapshot holdSnapshot();

  /** How many blocks the table has, or the largest of its partitions. */
  long blocks(TableId id);

  /** How many rows have no watermark. */
  long rowsWithoutWatermark(TableId id, WatermarkColumn column);

  /** How many rows have a watermark above a time; infinity is above all. */
  long rowsAbove(TableId id, WatermarkColumn column, WatermarkValue bound);

  /**
   * Begins to read. The cursor must be closed before anything else is asked of this database. A
   * snapshot that the request names and that is gone is a failure that may pass.
   */
  RowCursor read(ReadRequest request);

  /** Stops a running statement at once; callable from any thread, does nothing if none runs. */
  void cancel();

  /** Ends the connection; a later call opens one anew. */
  @Override
  void close();
}
