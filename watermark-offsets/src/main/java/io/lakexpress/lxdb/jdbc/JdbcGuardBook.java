package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.GuardBook;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

final class JdbcGuardBook implements GuardBook {
  private final Database database;

  JdbcGuardBook(Database database) {
    this.database = database;
  }

  @Override
  public List<Sample> samples(String syncId) {
    return database.read(
        "read the guard's samples of sync " + syncId,
        tx ->
            tx.list(
                "SELECT * FROM guard_samples WHERE sync_id = ? ORDER BY sampled_at DESC",
                JdbcGuardBook::sample,
                syncId));
  }

  @Override
  public void replace(String syncId, List<Sample> samples) {
    database.perform(
        "keep the guard's samples of sync " + syncId,
        tx -> {
          SyncRows.lock(tx, syncId);
          tx.update("DELETE FROM guard_samples WHERE sync_id = ?", syncId);
          tx.batch(
              "INSERT INTO guard_samples (sync_id, sampled_at, place, transactions)"
                  + " VALUES (?, ?, ?, ?)",
              samples.stream()
                  .map(
                      sample ->
                          new Object[] {
                            syncId, sample.clock(), sample.place(), lines(sample.open())
                          })
                  .toList());
        });
  }

  private static Sample sample(Row row) throws SQLException {
    return new Sample(
        row.text("place"), row.instant("sampled_at"), transactions(row.text("transactions")));
  }

  /** One line per transaction: its name, a blank, when it was first seen. */
  private static String lines(Map<String, Instant> transactions) {
    return transactions.entrySet().stream()
        .map(entry -> entry.getKey() + ' ' + entry.getValue())
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  private static Map<String, Instant> transactions(String lines) {
    Map<String, Instant> transactions = new LinkedHashMap<>();
    lines
        .lines()
        .forEach(
            line -> {
              int blank = line.lastIndexOf(' ');
              transactions.put(line.substring(0, blank), Instant.parse(line.substring(blank + 1)));
            });
    return transactions;
  }
}
