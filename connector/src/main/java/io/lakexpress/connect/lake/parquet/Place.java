package io.lakexpress.connect.lake.parquet;

import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.schema.Type.Repetition;

/**
 * Where a field stands in a Parquet schema.
 *
 * @param path the names from the root to the field
 * @param shown the field as messages name it, without Parquet's helper groups
 * @param presence whether the field itself may be null
 * @param definition the definition level of the field when it is present
 * @param repetition the repetition level of the field
 */
record Place(List<String> path, String shown, Repetition presence, int definition, int repetition) {

  static final Place ROOT = new Place(List.of(), "", Repetition.REQUIRED, 0, 0);

  /** A field of the group that stands here. */
  Place field(String name, Repetition presence) {
    String child = shown.isEmpty() ? name : shown + "." + name;
    return new Place(below(name), child, presence, definition + level(presence), repetition);
  }

  /** The repeated group of the list or map that stands here. */
  Place repeated(String name) {
    return new Place(below(name), shown, Repetition.REPEATED, definition + 1, repetition + 1);
  }

  /** The field inside the repeated group that stands here, named for people by its role. */
  Place inside(String name, String role, Repetition presence) {
    return new Place(below(name), shown + role, presence, definition + level(presence), repetition);
  }

  boolean mayBeNull() {
    return presence == Repetition.OPTIONAL;
  }

  String name() {
    return path.get(path.size() - 1);
  }

  private List<String> below(String name) {
    return Stream.concat(path.stream(), Stream.of(name)).toList();
  }

  private static int level(Repetition presence) {
    return presence == Repetition.OPTIONAL ? 1 : 0;
  }
}
