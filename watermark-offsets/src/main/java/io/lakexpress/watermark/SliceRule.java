package io.lakexpress.watermark;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which rows belong to a slice, fixed when its run opens. The rules of all slices of a job take
 * every row exactly once, as long as rows keep their key. The text form, which is kept with the
 * job, parses back.
 */
public sealed interface SliceRule {
  /** As it is kept with the job. */
  String text();

  /** Rows whose key has the slice's share of the hash values. */
  record Hash(List<String> key) implements SliceRule {
    public Hash {
      key = List.copyOf(key);
      if (key.isEmpty()) {
        throw new IllegalArgumentException("Invalid slice by hash: expected a key");
      }
    }

    @Override
    public String text() {
      return write("hash", key);
    }
  }

  /**
   * Rows from a value of a key column up to another one, which is left out.
   *
   * @param from the database's text of the value, or null for no bound
   * @param to the database's text of the value, or null for no bound
   */
  record Range(String column, String from, String to) implements SliceRule {
    public Range {
      Objects.requireNonNull(column, "column");
    }

    public Optional<String> lower() {
      return Optional.ofNullable(from);
    }

    public Optional<String> upper() {
      return Optional.ofNullable(to);
    }

    @Override
    public String text() {
      List<String> fields = new ArrayList<>();
      fields.add(column);
      fields.add(from);
      fields.add(to);
      return write("range", fields);
    }
  }

  /**
   * Rows that lie in the blocks from one to another, which is left out.
   *
   * @param to -1 for all up to the end
   */
  record Blocks(long from, long to) implements SliceRule {
    public Blocks {
      if (from < 0 || (to >= 0 && to < from)) {
        throw new IllegalArgumentException(
            "Invalid slice by blocks " + from + " to " + to + ": expected a range");
      }
    }

    @Override
    public String text() {
      return write("blocks", List.of(Long.toString(from), Long.toString(to)));
    }
  }

  private static String write(String kind, List<String> fields) {
    StringBuilder text = new StringBuilder(kind);
    for (String field : fields) {
      text.append(',');
      text.append(field == null ? "*" : '"' + field.replace("\"", "\"\"") + '"');
    }
    return text.toString();
  }

  /**
   * Reads the text form back.
   *
   * @throws IllegalArgumentException for any other text
   */
  static SliceRule parse(String text) {
    List<String> items = CommaList.split(text);
    List<String> fields = new ArrayList<>();
    for (String item : items.subList(Math.min(1, items.size()), items.size())) {
      fields.add(
          item.equals("*") ? null : item.substring(1, item.length() - 1).replace("\"\"", "\""));
    }
    String kind = items.isEmpty() ? "" : items.get(0);
    if (kind.equals("hash") && !fields.isEmpty()) {
      return new Hash(fields);
    }
    if (kind.equals("range") && fields.size() == 3) {
      return new Range(fields.get(0), fields.get(1), fields.get(2));
    }
    if (kind.equals("blocks") && fields.size() == 2) {
      return new Blocks(Long.parseLong(fields.get(0)), Long.parseLong(fields.get(1)));
    }
    throw new IllegalArgumentException(
        "Invalid slice rule '" + text + "': expected hash, range or blocks");
  }
}
