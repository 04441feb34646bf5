package io.lakexpress.offset;

import java.util.List;
import java.util.Objects;

/**
 * The last row handed over inside an open window. Watermark and key are texts that only the
 * database compares.
 */
public sealed interface Cursor {
  /** Stands for the watermark of a row whose watermark column is NULL; no watermark reads so. */
  String NO_WATERMARK = "null";

  /** The row's watermark, or {@link #NO_WATERMARK}. */
  String value();

  /** Whether the row has no watermark. Such rows come before all others of their window. */
  default boolean isWithoutWatermark() {
    return value().equals(NO_WATERMARK);
  }

  /** The form kept in the offset: a JSON array. */
  String keyText();

  /**
   * The last row of a table with a key.
   *
   * @param columns what the window is ordered by, as {@link #columnsText} writes it; if that is
   *     something else by now, the cursor is void. Null if it is not known.
   */
  record Keyed(String value, List<String> key, String columns) implements Cursor {
    /** A cursor whose key columns are not known. */
    public Keyed(String value, List<String> key) {
      this(value, key, null);
    }

    public Keyed {
      Objects.requireNonNull(value, "value");
      key = List.copyOf(key);
      if (key.isEmpty()) {
        throw new IllegalArgumentException(
            "Invalid cursor at " + value + ": expected at least one key column");
      }
    }

    @Override
    public String keyText() {
      return JsonArray.write(key);
    }
  }

  /**
   * The last row of a table without a key, which is read in the order of (watermark, hash of the
   * whole row): {@code count} rows with this watermark and hash have been handed over. Identical
   * rows are interchangeable, so the next {@code count} of them are skipped.
   *
   * @param fingerprint of the columns the hash was made of; if it differs, the cursor is void
   */
  record Hashed(String value, String hash, long count, String fingerprint) implements Cursor {
    public Hashed {
      Objects.requireNonNull(value, "value");
      Objects.requireNonNull(hash, "hash");
      Objects.requireNonNull(fingerprint, "fingerprint");
      if (count < 0) {
        throw new IllegalArgumentException(
            "Invalid cursor count " + count + ": expected 0 or more");
      }
    }

    @Override
    public String keyText() {
      return JsonArray.write(List.of(hash, count, fingerprint));
    }
  }

  /** The columns that order a window as the offset keeps them: a JSON array. */
  static String columnsText(List<String> columns) {
    return JsonArray.write(columns);
  }

  /** Reads a cursor back whose key columns are not known. */
  static Cursor parse(String value, String keyText) {
    return parse(value, keyText, null);
  }

  /**
   * Reads the offset fields back.
   *
   * @param columns of a key; null if they are not known
   * @throws IllegalArgumentException naming the key and what is expected
   */
  static Cursor parse(String value, String keyText, String columns) {
    List<Object> items = JsonArray.parse(keyText);
    if (items.size() == 3
        && items.get(0) instanceof String hash
        && items.get(1) instanceof Long count
        && items.get(2) instanceof String fingerprint) {
      return new Hashed(value, hash, count, fingerprint);
    }
    if (items.isEmpty() || !items.stream().allMatch(String.class::isInstance)) {
      throw new IllegalArgumentException(
          "Invalid cursor_key " + keyText + ": expected a JSON array of texts");
    }
    return new Keyed(value, items.stream().map(String.class::cast).toList(), columns);
  }
}
