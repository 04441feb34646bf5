package io.lakexpress.offset;

import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The key of a source offset: {@code {"sync_id": …, "table": "schema.table"}}, and {@code "slice":
 * "1/4"} for a slice of an open window. Its names come from the sync's configuration and the
 * catalogue only.
 */
public record OffsetPartition(String syncId, TableId table, Slice slice) {
  private static final String SYNC_ID = "sync_id";
  private static final String TABLE = "table";
  private static final String SLICE = "slice";
  private static final List<String> KEYS = List.of(SYNC_ID, TABLE, SLICE);

  public OffsetPartition {
    Objects.requireNonNull(syncId, "syncId");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(slice, "slice");
    if (syncId.isEmpty()) {
      throw new IllegalArgumentException(
          "Invalid sync id '' of table " + table + ": expected at least one character");
    }
  }

  /** The partition that holds a table's watermark. */
  public static OffsetPartition of(String syncId, TableId table) {
    return new OffsetPartition(syncId, table, Slice.WHOLE);
  }

  /** As Connect keeps it. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(SYNC_ID, syncId);
    map.put(TABLE, table.toString());
    if (!slice.isWhole()) {
      map.put(SLICE, slice.toString());
    }
    return map;
  }

  /**
   * Reads a partition back, also one that a person wrote.
   *
   * @throws IllegalArgumentException naming the key that is wrong and what is expected
   */
  public static OffsetPartition parse(Map<String, ?> map) {
    for (String key : map.keySet()) {
      if (!KEYS.contains(String.valueOf(key))) {
        throw new IllegalArgumentException(
            "Invalid offset partition key '"
                + key
                + "': expected sync_id, table and perhaps slice");
      }
    }
    Slice slice = map.containsKey(SLICE) ? Slice.parse(text(map, SLICE)) : Slice.WHOLE;
    return new OffsetPartition(text(map, SYNC_ID), TableId.parse(text(map, TABLE)), slice);
  }

  private static String text(Map<String, ?> map, String key) {
    if (map.get(key) instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw new IllegalArgumentException(
        "Invalid offset partition " + map + ": expected a text under '" + key + "'");
  }
}
