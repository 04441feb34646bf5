package io.lakexpress.lxdb.jdbc;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Removes what is known of old runs; rows of files that exist stay. */
final class Pruning {
  /**
   * Closed long ago, with a later run (which keeps the numbers going), without files on their way
   * or waiting for removal, without jobs that still have to land, and without failed jobs whose
   * window may be open still: those that no later job of the table was delivered after.
   */
  private static final String OLD_RUNS =
      "SELECT r.run_id FROM export_runs r WHERE r.sync_id = ? AND r.closed_at < ?"
          + " AND EXISTS (SELECT 1 FROM export_runs n"
          + " WHERE n.sync_id = r.sync_id AND n.run_number > r.run_number)"
          + " AND NOT EXISTS (SELECT 1 FROM export_files f"
          + " JOIN export_jobs fj ON fj.job_id = f.job_id WHERE fj.run_id = r.run_id"
          + " AND f.state IN ('open', 'staged', 'superseded', 'lost'))"
          + " AND NOT EXISTS (SELECT 1 FROM export_jobs w"
          + " JOIN sync_configurations s ON s.sync_id = w.sync_id"
          + " WHERE w.run_id = r.run_id AND w.status = 'delivered'"
          + " AND w.replaced_by IS NULL AND s.lake_registered_at IS NOT NULL)"
          + " AND NOT EXISTS (SELECT 1 FROM export_jobs o"
          + " WHERE o.run_id = r.run_id AND o.delivered_at IS NULL AND o.replaced_by IS NULL"
          + " AND o.abandoned_at IS NULL AND NOT EXISTS (SELECT 1 FROM export_jobs l"
          + " JOIN export_runs lr ON lr.run_id = l.run_id WHERE l.sync_id = o.sync_id"
          + " AND l.source_schema = o.source_schema AND l.source_table = o.source_table"
          + " AND l.delivered_at IS NOT NULL AND lr.run_number > r.run_number))";

  private final Database database;

  Pruning(Database database) {
    this.database = database;
  }

  int prune(String syncId, Instant before) {
    return database.write(
        "prune the runs of sync " + syncId,
        tx -> {
          SyncRows.lock(tx, syncId);
          List<String> runs = tx.list(OLD_RUNS, row -> row.text("run_id"), syncId, before);
          for (String runId : runs) {
            remove(tx, runId);
          }
          tx.update("DELETE FROM export_log WHERE sync_id = ? AND logged_at < ?", syncId, before);
          tx.update(
              "DELETE FROM export_files WHERE sync_id = ? AND updated_at < ?"
                  + " AND state IN ('deleted', 'discarded')"
                  + " AND NOT EXISTS (SELECT 1 FROM export_jobs j"
                  + " WHERE j.job_id = export_files.job_id)",
              syncId,
              before);
          return runs.size();
        });
  }

  private static void remove(Tx tx, String runId) throws SQLException {
    tx.update("DELETE FROM watermark_history WHERE run_id = ?", runId);
    tx.update(
        "DELETE FROM export_columns WHERE job_id IN"
            + " (SELECT job_id FROM export_jobs WHERE run_id = ?)",
        runId);
    tx.update("DELETE FROM export_jobs WHERE run_id = ?", runId);
    tx.update("DELETE FROM export_runs WHERE run_id = ?", runId);
  }
}
