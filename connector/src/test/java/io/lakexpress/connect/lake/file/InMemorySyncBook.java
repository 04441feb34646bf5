package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.Plan;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.SyncBook;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who serves a sync, in memory. */
final class InMemorySyncBook implements SyncBook {
  private final Clock clock;
  private final Map<String, Owner> owners = new HashMap<>();

  InMemorySyncBook(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Owner claim(String syncId, Role role, String connector, String instance, Duration ttl) {
    Owner present = owners.get(syncId + role);
    if (present != null
        && !present.connector().equals(connector)
        && present.leaseUntil().isAfter(clock.instant())) {
      return present;
    }
    Owner owner = new Owner(connector, instance, clock.instant().plus(ttl), true);
    owners.put(syncId + role, owner);
    return owner;
  }

  @Override
  public boolean renew(String syncId, Role role, String connector, String instance, Duration ttl) {
    Owner present = owners.get(syncId + role);
    return present != null
        && present.instance().equals(instance)
        && claim(syncId, role, connector, instance, ttl).instance().equals(instance);
  }

  @Override
  public void release(String syncId, Role role, String connector, String instance) {
    owners.computeIfPresent(
        syncId + role, (key, owner) -> owner.instance().equals(instance) ? null : owner);
  }

  @Override
  public Optional<Owner> owner(String syncId, Role role) {
    return Optional.ofNullable(owners.get(syncId + role));
  }

  @Override
  public boolean hasLake(String syncId) {
    return owners.containsKey(syncId + Role.LAKE);
  }

  @Override
  public void save(String syncId, String envName, String configJson) {
    throw new UnsupportedOperationException("save");
  }

  @Override
  public Optional<Sync> find(String syncId) {
    throw new UnsupportedOperationException("find");
  }

  @Override
  public List<Sync> list() {
    throw new UnsupportedOperationException("list");
  }

  @Override
  public Plan plan(String syncId) {
    throw new UnsupportedOperationException("plan");
  }

  @Override
  public Plan storePlan(String syncId, List<PlannedUnit> units) {
    throw new UnsupportedOperationException("storePlan");
  }

  @Override
  public void requestRun(String syncId, String cause) {
    throw new UnsupportedOperationException("requestRun");
  }

  @Override
  public Optional<String> requestedRun(String syncId) {
    throw new UnsupportedOperationException("requestedRun");
  }
}
