package io.lakexpress.lxdb;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Which syncs exist, their plans, who serves them, and who asked for a run. Thread-safe. */
public interface SyncBook {
  /** A stored sync. */
  record Sync(
      String syncId, String envName, String configJson, Instant createdAt, Instant updatedAt) {}

  /** The connector that serves one side of a sync, and whether its lease is alive. */
  record Owner(String connector, String instance, Instant leaseUntil, boolean alive) {}

  /** Creates the sync or replaces its configuration; leaves plan, owners and watermarks alone. */
  void save(String syncId, String envName, String configJson);

  Optional<Sync> find(String syncId);

  List<Sync> list();

  /** The current plan; generation 0 without units if none was stored yet. */
  Plan plan(String syncId);

  /**
   * Stores the units as the current plan; a new generation only if they differ in table, slice or
   * spec from the current ones (estimates are refreshed without one). The sync must have been
   * saved.
   */
  Plan storePlan(String syncId, List<PlannedUnit> units);

  /**
   * Claims one side of a sync for a connector, or renews its claim. A connector of the same name
   * takes over at once from an earlier instance of itself; one of another name only after the lease
   * is dead. The first claim of the lake side also registers that the sync has a lake. Creates the
   * sync's row if it is missing.
   *
   * @return the owner after the call: the caller itself if the claim succeeded, else the live other
   *     one
   */
  Owner claim(String syncId, Role role, String connector, String instance, Duration ttl);

  /** Renews without taking over: false if another connector or instance holds the side now. */
  boolean renew(String syncId, Role role, String connector, String instance, Duration ttl);

  /** Ends the lease at once, if the caller still holds it. */
  void release(String syncId, Role role, String connector, String instance);

  Optional<Owner> owner(String syncId, Role role);

  /** Whether a lake sink was ever registered for the sync. */
  boolean hasLake(String syncId);

  /** Queues one next run; asking again while one is queued changes nothing. */
  void requestRun(String syncId, String cause);

  /** The cause of the queued run, if one is queued. */
  Optional<String> requestedRun(String syncId);
}
