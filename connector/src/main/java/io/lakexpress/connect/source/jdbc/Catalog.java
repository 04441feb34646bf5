package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.Activity;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.TableSelection;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a database tells about itself; see {@code SourceDatabase} for the promises. */
interface Catalog {
  Instant now() throws SQLException;

  Activity activity() throws SQLException;

  String timeZone() throws SQLException;

  List<SourceTable> tables(TableSelection selection) throws SQLException;

  Optional<SourceTable> table(TableId id) throws SQLException;

  List<TableId> tableNames() throws SQLException;

  Optional<WatermarkColumn> watermarkColumn(SourceColumn column) throws SQLException;

  /** Fails with the database's reason if rows may not be read. */
  void tryRead(TableId id) throws SQLException;

  boolean hasIndexLeadingWith(TableId id, String column) throws SQLException;

  Optional<Long> largest(TableId id, WatermarkColumn column) throws SQLException;

  long blocks(TableId id) throws SQLException;

  long rowsWithoutWatermark(TableId id, WatermarkColumn column) throws SQLException;

  long rowsAbove(TableId id, WatermarkColumn column, WatermarkValue bound) throws SQLException;
}
