package io.lakexpress.connect.lake.parquet;

import java.util.Map;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/** Writes a map with keys of any type; a null key is refused. */
final class MapWriter extends ValueWriter {
  private final Place entries;
  private final ValueWriter key;
  private final ValueWriter value;

  /**
   * @param entries the repeated group
   * @param key the writer of its required key
   * @param value the writer of its value
   */
  MapWriter(Place place, Place entries, ValueWriter key, ValueWriter value) {
    super(place);
    this.entries = entries;
    this.key = key;
    this.value = value;
  }

  @Override
  Type type() {
    GroupType repeated =
        new GroupType(Repetition.REPEATED, entries.name(), key.type(), value.type());
    return Types.buildGroup(place.presence())
        .as(LogicalTypeAnnotation.mapType())
        .addField(repeated)
        .named(place.name());
  }

  @Override
  void begin(ColumnWriteStore columns, MessageType schema) {
    key.begin(columns, schema);
    value.begin(columns, schema);
  }

  @Override
  boolean refusesSomeValues() {
    return true;
  }

  @Override
  void checkPresent(Object map) {
    for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
      key.check(entry.getKey());
      value.check(entry.getValue());
    }
  }

  @Override
  long writePresent(Object map, int repetition) {
    Map<?, ?> pairs = (Map<?, ?>) map;
    if (pairs.isEmpty()) {
      return writeAbsent(repetition, place.definition());
    }
    long bytes = 0;
    int level = repetition;
    for (Map.Entry<?, ?> entry : pairs.entrySet()) {
      bytes += key.write(entry.getKey(), level) + value.write(entry.getValue(), level);
      level = entries.repetition();
    }
    return bytes;
  }

  @Override
  long writeAbsent(int repetition, int definition) {
    return key.writeAbsent(repetition, definition) + value.writeAbsent(repetition, definition);
  }
}
