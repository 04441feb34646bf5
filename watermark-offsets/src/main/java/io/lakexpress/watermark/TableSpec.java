package io.lakexpress.watermark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * How one table is tracked: {@code schema.table:column:type[:direction][@start_value][!strategy]}.
 * Names may be double-quoted. The text form parses back.
 *
 * @param direction always {@code e} for a rowversion, which is the default there
 * @param start the start value as written, or null
 */
public record TableSpec(
    Name schema,
    Name table,
    Name column,
    WatermarkType type,
    Direction direction,
    String start,
    LoadStrategy strategy) {

  private static final String FORM =
      "schema.table:column:type[:direction][@start_value][!strategy], for example"
          + " sales.orders:created_at:datetime";

  public TableSpec {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(column, "column");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(direction, "direction");
    Objects.requireNonNull(strategy, "strategy");
    if (type == WatermarkType.ROWVERSION && direction == Direction.INCLUSIVE) {
      throw new IllegalArgumentException("Invalid direction i of a rowversion: expected e");
    }
    if (start != null && (start.isEmpty() || !start.equals(start.strip()))) {
      throw new IllegalArgumentException(
          "Invalid start value '" + start + "': expected a text without blanks around it");
    }
  }

  /** The lower bound of the first window, if one is given. */
  public Optional<String> startValue() {
    return Optional.ofNullable(start);
  }

  /**
   * Reads one spec.
   *
   * @throws IllegalArgumentException naming the spec, what is wrong with it and the form expected
   */
  public static TableSpec parse(String text) {
    String spec = text.strip();
    NameScanner scanner = new NameScanner(spec, "table spec '" + spec + "'", FORM);
    Name schema = scanner.name(".:");
    scanner.expect('.');
    Name table = scanner.name(".:");
    scanner.expect(':');
    Name column = scanner.name(":");
    scanner.expect(':');
    String rest = scanner.rest();

    LoadStrategy strategy = LoadStrategy.APPEND;
    int bang = rest.lastIndexOf('!');
    if (bang >= 0) {
      String word = rest.substring(bang + 1).strip();
      strategy =
          LoadStrategy.parse(word)
              .orElseThrow(
                  () ->
                      scanner.invalid(
                          "unknown strategy '" + word + "' (append, upsert, delete-insert)"));
      rest = rest.substring(0, bang);
    }
    String start = null;
    int at = rest.indexOf('@');
    if (at >= 0) {
      start = rest.substring(at + 1).strip();
      if (start.isEmpty()) {
        throw scanner.invalid("the start value after '@' is missing");
      }
      rest = rest.substring(0, at);
    }
    String[] words = rest.split(":", -1);
    if (words.length > 2) {
      throw scanner.invalid("'" + words[2] + "' follows the direction");
    }
    WatermarkType type = type(words[0].strip(), scanner);
    Direction direction = words.length == 2 ? direction(words[1].strip(), scanner) : usual(type);
    if (type == WatermarkType.ROWVERSION && direction == Direction.INCLUSIVE) {
      throw scanner.invalid("a rowversion has no direction but e");
    }
    return new TableSpec(schema, table, column, type, direction, start, strategy);
  }

  /** Reads a comma list of specs; commas inside double quotes do not separate. */
  public static List<TableSpec> parseList(String text) {
    List<TableSpec> specs = new ArrayList<>();
    for (String part : CommaList.split(text)) {
      specs.add(parse(part));
    }
    return List.copyOf(specs);
  }

  private static WatermarkType type(String word, NameScanner scanner) {
    if (word.isEmpty()) {
      throw scanner.invalid("the type is missing");
    }
    return WatermarkType.parse(word)
        .orElseThrow(
            () ->
                scanner.invalid(
                    "unknown type '"
                        + word
                        + "' (date, datetime, timestamp, integer, rowversion)"));
  }

  /**
   * The smallest rowversion that may still be committed ends a window, so it never belongs to it.
   */
  private static Direction usual(WatermarkType type) {
    return type == WatermarkType.ROWVERSION ? Direction.EXCLUSIVE : Direction.INCLUSIVE;
  }

  private static Direction direction(String word, NameScanner scanner) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "i" -> Direction.INCLUSIVE;
      case "e" -> Direction.EXCLUSIVE;
      default ->
          throw scanner.invalid(
              "unknown direction '" + word + "' (i includes d_new, e excludes it)");
    };
  }

  @Override
  public String toString() {
    return schema
        + "."
        + table
        + ":"
        + column
        + ":"
        + type.text()
        + ":"
        + direction.text()
        + (start == null ? "" : "@" + start)
        + "!"
        + strategy.text();
  }
}
