package io.lakexpress.connect.source.read;

import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.Window;
import java.util.Optional;

/**
 * What to read of one table.
 *
 * @param table as the catalogue describes it now
 * @param column the watermark column; null for a full export
 * @param window the window; null for a full export
 * @param after the last row handed over, to go on behind it; null to begin
 */
public record ReadRequest(SourceTable table, WatermarkColumn column, Window window, Cursor after) {
  /** Every row, in any order, in one consistent statement. */
  public static ReadRequest full(SourceTable table) {
    return new ReadRequest(table, null, null, null);
  }

  public Optional<Window> rowsOf() {
    return Optional.ofNullable(window);
  }

  public Optional<Cursor> startAfter() {
    return Optional.ofNullable(after);
  }
}
