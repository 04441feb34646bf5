package io.lakexpress.connect.lake.parquet;

import java.util.Optional;
import org.apache.parquet.column.ColumnWriter;

/** Turns the Connect values of one column into Parquet values. Stateless. */
interface ValueEncoder {
  /**
   * Appends a value that is present and that {@link #refusal} lets pass.
   *
   * @return about how many bytes the value takes before encoding
   */
  int write(ColumnWriter column, Object value, int repetition, int definition);

  /** Whether {@link #refusal} has to be asked for each value. */
  default boolean refusesSomeValues() {
    return false;
  }

  /** Why a value cannot be written unchanged: its kind and what is expected, never the value. */
  default Optional<String> refusal(Object value) {
    return Optional.empty();
  }
}
