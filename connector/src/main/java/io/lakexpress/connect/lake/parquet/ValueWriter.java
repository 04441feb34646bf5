package io.lakexpress.connect.lake.parquet;

import io.lakexpress.connect.lake.file.UnwritableRowException;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * Writes the values of one field: a leaf column, or a group of them. A row is first checked as a
 * whole and then written, so that a refused row leaves no trace. Owned by one thread.
 */
abstract sealed class ValueWriter permits LeafWriter, StructWriter, ListWriter, MapWriter {
  final Place place;

  ValueWriter(Place place) {
    this.place = place;
  }

  /** The field as Parquet knows it. */
  abstract Type type();

  /** Turns to the columns of a new row group. */
  abstract void begin(ColumnWriteStore columns, MessageType schema);

  /** Whether some value of the Connect type cannot be written. */
  abstract boolean refusesSomeValues();

  /** Refuses a present value that cannot be written. */
  abstract void checkPresent(Object value);

  /**
   * Appends a present value.
   *
   * @return about how many bytes it takes before encoding
   */
  abstract long writePresent(Object value, int repetition);

  /** Appends that there is nothing from this definition level on. */
  abstract long writeAbsent(int repetition, int definition);

  /** Refuses a value that cannot be written. */
  final void check(Object value) {
    if (value != null) {
      checkPresent(value);
    } else if (!place.mayBeNull()) {
      throw refused("null, expected a value");
    }
  }

  /** Appends a checked value. */
  final long write(Object value, int repetition) {
    return value == null
        ? writeAbsent(repetition, place.definition() - 1)
        : writePresent(value, repetition);
  }

  final UnwritableRowException refused(String reason) {
    return new UnwritableRowException("Cannot write field '" + place.shown() + "': " + reason);
  }
}
