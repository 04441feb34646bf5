package io.lakexpress.connect.source.read;

import io.lakexpress.offset.Cursor;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * Rows of one table in the order they are handed over: by (watermark, key), or by (watermark, hash
 * of the row) where there is no key; in any order for a full export. Streams: memory does not grow
 * with the table. Owned by one thread.
 */
public interface RowCursor extends AutoCloseable {
  /** The schema of the rows. */
  Schema valueSchema();

  /** The schema of the primary key, or null if the table has none. */
  Schema keySchema();

  /** Moves to the next row; false at the end. */
  boolean next();

  /** The row. A new Struct for each. */
  Struct value();

  /** The primary key of the row, or null if the table has none. */
  Struct key();

  /** The position of the row, for the offset; null in a full export. */
  Cursor position();

  /** An estimate of the row's size in bytes once it is converted, for batch and record limits. */
  long estimatedBytes();

  /** How many infinite dates and times were handed over as the extreme values of their type. */
  long infiniteValues();

  /** Closes the statement and ends its transaction, cancelling it if rows are left. */
  @Override
  void close();
}
