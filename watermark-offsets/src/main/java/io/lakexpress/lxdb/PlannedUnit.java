package io.lakexpress.lxdb;

import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;

/**
 * One thing a reader works on: a table or a slice of it.
 *
 * @param incremental the text of the table spec, or empty for a full export
 * @param estimatedRows the catalogue's estimate; larger units are started first
 */
public record PlannedUnit(TableId table, Slice slice, String incremental, long estimatedRows) {
  public boolean isIncremental() {
    return !incremental.isEmpty();
  }
}
