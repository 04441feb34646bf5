package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.EventLog;
import java.util.List;

final class JdbcEventLog implements EventLog {
  private final Database database;

  JdbcEventLog(Database database) {
    this.database = database;
  }

  @Override
  public void write(String level, String syncId, String runId, String jobId, String message) {
    database.perform(
        "write to the log of sync " + syncId,
        tx ->
            tx.update(
                "INSERT INTO export_log (logged_at, level, sync_id, run_id, job_id, message)"
                    + " VALUES (?, ?, ?, ?, ?, ?)",
                tx.now(),
                level,
                syncId,
                runId,
                jobId,
                message));
  }

  @Override
  public List<Event> events(String syncId, int max) {
    return database.read(
        "read the log of sync " + syncId,
        tx ->
            tx.top(
                max,
                "SELECT * FROM export_log WHERE sync_id = ? ORDER BY log_id DESC",
                row ->
                    new Event(
                        row.instant("logged_at"),
                        row.text("level"),
                        row.text("sync_id"),
                        row.text("run_id"),
                        row.text("job_id"),
                        row.text("message")),
                syncId));
  }
}
