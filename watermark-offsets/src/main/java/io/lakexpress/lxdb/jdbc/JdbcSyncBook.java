package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.Plan;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.SyncBook;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

final class JdbcSyncBook implements SyncBook {
  private final Database database;

  JdbcSyncBook(Database database) {
    this.database = database;
  }

  @Override
  public void save(String syncId, String envName, String configJson) {
    database.perform(
        "save sync " + syncId,
        tx -> {
          SyncRows.lock(tx, syncId);
          tx.update(
              "UPDATE sync_configurations SET env_name = ?, config = ?, updated_at = ?"
                  + " WHERE sync_id = ?",
              envName,
              configJson,
              tx.now(),
              syncId);
        });
  }

  @Override
  public Optional<Sync> find(String syncId) {
    return database.read(
        "find sync " + syncId,
        tx ->
            tx.first(
                "SELECT * FROM sync_configurations WHERE sync_id = ?", JdbcSyncBook::sync, syncId));
  }

  @Override
  public List<Sync> list() {
    return database.read(
        "list the syncs",
        tx -> tx.list("SELECT * FROM sync_configurations ORDER BY sync_id", JdbcSyncBook::sync));
  }

  private static Sync sync(Row row) throws SQLException {
    return new Sync(
        row.text("sync_id"),
        row.text("env_name"),
        row.text("config"),
        row.instant("created_at"),
        row.instant("updated_at"));
  }

  @Override
  public Plan plan(String syncId) {
    return database.read("read the plan of sync " + syncId, tx -> SyncRows.plan(tx, syncId));
  }

  @Override
  public Plan storePlan(String syncId, List<PlannedUnit> units) {
    return database.write(
        "store the plan of sync " + syncId,
        tx -> {
          SyncRows.lock(tx, syncId);
          Plan current = SyncRows.plan(tx, syncId);
          boolean isNew =
              current.generation() == 0 || !shapes(current.units()).equals(shapes(units));
          Plan next = new Plan(isNew ? current.generation() + 1 : current.generation(), units);
          tx.update(
              "UPDATE sync_configurations SET plan_generation = ?, units = ?, updated_at = ?"
                  + " WHERE sync_id = ?",
              next.generation(),
              Units.write(units),
              tx.now(),
              syncId);
          return next;
        });
  }

  private record Shape(TableId table, Slice slice, String incremental) {}

  private static Set<Shape> shapes(List<PlannedUnit> units) {
    return units.stream()
        .map(unit -> new Shape(unit.table(), unit.slice(), unit.incremental()))
        .collect(Collectors.toSet());
  }

  @Override
  public Owner claim(String syncId, Role role, String connector, String instance, Duration ttl) {
    return database.write(
        "claim the " + role.text() + " side of sync " + syncId,
        tx -> {
          SyncRows.lock(tx, syncId);
          Instant now = tx.now();
          Optional<Owner> present = owner(tx, syncId, role, now);
          if (present.isPresent()
              && present.get().alive()
              && !present.get().connector().equals(connector)) {
            return present.get();
          }
          String side = role.text();
          tx.update(
              "UPDATE sync_configurations SET "
                  + side
                  + "_connector = ?, "
                  + side
                  + "_instance = ?, "
                  + side
                  + "_lease_until = ? WHERE sync_id = ?",
              connector,
              instance,
              now.plus(ttl),
              syncId);
          if (role == Role.LAKE) {
            tx.update(
                "UPDATE sync_configurations SET lake_registered_at = ?"
                    + " WHERE sync_id = ? AND lake_registered_at IS NULL",
                now,
                syncId);
          }
          return owner(tx, syncId, role, now).orElseThrow();
        });
  }

  @Override
  public boolean renew(String syncId, Role role, String connector, String instance, Duration ttl) {
    return database.write(
        "renew the " + role.text() + " side of sync " + syncId,
        tx -> endLeaseAt(tx, syncId, role, connector, instance, tx.now().plus(ttl)));
  }

  @Override
  public void release(String syncId, Role role, String connector, String instance) {
    database.perform(
        "release the " + role.text() + " side of sync " + syncId,
        tx -> endLeaseAt(tx, syncId, role, connector, instance, tx.now()));
  }

  private static boolean endLeaseAt(
      Tx tx, String syncId, Role role, String connector, String instance, Instant until)
      throws SQLException {
    String side = role.text();
    return tx.update(
            "UPDATE sync_configurations SET "
                + side
                + "_lease_until = ? WHERE sync_id = ? AND "
                + side
                + "_connector = ? AND "
                + side
                + "_instance = ?",
            until,
            syncId,
            connector,
            instance)
        > 0;
  }

  @Override
  public Optional<Owner> owner(String syncId, Role role) {
    return database.read(
        "read the owner of sync " + syncId, tx -> owner(tx, syncId, role, tx.now()));
  }

  static Optional<Owner> owner(Tx tx, String syncId, Role role, Instant now) throws SQLException {
    String side = role.text();
    return tx.first(
        "SELECT "
            + side
            + "_connector AS connector, "
            + side
            + "_instance AS instance, "
            + side
            + "_lease_until AS lease_until FROM sync_configurations WHERE sync_id = ? AND "
            + side
            + "_connector IS NOT NULL",
        row -> {
          Instant until = row.instant("lease_until");
          return new Owner(row.text("connector"), row.text("instance"), until, until.isAfter(now));
        },
        syncId);
  }

  @Override
  public boolean hasLake(String syncId) {
    return database.read("look for the lake of sync " + syncId, tx -> SyncRows.hasLake(tx, syncId));
  }

  @Override
  public void requestRun(String syncId, String cause) {
    database.perform(
        "ask for a run of sync " + syncId,
        tx -> {
          SyncRows.lock(tx, syncId);
          tx.update(
              "UPDATE sync_configurations SET requested_cause = ?, requested_at = ?"
                  + " WHERE sync_id = ? AND requested_cause IS NULL",
              cause,
              tx.now(),
              syncId);
        });
  }

  @Override
  public Optional<String> requestedRun(String syncId) {
    return database.read(
        "look for a requested run of sync " + syncId,
        tx ->
            tx.first(
                "SELECT requested_cause FROM sync_configurations"
                    + " WHERE sync_id = ? AND requested_cause IS NOT NULL",
                row -> row.text("requested_cause"),
                syncId));
  }
}
