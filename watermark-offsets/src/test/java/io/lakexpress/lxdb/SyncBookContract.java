package io.lakexpress.lxdb;

import static io.lakexpress.lxdb.TestBooks.DEAD;
import static io.lakexpress.lxdb.TestBooks.ITEMS;
import static io.lakexpress.lxdb.TestBooks.LIVE;
import static io.lakexpress.lxdb.TestBooks.ORDERS;
import static io.lakexpress.lxdb.TestBooks.full;
import static io.lakexpress.lxdb.TestBooks.incremental;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.SyncBook.Owner;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What every {@link SyncBook} does. */
public abstract class SyncBookContract extends DbContract {
  protected SyncBookContract(Supplier<LakexpressDb> databases) {
    super(databases);
  }

  @Test
  void savedSyncIsFoundAndListed() {
    db.syncs().save(sync, "prod", "{\"tables\":[\"ä\"]}");

    SyncBook.Sync found = db.syncs().find(sync).orElseThrow();
    assertThat(found.envName()).isEqualTo("prod");
    assertThat(found.configJson()).isEqualTo("{\"tables\":[\"ä\"]}");
    assertThat(found.createdAt()).isNotNull();
    assertThat(db.syncs().list()).extracting(SyncBook.Sync::syncId).contains(sync);
    assertThat(db.syncs().find(sync + "x")).isEmpty();
  }

  @Test
  void savingAgainReplacesTheConfigurationOnly() {
    db.syncs().save(sync, "test", "{}");
    db.syncs().storePlan(sync, List.of(full(ORDERS, 5)));
    db.syncs().claim(sync, Role.SOURCE, "shop-source", "a", LIVE);

    db.syncs().save(sync, "prod", "{\"a\":1}");

    assertThat(db.syncs().find(sync).orElseThrow().envName()).isEqualTo("prod");
    assertThat(db.syncs().plan(sync).units()).hasSize(1);
    assertThat(db.syncs().owner(sync, Role.SOURCE)).isPresent();
  }

  @Test
  void planBeginsEmptyAndItsGenerationCountsChangesOnly() {
    assertThat(db.syncs().plan(sync)).isEqualTo(new Plan(0, List.of()));
    List<PlannedUnit> units = List.of(incremental(ORDERS, 100), full(ITEMS, 7));

    assertThat(db.syncs().storePlan(sync, units)).isEqualTo(new Plan(1, units));
    assertThat(db.syncs().plan(sync)).isEqualTo(new Plan(1, units));

    List<PlannedUnit> grown = List.of(full(ITEMS, 9), incremental(ORDERS, 200));
    assertThat(db.syncs().storePlan(sync, grown)).isEqualTo(new Plan(1, grown));

    List<PlannedUnit> fewer = List.of(incremental(ORDERS, 200));
    assertThat(db.syncs().storePlan(sync, fewer)).isEqualTo(new Plan(2, fewer));
    assertThat(db.syncs().storePlan(sync, List.of(full(ORDERS, 200))).generation()).isEqualTo(3);
  }

  @Test
  void connectorOfTheSameNameTakesOverAtOnce() {
    db.syncs().claim(sync, Role.SOURCE, "shop-source", "first", LIVE);

    Owner owner = db.syncs().claim(sync, Role.SOURCE, "shop-source", "second", LIVE);

    assertThat(owner.instance()).isEqualTo("second");
    assertThat(owner.alive()).isTrue();
    assertThat(db.syncs().renew(sync, Role.SOURCE, "shop-source", "first", LIVE)).isFalse();
    assertThat(db.syncs().renew(sync, Role.SOURCE, "shop-source", "second", LIVE)).isTrue();
  }

  @Test
  void connectorOfAnotherNameWaitsUntilTheLeaseIsDead() {
    db.syncs().claim(sync, Role.LAKE, "lake-a", "1", LIVE);

    Owner refused = db.syncs().claim(sync, Role.LAKE, "lake-b", "2", LIVE);
    assertThat(refused.connector()).isEqualTo("lake-a");
    assertThat(refused.alive()).isTrue();

    db.syncs().release(sync, Role.LAKE, "lake-a", "1");
    assertThat(db.syncs().owner(sync, Role.LAKE).orElseThrow().alive()).isFalse();
    assertThat(db.syncs().claim(sync, Role.LAKE, "lake-b", "2", LIVE).connector())
        .isEqualTo("lake-b");
  }

  @Test
  void leaseEndsByItself() {
    db.syncs().claim(sync, Role.SOURCE, "a", "1", DEAD);

    assertThat(db.syncs().claim(sync, Role.SOURCE, "b", "2", LIVE).connector()).isEqualTo("b");
  }

  @Test
  void onlyTheHolderReleases() {
    db.syncs().claim(sync, Role.SOURCE, "shop-source", "second", LIVE);

    db.syncs().release(sync, Role.SOURCE, "shop-source", "first");

    assertThat(db.syncs().owner(sync, Role.SOURCE).orElseThrow().alive()).isTrue();
  }

  @Test
  void sidesOfASyncHaveOwnersOfTheirOwn() {
    db.syncs().claim(sync, Role.SOURCE, "shop-source", "1", LIVE);
    assertThat(db.syncs().owner(sync, Role.LAKE)).isEmpty();
    assertThat(db.syncs().hasLake(sync)).isFalse();

    db.syncs().claim(sync, Role.LAKE, "shop-lake", "1", DEAD);

    assertThat(db.syncs().hasLake(sync)).isTrue();
    assertThat(db.syncs().owner(sync, Role.SOURCE).orElseThrow().connector())
        .isEqualTo("shop-source");
  }

  @Test
  void askingTwiceQueuesOneRun() {
    assertThat(db.syncs().requestedRun(sync)).isEmpty();

    db.syncs().requestRun(sync, "requested");
    db.syncs().requestRun(sync, "repair");

    assertThat(db.syncs().requestedRun(sync)).contains("requested");
  }
}
