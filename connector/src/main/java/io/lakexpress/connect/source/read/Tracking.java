package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.watermark.TableSpec;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.time.ZoneId;

/**
 * How a table that exists is tracked.
 *
 * @param zone what zone-less values of the column are in
 */
record Tracking(SourceTable table, TableSpec spec, WatermarkColumn column, ZoneId zone) {

  /**
   * Reads a watermark of the column from its canonical text.
   *
   * @throws TableFailure if it is not of the column's kind
   */
  WatermarkValue value(String text) {
    try {
      return WatermarkValue.parse(column.kind(), text);
    } catch (IllegalArgumentException e) {
      throw new TableFailure(
          "Cannot go on with table "
              + table.id()
              + " at its watermark by column "
              + column.name()
              + ": "
              + e.getMessage()
              + "; set last_exported_value through the offsets API, or remove the table's offset to"
              + " start anew",
          e);
    }
  }

  /** Whether the column may be NULL. */
  boolean mayLackWatermarks() {
    return table
        .column(column.name())
        .filter(tracked -> tracked.nullability() == SourceColumn.Nullability.NOT_NULL)
        .isEmpty();
  }

  WatermarkMove move(String value) {
    return new WatermarkMove(table.id(), column.name(), spec.type().text(), value);
  }
}
