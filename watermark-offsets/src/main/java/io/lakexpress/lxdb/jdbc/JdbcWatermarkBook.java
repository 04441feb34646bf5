package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.WatermarkBook;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.watermark.TableId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

final class JdbcWatermarkBook implements WatermarkBook {
  private static final String DISCARDED =
      "Discarded: the table has no source offset any more and is read again from its last landed"
          + " watermark";

  private final Database database;

  JdbcWatermarkBook(Database database) {
    this.database = database;
  }

  @Override
  public Optional<Watermark> watermark(String syncId, TableId table) {
    return database.read(
        "read the watermark of " + table, tx -> Watermarks.find(tx, syncId, table));
  }

  @Override
  public List<Watermark> watermarks(String syncId) {
    return database.read(
        "list the watermarks of sync " + syncId,
        tx ->
            tx.list(
                "SELECT * FROM incremental_watermarks WHERE sync_id = ?"
                    + " ORDER BY source_schema, source_table",
                Watermarks::read,
                syncId));
  }

  @Override
  public List<Advance> history(String syncId, TableId table) {
    return database.read(
        "read the watermark history of " + table,
        tx ->
            tx.list(
                "SELECT * FROM watermark_history WHERE " + Watermarks.ONE + " ORDER BY history_id",
                row ->
                    new Advance(
                        row.table(),
                        row.text("previous_value"),
                        row.text("new_value"),
                        row.text("run_id"),
                        row.number("rows"),
                        row.instant("moved_at"),
                        WatermarkCause.parse(row.text("cause"))),
                syncId,
                table.schema(),
                table.table()));
  }

  @Override
  public void set(String syncId, WatermarkMove move, WatermarkCause cause) {
    database.perform(
        "set the watermark of " + move.table(),
        tx -> {
          SyncRows.lock(tx, syncId);
          Watermarks.move(tx, syncId, move, Watermarks.Origin.of(cause), tx.now());
        });
  }

  @Override
  public void clear(String syncId, TableId table, WatermarkCause cause) {
    database.perform(
        "forget the watermark of " + table,
        tx -> {
          SyncRows.lock(tx, syncId);
          Optional<Watermark> present = Watermarks.find(tx, syncId, table);
          if (present.isEmpty()) {
            return;
          }
          tx.update(
              "DELETE FROM incremental_watermarks WHERE " + Watermarks.ONE,
              syncId,
              table.schema(),
              table.table());
          Watermarks.record(
              tx,
              syncId,
              table,
              present.get().lastExportedValue(),
              null,
              Watermarks.Origin.of(cause),
              tx.now());
        });
  }

  @Override
  public Optional<String> adopt(String syncId, TableId table) {
    return database.write(
        "adopt the watermark of " + table,
        tx -> {
          SyncRows.lock(tx, syncId);
          Optional<Watermark> present = Watermarks.find(tx, syncId, table);
          return SyncRows.hasLake(tx, syncId)
              ? adoptLanded(tx, syncId, table, present)
              : present.flatMap(Watermark::exported);
        });
  }

  private static Optional<String> adoptLanded(
      Tx tx, String syncId, TableId table, Optional<Watermark> present) throws SQLException {
    Instant now = tx.now();
    String landed = present.map(Watermark::lastLandedValue).orElse(null);
    String exported = present.map(Watermark::lastExportedValue).orElse(null);
    boolean isSetBack = !Objects.equals(exported, landed);
    List<Job> discarded =
        JobRows.inPlay(tx, syncId, table).stream()
            .filter(
                job -> job.status() == Status.DELIVERED || (isSetBack && leavesGap(job, landed)))
            .toList();
    Abandonment.abandon(tx, discarded, DISCARDED, now);
    if (isSetBack) {
      Watermark watermark = present.orElseThrow();
      Watermarks.move(
          tx,
          syncId,
          new WatermarkMove(table, watermark.column(), watermark.type(), landed),
          Watermarks.Origin.of(WatermarkCause.ADOPTED),
          now);
    }
    return Optional.ofNullable(landed);
  }

  /** Whether an undelivered job was planned to go on behind what is discarded. */
  private static boolean leavesGap(Job job, String landed) {
    return job.deliveredAt() == null
        && !job.incremental().isEmpty()
        && !Objects.equals(job.lowerBound(), landed);
  }
}
