package io.lakexpress.connect.lake.parquet;

import io.lakexpress.connect.lake.file.UnwritableRowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.parquet.schema.Type.Repetition;

/** Turns Connect schemas into writers: one per field, made once. Pure. */
record SchemaResolver(TimestampEncoding timestamps) {
  /** Far more than people nest, far less than the stack holds: some schemas contain themselves. */
  private static final int MOST_LEVELS = 100;

  /**
   * The writer of a row.
   *
   * @throws UnwritableRowException if Parquet or its readers cannot hold the schema
   */
  StructWriter row(Schema schema) {
    if (schema.type() != Schema.Type.STRUCT) {
      throw new UnwritableRowException(
          "Cannot write rows of type " + schema.type() + ": expected a struct");
    }
    return struct(Place.ROOT, schema);
  }

  /** Whether two schemas give the same columns for the same values. */
  boolean sameColumns(Schema one, Schema other) {
    if (one == other) {
      return true;
    }
    if (one.type() != other.type()
        || one.isOptional() != other.isOptional()
        || LeafType.isLeaf(one) != LeafType.isLeaf(other)) {
      return false;
    }
    if (LeafType.isLeaf(one)) {
      return leaf(one, "").equals(leaf(other, ""));
    }
    return switch (one.type()) {
      case STRUCT -> sameFields(one.fields(), other.fields());
      case ARRAY -> sameColumns(one.valueSchema(), other.valueSchema());
      case MAP ->
          sameColumns(one.keySchema(), other.keySchema())
              && sameColumns(one.valueSchema(), other.valueSchema());
      default -> throw new IllegalStateException("Invalid group type " + one.type());
    };
  }

  private boolean sameFields(List<Field> one, List<Field> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (!one.get(i).name().equals(other.get(i).name())
          || !sameColumns(one.get(i).schema(), other.get(i).schema())) {
        return false;
      }
    }
    return true;
  }

  private ValueWriter writer(Place place, Schema schema) {
    if (LeafType.isLeaf(schema)) {
      return new LeafWriter(place, leaf(schema, place.shown()));
    }
    if (place.path().size() > MOST_LEVELS) {
      throw new UnwritableRowException(
          "Cannot write field '"
              + place.path().get(0)
              + "': it holds more than "
              + MOST_LEVELS
              + " levels, or itself");
    }
    return switch (schema.type()) {
      case ARRAY -> list(place, schema);
      case MAP -> map(place, schema);
      default -> struct(place, schema);
    };
  }

  private LeafType leaf(Schema schema, String field) {
    return LeafType.of(schema, timestamps, field);
  }

  private StructWriter struct(Place place, Schema schema) {
    if (schema.fields().isEmpty()) {
      throw new UnwritableRowException(
          place.shown().isEmpty()
              ? "Cannot write rows of a struct without fields: Parquet has no empty group"
              : "Cannot write field '"
                  + place.shown()
                  + "': a struct without fields, and Parquet has no empty group");
    }
    refuseUnusableNames(place, schema.fields());
    List<ValueWriter> writers = new ArrayList<>();
    for (Field field : schema.fields()) {
      writers.add(writer(place.field(field.name(), presence(field.schema())), field.schema()));
    }
    return new StructWriter(place, writers);
  }

  private ListWriter list(Place place, Schema schema) {
    Place list = place.repeated("list");
    Schema item = schema.valueSchema();
    return new ListWriter(place, list, writer(list.inside("element", "[]", presence(item)), item));
  }

  private MapWriter map(Place place, Schema schema) {
    Place entries = place.repeated("key_value");
    Schema value = schema.valueSchema();
    return new MapWriter(
        place,
        entries,
        writer(entries.inside("key", "[key]", Repetition.REQUIRED), schema.keySchema()),
        writer(entries.inside("value", "[value]", presence(value)), value));
  }

  /** Most readers take names that differ only in case for one column. */
  private static void refuseUnusableNames(Place place, List<Field> fields) {
    String where = place.shown().isEmpty() ? "" : " of '" + place.shown() + "'";
    Map<String, String> seen = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (Field field : fields) {
      if (!TextEncoder.isUnicode(field.name())) {
        throw new UnwritableRowException(
            "Cannot write field "
                + (field.index() + 1)
                + where
                + ": its name has half a surrogate pair");
      }
      String earlier = seen.putIfAbsent(field.name(), field.name());
      if (earlier != null) {
        throw new UnwritableRowException(
            "Cannot write fields '"
                + earlier
                + "' and '"
                + field.name()
                + "'"
                + where
                + ": their names differ only in case, and most readers take them for one column");
      }
    }
  }

  private static Repetition presence(Schema schema) {
    return schema.isOptional() ? Repetition.OPTIONAL : Repetition.REQUIRED;
  }
}
