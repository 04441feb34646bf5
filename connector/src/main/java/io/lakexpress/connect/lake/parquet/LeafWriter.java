package io.lakexpress.connect.lake.parquet;

import java.util.Optional;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Writes one column. */
final class LeafWriter extends ValueWriter {
  private final LeafType leaf;
  private final ValueEncoder encoder;
  private final int definition;
  private ColumnWriter column;

  LeafWriter(Place place, LeafType leaf) {
    super(place);
    this.leaf = leaf;
    this.encoder = leaf.encoder();
    this.definition = place.definition();
  }

  @Override
  Type type() {
    return leaf.column(place.name(), place.presence());
  }

  @Override
  void begin(ColumnWriteStore columns, MessageType schema) {
    String[] path = place.path().toArray(String[]::new);
    column = columns.getColumnWriter(schema.getColumnDescription(path));
  }

  @Override
  boolean refusesSomeValues() {
    return !place.mayBeNull() || encoder.refusesSomeValues();
  }

  @Override
  void checkPresent(Object value) {
    Optional<String> refusal = encoder.refusal(value);
    if (refusal.isPresent()) {
      throw refused(refusal.get());
    }
  }

  @Override
  long writePresent(Object value, int repetition) {
    return encoder.write(column, value, repetition, definition);
  }

  @Override
  long writeAbsent(int repetition, int definitionLevel) {
    column.writeNull(repetition, definitionLevel);
    return 1;
  }
}
