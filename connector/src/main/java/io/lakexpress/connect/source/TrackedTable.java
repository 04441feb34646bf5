package io.lakexpress.connect.source;

import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import io.lakexpress.watermark.WatermarkColumn;
import java.time.ZoneId;

/**
 * A table as a configuration wants it tracked, found in the database.
 *
 * @param zone what zone-less values of the column are in
 */
record TrackedTable(TableId id, TableSpec spec, WatermarkColumn column, ZoneId zone) {}
