package io.lakexpress.connect.lake.parquet;

import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Writes a struct as a group; the outermost one is the row. */
final class StructWriter extends ValueWriter {
  private final ValueWriter[] writers;

  /**
   * Where each value stands. These fields carry a schema without a default, so that {@link
   * Struct#get(Field)} answers by position what {@link Struct#getWithoutDefault} looks up by name:
   * an explicit null stays null.
   */
  private final Field[] positions;

  private final boolean[] checked;

  StructWriter(Place place, List<ValueWriter> fields) {
    super(place);
    this.writers = fields.toArray(ValueWriter[]::new);
    this.positions = new Field[writers.length];
    this.checked = new boolean[writers.length];
    for (int i = 0; i < writers.length; i++) {
      positions[i] = new Field(writers[i].place.name(), i, Schema.OPTIONAL_STRING_SCHEMA);
      checked[i] = writers[i].refusesSomeValues();
    }
  }

  /** The group as the schema of a whole file. */
  MessageType message() {
    return new MessageType("row", types());
  }

  @Override
  Type type() {
    return new GroupType(place.presence(), place.name(), types());
  }

  @Override
  void begin(ColumnWriteStore columns, MessageType schema) {
    for (ValueWriter writer : writers) {
      writer.begin(columns, schema);
    }
  }

  @Override
  boolean refusesSomeValues() {
    if (!place.mayBeNull()) {
      return true;
    }
    for (boolean field : checked) {
      if (field) {
        return true;
      }
    }
    return false;
  }

  @Override
  void checkPresent(Object value) {
    Struct struct = (Struct) value;
    for (int i = 0; i < writers.length; i++) {
      if (checked[i]) {
        writers[i].check(struct.get(positions[i]));
      }
    }
  }

  @Override
  long writePresent(Object value, int repetition) {
    Struct struct = (Struct) value;
    long bytes = 0;
    for (int i = 0; i < writers.length; i++) {
      bytes += writers[i].write(struct.get(positions[i]), repetition);
    }
    return bytes;
  }

  @Override
  long writeAbsent(int repetition, int definition) {
    long bytes = 0;
    for (ValueWriter writer : writers) {
      bytes += writer.writeAbsent(repetition, definition);
    }
    return bytes;
  }

  private List<Type> types() {
    return List.of(writers).stream().map(ValueWriter::type).toList();
  }
}
