package io.lakexpress.lxdb.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** All tables of the LakeXpress DB, those that refer to others first. */
final class Tables {
  static final List<String> ALL =
      List.of(
          "export_columns",
          "export_jobs",
          "export_runs",
          "export_files",
          "lake_positions",
          "incremental_watermarks",
          "watermark_history",
          "export_log",
          "guard_samples",
          "table_locks",
          "partition_columns",
          "publish_loads",
          "sync_configurations");

  /** Tables without a column that names the sync. */
  private static final Set<String> OF_NO_SYNC = Set.of("export_columns", "partition_columns");

  private Tables() {}

  static void empty(Tx tx) throws SQLException {
    for (String table : ALL) {
      tx.update("DELETE FROM " + table);
    }
  }

  static void forget(Tx tx, String syncId) throws SQLException {
    tx.update(
        "DELETE FROM export_columns WHERE job_id IN"
            + " (SELECT job_id FROM export_jobs WHERE sync_id = ?)",
        syncId);
    for (String table : ALL) {
      if (!OF_NO_SYNC.contains(table)) {
        tx.update("DELETE FROM " + table + " WHERE sync_id = ?", syncId);
      }
    }
  }

  static void drop(Tx tx) throws SQLException {
    for (String table : ALL) {
      tx.update("DROP TABLE IF EXISTS " + table);
    }
    tx.update("DROP TABLE IF EXISTS " + Schema.HISTORY_TABLE);
  }
}
