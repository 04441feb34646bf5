package io.lakexpress.connect.source.jdbc;

import io.lakexpress.offset.Cursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Where in its window a row lies. Made for one cursor; may remember the rows before. */
interface RowPositions {
  /** Whether the row was handed over before, so that it is passed over now; once per row. */
  boolean passesOver(ResultSet rows) throws SQLException;

  /** The position of a row that is not passed over; null in a full export. */
  Cursor of(ResultSet rows) throws SQLException;

  /** What a person finds the row by. */
  String describe(ResultSet rows) throws SQLException;

  /** Full exports have no positions. */
  record None(List<Integer> keyIndexes) implements RowPositions {
    @Override
    public boolean passesOver(ResultSet rows) {
      return false;
    }

    @Override
    public Cursor of(ResultSet rows) {
      return null;
    }

    @Override
    public String describe(ResultSet rows) throws SQLException {
      return keyIndexes.isEmpty() ? "a row" : "the row with key " + texts(rows, keyIndexes);
    }
  }

  /**
   * By watermark and key.
   *
   * @param columns the key's columns, as cursors name them
   */
  record Keyed(
      WatermarkReader watermark, int watermarkIndex, List<Integer> keyIndexes, String columns)
      implements RowPositions {
    @Override
    public boolean passesOver(ResultSet rows) {
      return false;
    }

    @Override
    public Cursor of(ResultSet rows) throws SQLException {
      return new Cursor.Keyed(
          watermark.read(rows, watermarkIndex), texts(rows, keyIndexes), columns);
    }

    @Override
    public String describe(ResultSet rows) throws SQLException {
      return "the row with key " + texts(rows, keyIndexes);
    }
  }

  /** By watermark, hash of the row, and how many rows with both went before. */
  final class Hashed implements RowPositions {
    private final WatermarkReader watermark;
    private final int watermarkIndex;
    private final int hashIndex;
    private final String fingerprint;
    private String value = "";
    private String hash = "";
    private long count;
    private long toPassOver;

    Hashed(
        WatermarkReader watermark,
        int watermarkIndex,
        int hashIndex,
        String fingerprint,
        Cursor.Hashed after) {
      this.watermark = watermark;
      this.watermarkIndex = watermarkIndex;
      this.hashIndex = hashIndex;
      this.fingerprint = fingerprint;
      if (after != null) {
        value = after.value();
        hash = after.hash();
        toPassOver = after.count();
      }
    }

    @Override
    public boolean passesOver(ResultSet rows) throws SQLException {
      String rowHash = rows.getString(hashIndex);
      String rowValue = watermark.read(rows, watermarkIndex);
      boolean same = rowHash.equals(hash) && rowValue.equals(value);
      count = same ? count + 1 : 1;
      toPassOver = same ? toPassOver : 0;
      hash = rowHash;
      value = rowValue;
      return count <= toPassOver;
    }

    @Override
    public Cursor of(ResultSet rows) {
      return new Cursor.Hashed(value, hash, count, fingerprint);
    }

    @Override
    public String describe(ResultSet rows) throws SQLException {
      return "a row with watermark " + watermark.read(rows, watermarkIndex);
    }
  }

  private static List<String> texts(ResultSet rows, List<Integer> indexes) throws SQLException {
    List<String> texts = new ArrayList<>(indexes.size());
    for (int index : indexes) {
      texts.add(rows.getString(index));
    }
    return texts;
  }
}
