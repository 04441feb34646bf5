package io.lakexpress.watermark;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How one table is to be sliced: {@code [schema.]table:method:key:degree}, where an empty or
 * missing field means the default. Names may be double-quoted. The text form parses back.
 *
 * @param schemaName null for every schema that has such a table
 * @param keyColumn null for the default
 * @param writtenDegree as written, see {@link SliceDegree}; null for the default
 */
public record SliceSpec(
    Name schemaName, Name table, SliceMethod method, Name keyColumn, Integer writtenDegree) {

  private static final String FORM =
      "[schema.]table:method:key:degree, for example sales.orders:Ntile:id:4";

  public SliceSpec {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(method, "method");
    if (writtenDegree != null) {
      SliceDegree.check(writtenDegree);
    }
  }

  public Optional<Name> schema() {
    return Optional.ofNullable(schemaName);
  }

  public Optional<Name> key() {
    return Optional.ofNullable(keyColumn);
  }

  public OptionalInt degree() {
    return writtenDegree == null ? OptionalInt.empty() : OptionalInt.of(writtenDegree);
  }

  /** Whether the spec means this table. */
  public boolean means(TableId id) {
    return table.resolve(List.of(id.table())).isPresent()
        && (schemaName == null || schemaName.resolve(List.of(id.schema())).isPresent());
  }

  /** The items of a list joined by semicolons; those inside double quotes do not separate. */
  public static List<String> split(String list) {
    return fields(list, ';').stream().map(String::strip).filter(item -> !item.isEmpty()).toList();
  }

  /**
   * Reads one spec.
   *
   * @throws IllegalArgumentException naming the spec, what is wrong with it and the form expected
   */
  public static SliceSpec parse(String text) {
    String spec = text.strip();
    NameScanner scanner = new NameScanner(spec, "slice spec '" + spec + "'", FORM);
    List<String> parts = fields(spec, ':');
    List<String> names = fields(parts.get(0), '.');
    if (names.size() > 2 || parts.size() < 2 || parts.size() > 4) {
      throw scanner.invalid("it has not the right number of names and fields");
    }
    Name first = name(names.get(0), scanner);
    Name table = names.size() == 2 ? name(names.get(1), scanner) : first;
    try {
      return new SliceSpec(
          names.size() == 2 ? first : null,
          table,
          field(parts, 1).isEmpty() ? SliceMethod.RANDOM : SliceMethod.parse(field(parts, 1)),
          field(parts, 2).isEmpty() ? null : name(field(parts, 2), scanner),
          field(parts, 3).isEmpty() ? null : SliceDegree.parse(field(parts, 3)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("Invalid slice spec '" + spec + "': " + e.getMessage(), e);
    }
  }

  private static String field(List<String> parts, int index) {
    return index < parts.size() ? parts.get(index).strip() : "";
  }

  private static Name name(String text, NameScanner outer) {
    if (text.isBlank()) {
      throw outer.invalid("a name is missing");
    }
    NameScanner scanner = new NameScanner(text.strip(), "name '" + text.strip() + "'", FORM);
    Name name = scanner.name("");
    scanner.expectEnd();
    return name;
  }

  private static List<String> fields(String text, char separator) {
    List<String> fields = new ArrayList<>();
    boolean quoted = false;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '"') {
        quoted = !quoted;
      } else if (text.charAt(i) == separator && !quoted) {
        fields.add(text.substring(from, i));
        from = i + 1;
      }
    }
    fields.add(text.substring(from));
    return fields;
  }

  @Override
  public String toString() {
    return (schemaName == null ? "" : schemaName + ".")
        + table
        + ":"
        + method.text()
        + ":"
        + (keyColumn == null ? "" : keyColumn)
        + ":"
        + (writtenDegree == null ? "" : writtenDegree);
  }
}
