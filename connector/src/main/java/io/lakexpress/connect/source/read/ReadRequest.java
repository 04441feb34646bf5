package io.lakexpress.connect.source.read;

import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.SliceRule;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.Window;
import java.util.Optional;

/**
 * What to read of one table.
 *
 * @param table as the catalogue describes it now
 * @param column the watermark column; null for a full export
 * @param window the window; null for a full export, and for the rows without watermark
 * @param after the last row handed over, to go on behind it; null to begin
 * @param share the slice of these rows that is wanted; null for all
 */
public record ReadRequest(
    SourceTable table, WatermarkColumn column, Window window, Cursor after, Share share) {

  /**
   * A slice and its rows.
   *
   * @param snapshot what the database names the snapshot to read in; null for the newest one
   */
  public record Share(Slice slice, SliceRule rule, String snapshot) {
    public Optional<String> sharedSnapshot() {
      return Optional.ofNullable(snapshot);
    }
  }

  /** A request for all slices. */
  public ReadRequest(SourceTable table, WatermarkColumn column, Window window, Cursor after) {
    this(table, column, window, after, null);
  }

  /** Every row, in any order, in one consistent statement. */
  public static ReadRequest full(SourceTable table) {
    return new ReadRequest(table, null, null, null);
  }

  /** The rows whose watermark column is NULL, in the order of the key. */
  public static ReadRequest withoutWatermark(
      SourceTable table, WatermarkColumn column, Cursor after) {
    return new ReadRequest(table, column, null, after);
  }

  /** Whether the rows are those whose watermark column is NULL. */
  public boolean isWithoutWatermark() {
    return column != null && window == null;
  }

  /** The same rows, but only those of a slice. */
  public ReadRequest of(Share wanted) {
    return new ReadRequest(table, column, window, after, wanted);
  }

  public Optional<Share> wantedShare() {
    return Optional.ofNullable(share);
  }

  /** The window, or empty for a full export; rows without watermark are in no window. */
  public Optional<Window> rowsOf() {
    if (isWithoutWatermark()) {
      throw new IllegalStateException("Rows of " + table.id() + " without watermark: no window");
    }
    return Optional.ofNullable(window);
  }

  public Optional<Cursor> startAfter() {
    return Optional.ofNullable(after);
  }
}
