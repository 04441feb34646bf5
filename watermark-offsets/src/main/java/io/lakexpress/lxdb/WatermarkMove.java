package io.lakexpress.lxdb;

import io.lakexpress.watermark.TableId;

/**
 * A watermark's new value, as mirrored from a source offset.
 *
 * @param column the watermark column
 * @param type the word of the table spec: date, datetime, timestamp, integer, rowversion
 * @param value canonical text
 */
public record WatermarkMove(TableId table, String column, String type, String value) {}
