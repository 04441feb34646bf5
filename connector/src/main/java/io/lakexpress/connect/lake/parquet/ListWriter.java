package io.lakexpress.connect.lake.parquet;

import java.util.List;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/** Writes an array as a list of three levels, which tells null, empty and null items apart. */
final class ListWriter extends ValueWriter {
  private final Place list;
  private final ValueWriter element;

  /**
   * @param list the repeated group
   * @param element the writer inside it
   */
  ListWriter(Place place, Place list, ValueWriter element) {
    super(place);
    this.list = list;
    this.element = element;
  }

  @Override
  Type type() {
    GroupType repeated = new GroupType(Repetition.REPEATED, list.name(), element.type());
    return Types.buildGroup(place.presence())
        .as(LogicalTypeAnnotation.listType())
        .addField(repeated)
        .named(place.name());
  }

  @Override
  void begin(ColumnWriteStore columns, MessageType schema) {
    element.begin(columns, schema);
  }

  @Override
  boolean refusesSomeValues() {
    return !place.mayBeNull() || element.refusesSomeValues();
  }

  @Override
  void checkPresent(Object value) {
    if (element.refusesSomeValues()) {
      for (Object item : (List<?>) value) {
        element.check(item);
      }
    }
  }

  @Override
  long writePresent(Object value, int repetition) {
    List<?> items = (List<?>) value;
    if (items.isEmpty()) {
      return element.writeAbsent(repetition, place.definition());
    }
    long bytes = 0;
    int level = repetition;
    for (Object item : items) {
      bytes += element.write(item, level);
      level = list.repetition();
    }
    return bytes;
  }

  @Override
  long writeAbsent(int repetition, int definition) {
    return element.writeAbsent(repetition, definition);
  }
}
