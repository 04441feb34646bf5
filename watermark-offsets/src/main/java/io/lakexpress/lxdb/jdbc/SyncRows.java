package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.Plan;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** The row of a sync: what all changes to its runs and watermarks queue up behind. */
final class SyncRows {
  private SyncRows() {}

  /**
   * Locks the sync's row, which is created if it is missing. Whoever changes runs, the status of
   * jobs or watermarks does this first, so there are neither races nor deadlocks between them.
   */
  static void lock(Tx tx, String syncId) throws SQLException {
    if (!isLocked(tx, syncId)) {
      create(tx, syncId);
      isLocked(tx, syncId);
    }
  }

  private static boolean isLocked(Tx tx, String syncId) throws SQLException {
    return tx.lock(
            "sync_id", "sync_configurations", "sync_id = ?", row -> row.text("sync_id"), syncId)
        .isPresent();
  }

  private static void create(Tx tx, String syncId) throws SQLException {
    Instant now = tx.now();
    tx.insertIfMissing(
        "sync_configurations",
        List.of(
            "sync_id",
            "env_name",
            "config",
            "plan_generation",
            "units",
            "created_at",
            "updated_at"),
        List.of("sync_id"),
        syncId,
        "",
        "{}",
        0L,
        "[]",
        now,
        now);
  }

  static Plan plan(Tx tx, String syncId) throws SQLException {
    return tx.first(
            "SELECT plan_generation, units FROM sync_configurations WHERE sync_id = ?",
            row -> new Plan(row.number("plan_generation"), Units.read(row.text("units"))),
            syncId)
        .orElseGet(() -> new Plan(0, List.of()));
  }

  static boolean hasLake(Tx tx, String syncId) throws SQLException {
    return tx.count(
            "SELECT COUNT(*) AS n FROM sync_configurations"
                + " WHERE sync_id = ? AND lake_registered_at IS NOT NULL",
            syncId)
        > 0;
  }
}
