package io.lakexpress.lxdb;

import io.lakexpress.watermark.TableId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The watermarks as people read them: a mirror of the source offsets, behind or equal, never ahead.
 * Thread-safe.
 */
public interface WatermarkBook {
  /**
   * A table's watermark.
   *
   * @param lastExportedValue canonical text of the last delivered bound; null while it has none
   * @param lastLandedValue canonical text of the last landed bound; null while it has none
   */
  record Watermark(
      TableId table,
      String column,
      String type,
      String lastExportedValue,
      String lastLandedValue,
      String lastRunId,
      Instant updatedAt) {
    public Optional<String> exported() {
      return Optional.ofNullable(lastExportedValue);
    }

    public Optional<String> landed() {
      return Optional.ofNullable(lastLandedValue);
    }
  }

  /** One move of a watermark. */
  record Advance(
      TableId table,
      String previousValue,
      String newValue,
      String runId,
      long rows,
      Instant at,
      WatermarkCause cause) {}

  Optional<Watermark> watermark(String syncId, TableId table);

  List<Watermark> watermarks(String syncId);

  /** Oldest first. */
  List<Advance> history(String syncId, TableId table);

  /** Writes a watermark by hand or by adoption, with its history. */
  void set(String syncId, WatermarkMove move, WatermarkCause cause);

  /** Forgets a table's watermark; the history keeps a line with no new value. */
  void clear(String syncId, TableId table, WatermarkCause cause);

  /**
   * The watermark a table without a source offset starts from: the last landed one where the sync
   * has a lake (its delivered, unlanded jobs are abandoned and {@code last_exported_value} is set
   * back in the same transaction, cause adopted), else the last delivered one.
   */
  Optional<String> adopt(String syncId, TableId table);
}
