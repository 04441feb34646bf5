package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.offset.Cursor;
import io.lakexpress.watermark.TableId;

/** Refuses cursors that were not made of the table as it is now. */
final class ResumePoint {
  private ResumePoint() {}

  /** The cursor of a table with a key. */
  static Cursor.Keyed keyed(SourceTable table, Cursor after) {
    if (after instanceof Cursor.Keyed cursor && cursor.key().size() == table.uniqueKey().size()) {
      return cursor;
    }
    throw refused(table.id(), "its key is not the one that the window was begun with");
  }

  /** The cursor of a table without a key. */
  static Cursor.Hashed hashed(SourceTable table, Cursor after) {
    if (after instanceof Cursor.Hashed cursor && cursor.fingerprint().equals(table.fingerprint())) {
      return cursor;
    }
    throw refused(table.id(), "its columns are not those that the window was begun with");
  }

  /** A lasting refusal to read a table. */
  static SourceException refused(TableId id, String reason) {
    return new SourceException(
        "Cannot read " + id + ": " + reason, null, SourceException.Kind.LASTING);
  }
}
