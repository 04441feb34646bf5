package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.TableLocks;
import io.lakexpress.watermark.TableId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class JdbcTableLocks implements TableLocks {
  private static final String TABLE = "table_locks";
  private static final String ONE = "sync_id = ? AND source_schema = ? AND source_table = ?";

  private final Database database;

  JdbcTableLocks(Database database) {
    this.database = database;
  }

  @Override
  public Lock lock(String syncId, TableId table, String owner, String runId) {
    return database.write(
        "lock table " + table + " of sync " + syncId,
        tx -> {
          Instant now = tx.now();
          tx.insertIfMissing(
              TABLE,
              List.of("sync_id", "source_schema", "source_table", "owner", "run_id", "locked_at"),
              List.of("sync_id", "source_schema", "source_table"),
              syncId,
              table.schema(),
              table.table(),
              owner,
              runId,
              now);
          tx.update(
              "UPDATE table_locks SET run_id = ?, locked_at = ? WHERE " + ONE + " AND owner = ?",
              runId,
              now,
              syncId,
              table.schema(),
              table.table(),
              owner);
          return tx.first(
                  "SELECT * FROM table_locks WHERE " + ONE,
                  JdbcTableLocks::read,
                  syncId,
                  table.schema(),
                  table.table())
              .orElseThrow(
                  () -> new SQLException("The lock was released at the same moment", "40001"));
        });
  }

  @Override
  public void unlock(String syncId, TableId table, String owner) {
    database.perform(
        "unlock table " + table + " of sync " + syncId,
        tx ->
            tx.update(
                "DELETE FROM table_locks WHERE " + ONE + " AND owner = ?",
                syncId,
                table.schema(),
                table.table(),
                owner));
  }

  @Override
  public List<Lock> locks(Optional<String> syncId) {
    return database
        .read(
            "list the table locks",
            tx ->
                tx.list(
                    "SELECT * FROM table_locks ORDER BY sync_id, source_schema, source_table",
                    JdbcTableLocks::read))
        .stream()
        .filter(lock -> syncId.isEmpty() || syncId.get().equals(lock.syncId()))
        .toList();
  }

  @Override
  public int release(Duration age, Optional<TableId> table) {
    return database.write(
        "release table locks",
        tx -> {
          Instant before = tx.now().minus(age);
          String sql = "DELETE FROM table_locks WHERE locked_at <= ?";
          return table.isEmpty()
              ? tx.update(sql, before)
              : tx.update(
                  sql + " AND source_schema = ? AND source_table = ?",
                  before,
                  table.get().schema(),
                  table.get().table());
        });
  }

  private static Lock read(Row row) throws SQLException {
    return new Lock(
        row.text("sync_id"),
        row.table(),
        row.text("owner"),
        row.text("run_id"),
        row.instant("locked_at"));
  }
}
