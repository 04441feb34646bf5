package io.lakexpress.lxdb.jdbc;

import java.sql.SQLException;
import java.util.List;

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
          "table_locks",
          "partition_columns",
          "publish_loads",
          "sync_configurations");

  private Tables() {}

  static void empty(Tx tx) throws SQLException {
    for (String table : ALL) {
      tx.update("DELETE FROM " + table);
    }
  }

  static void drop(Tx tx) throws SQLException {
    for (String table : ALL) {
      tx.update("DROP TABLE IF EXISTS " + table);
    }
    tx.update("DROP TABLE IF EXISTS " + Schema.HISTORY_TABLE);
  }
}
