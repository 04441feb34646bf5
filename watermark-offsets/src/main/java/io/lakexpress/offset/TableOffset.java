package io.lakexpress.offset;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * How far a table is read, as Connect's offsets topic keeps it (a flat map of texts and numbers).
 * All forms parse back; unknown fields are refused, so that a typing error in a hand-written offset
 * is not taken for a rewind.
 *
 * @param lastExported the watermark, canonical text; null while the table has none and for full
 *     exports
 * @param runId the run this offset belongs to; null in a hand-written offset
 * @param jobId the job this offset belongs to; null in a hand-written offset
 * @param rows rows of the job handed over so far; the closing offset keeps the total
 * @param windowUpper the pinned upper bound while a window is open, else null
 * @param cursor the last row handed over in the open window, or null
 * @param exportedAt end of a full export, ISO instant; null before, and for incremental tables
 */
public record TableOffset(
    String lastExported,
    String runId,
    String jobId,
    long rows,
    String windowUpper,
    Cursor cursor,
    String exportedAt) {

  private static final String LAST_EXPORTED_VALUE = "last_exported_value";
  private static final String RUN_ID = "run_id";
  private static final String JOB_ID = "job_id";
  private static final String ROWS = "rows";
  private static final String WINDOW_UPPER = "window_upper";
  private static final String CURSOR_VALUE = "cursor_value";
  private static final String CURSOR_KEY = "cursor_key";
  private static final String CURSOR_COLUMNS = "cursor_columns";
  private static final String EXPORTED_AT = "exported_at";
  private static final Set<String> FIELDS =
      Set.of(
          LAST_EXPORTED_VALUE,
          RUN_ID,
          JOB_ID,
          ROWS,
          WINDOW_UPPER,
          CURSOR_VALUE,
          CURSOR_KEY,
          CURSOR_COLUMNS,
          EXPORTED_AT);

  public TableOffset {
    if (rows < 0) {
      throw new IllegalArgumentException("Invalid rows " + rows + ": expected 0 or more");
    }
    if (cursor != null && windowUpper == null) {
      throw new IllegalArgumentException("Invalid offset: a cursor without window_upper");
    }
  }

  /** A watermark without a job: adopted, or set by hand. */
  public static TableOffset adopted(String lastExported) {
    Objects.requireNonNull(lastExported, "lastExported");
    return new TableOffset(lastExported, null, null, 0, null, null, null);
  }

  /**
   * An incremental table whose window is closed. {@code lastExported} may be null: no watermark
   * yet.
   */
  public static TableOffset closed(String lastExported, String runId, String jobId, long rows) {
    return new TableOffset(lastExported, runId, jobId, rows, null, null, null);
  }

  /** An incremental table inside a window. */
  public static TableOffset open(
      String lastExported, String runId, String jobId, long rows, String upper, Cursor cursor) {
    Objects.requireNonNull(upper, "upper");
    return new TableOffset(lastExported, runId, jobId, rows, upper, cursor, null);
  }

  /** A full export under way. */
  public static TableOffset exporting(String runId, String jobId, long rows) {
    return new TableOffset(null, runId, jobId, rows, null, null, null);
  }

  /** A full export that ended. */
  public static TableOffset exported(String runId, String jobId, long rows, String exportedAt) {
    Objects.requireNonNull(exportedAt, "exportedAt");
    return new TableOffset(null, runId, jobId, rows, null, null, exportedAt);
  }

  public Optional<String> watermark() {
    return Optional.ofNullable(lastExported);
  }

  public Optional<String> job() {
    return Optional.ofNullable(jobId);
  }

  public Optional<Cursor> lastRow() {
    return Optional.ofNullable(cursor);
  }

  /** Whether an incremental table's window is open. */
  public boolean isWindowOpen() {
    return windowUpper != null;
  }

  /** As Connect keeps it. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    put(map, LAST_EXPORTED_VALUE, lastExported);
    put(map, RUN_ID, runId);
    put(map, JOB_ID, jobId);
    if (jobId != null || rows > 0) {
      map.put(ROWS, rows);
    }
    put(map, WINDOW_UPPER, windowUpper);
    if (cursor != null) {
      map.put(CURSOR_VALUE, cursor.value());
      map.put(CURSOR_KEY, cursor.keyText());
      if (cursor instanceof Cursor.Keyed keyed) {
        put(map, CURSOR_COLUMNS, keyed.columns());
      }
    }
    put(map, EXPORTED_AT, exportedAt);
    return map;
  }

  private static void put(Map<String, Object> map, String field, String value) {
    if (value != null) {
      map.put(field, value);
    }
  }

  /**
   * Reads an offset back, also one that a person wrote.
   *
   * @throws IllegalArgumentException naming the field that is wrong and what is expected
   */
  public static TableOffset parse(Map<String, ?> map) {
    for (String field : map.keySet()) {
      if (!FIELDS.contains(String.valueOf(field))) {
        throw new IllegalArgumentException(
            "Invalid offset field '" + field + "': expected " + LAST_EXPORTED_VALUE);
      }
    }
    String cursorValue = text(map, CURSOR_VALUE);
    String cursorKey = text(map, CURSOR_KEY);
    if ((cursorValue == null) != (cursorKey == null)) {
      throw new IllegalArgumentException(
          "Invalid offset: cursor_value and cursor_key go together, only one is there");
    }
    if (map.get(WINDOW_UPPER) != null && (map.get(RUN_ID) == null || map.get(JOB_ID) == null)) {
      throw new IllegalArgumentException(
          "Invalid offset: window_upper without run_id and job_id; to set a watermark, write "
              + LAST_EXPORTED_VALUE
              + " alone");
    }
    return new TableOffset(
        text(map, LAST_EXPORTED_VALUE),
        text(map, RUN_ID),
        text(map, JOB_ID),
        number(map),
        text(map, WINDOW_UPPER),
        cursorValue == null
            ? null
            : Cursor.parse(cursorValue, cursorKey, text(map, CURSOR_COLUMNS)),
        text(map, EXPORTED_AT));
  }

  private static String text(Map<String, ?> map, String field) {
    Object value = map.get(field);
    if (value == null) {
      return null;
    }
    if (value instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw new IllegalArgumentException(
        "Invalid offset field "
            + field
            + " "
            + (value instanceof String ? "''" : value)
            + ": expected a text in double quotes");
  }

  private static long number(Map<String, ?> map) {
    Object value = map.get(ROWS);
    if (value == null) {
      return 0;
    }
    if (value instanceof Long || value instanceof Integer) {
      return ((Number) value).longValue();
    }
    throw new IllegalArgumentException(
        "Invalid offset field rows " + value + ": expected a whole number");
  }
}
