package io.lakexpress.lxdb;

import static io.lakexpress.lxdb.TestBooks.DEAD;
import static io.lakexpress.lxdb.TestBooks.ITEMS;
import static io.lakexpress.lxdb.TestBooks.LIVE;
import static io.lakexpress.lxdb.TestBooks.ORDERS;
import static io.lakexpress.lxdb.TestBooks.export;
import static io.lakexpress.lxdb.TestBooks.full;
import static io.lakexpress.lxdb.TestBooks.jobOf;
import static io.lakexpress.lxdb.TestBooks.move;
import static io.lakexpress.lxdb.TestBooks.newRun;
import static io.lakexpress.lxdb.TestBooks.window;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How no run stays open for ever, and how old ones go. */
public abstract class AbandonmentContract extends DbContract {
  protected AbandonmentContract(Supplier<LakexpressDb> databases) {
    super(databases);
  }

  private Job soleJob() {
    return jobOf(db, db.runs().latestRun(sync).orElseThrow(), ORDERS);
  }

  private Instant soon() {
    return db.runs().now().plus(Duration.ofMinutes(1));
  }

  @Test
  void deadLeaseFailsTheJobAndClosesTheRun() {
    db.syncs().claim(sync, Role.SOURCE, "source", "1", LIVE);
    Run run = db.runs().open(newRun(sync, export(ORDERS)));
    db.runs().claimNext(run.runId(), "task-0", DEAD);

    List<Job> failed = db.runs().failAbandoned(sync);

    assertThat(failed).singleElement().isEqualTo(soleJob());
    assertThat(soleJob().error())
        .isEqualTo("Its reader task-0 has not been heard of since its lease ended");
    assertThat(db.runs().run(run.runId()).orElseThrow().status()).isEqualTo(Status.FAILED);
    assertThat(db.runs().renew(List.of(soleJob().jobId()), "task-0", LIVE)).isEmpty();
    assertThat(db.runs().failAbandoned(sync)).isEmpty();
  }

  @Test
  void liveLeaseKeepsTheJobEvenWithoutConnectorAndPlan() {
    db.syncs().storePlan(sync, List.of(full(ITEMS, 1)));
    Run run = db.runs().open(newRun(sync, export(ORDERS)));
    db.runs().claimNext(run.runId(), "task-0", LIVE);

    assertThat(db.runs().failAbandoned(sync)).isEmpty();
    assertThat(db.runs().openRun(sync)).isPresent();
  }

  @Test
  void unclaimedJobWaitsWhileASourceServesTheSync() {
    db.syncs().claim(sync, Role.SOURCE, "source", "1", LIVE);
    db.runs().open(newRun(sync, export(ORDERS)));
    assertThat(db.runs().failAbandoned(sync)).isEmpty();

    db.syncs().release(sync, Role.SOURCE, "source", "1");
    assertThat(db.runs().failAbandoned(sync)).as("it may only be restarting").isEmpty();

    db.syncs().claim(sync, Role.SOURCE, "source", "1", Duration.ofMinutes(-1));

    assertThat(db.runs().failAbandoned(sync)).hasSize(1);
    assertThat(soleJob().error()).startsWith("No source connector is serving the sync");
  }

  @Test
  void jobWhoseUnitLeftThePlanFails() {
    db.syncs().claim(sync, Role.SOURCE, "source", "1", LIVE);
    db.syncs().storePlan(sync, List.of(full(ORDERS, 1), full(ITEMS, 1)));
    Run run = db.runs().open(newRun(sync, export(ORDERS), export(ITEMS)));
    db.syncs().storePlan(sync, List.of(full(ITEMS, 1)));

    assertThat(db.runs().failAbandoned(sync)).extracting(Job::table).containsExactly(ORDERS);

    assertThat(db.runs().openRun(sync)).isPresent();
    db.runs().deliver(jobOf(db, run, ITEMS).jobId(), 1, null);
    assertThat(db.runs().latestRun(sync).orElseThrow().error())
        .isEqualTo("1 of 2 tables failed: shop.orders");
  }

  @Test
  void abandonedTableCanNeitherBeClaimedNorDelivered() {
    Run run = db.runs().open(newRun(sync, window(ORDERS, "a", "b")));
    String jobId = soleJob().jobId();
    db.runs().claimNext(run.runId(), "task-0", LIVE);

    db.runs().abandonTable(sync, ORDERS, "Its offset was set by hand");

    assertThat(soleJob().failure()).contains("Its offset was set by hand");
    assertThat(db.runs().openRun(sync)).isEmpty();
    assertThat(db.runs().renew(List.of(jobId), "task-0", LIVE)).isEmpty();
    assertThat(db.runs().claim(jobId, "task-0", LIVE)).isEmpty();
    db.runs().deliver(jobId, 3, move(ORDERS, "b"));
    assertThat(soleJob().status()).isEqualTo(Status.FAILED);
    assertThat(db.watermarks().watermark(sync, ORDERS)).isEmpty();
  }

  @Test
  void oldRunsArePrunedButTheNewestStays() {
    Run first = db.runs().open(newRun(sync, window(ORDERS, null, "b")));
    db.runs().deliver(soleJob().jobId(), 0, move(ORDERS, "b"));
    Run second = db.runs().open(newRun(sync, window(ORDERS, "b", "c")));
    db.runs().deliver(soleJob().jobId(), 0, move(ORDERS, "c"));

    assertThat(db.runs().prune(sync, first.openedAt().minusSeconds(1))).isZero();
    assertThat(db.runs().prune(sync, soon())).isEqualTo(1);

    assertThat(db.runs().runs(sync, 9)).extracting(Run::runId).containsExactly(second.runId());
    assertThat(db.watermarks().history(sync, ORDERS)).hasSize(1);
    assertThat(db.runs().open(newRun(sync)).number()).isEqualTo(3);
  }

  @Test
  void runThatStillHasToLandIsNotPruned() {
    db.syncs().claim(sync, Role.LAKE, "lake", "1", LIVE);
    db.runs().open(newRun(sync, window(ORDERS, null, "b")));
    db.runs().deliver(soleJob().jobId(), 0, move(ORDERS, "b"));
    db.runs().open(newRun(sync));

    assertThat(db.runs().prune(sync, soon())).isZero();
  }

  @Test
  void failedWindowThatMayBeOpenIsNotPruned() {
    db.runs().open(newRun(sync, window(ORDERS, "a", "b")));
    String failed = soleJob().jobId();
    db.runs().fail(failed, "Deadlock");
    db.runs().open(newRun(sync, window(ORDERS, "a", "c")));
    String later = soleJob().jobId();
    assertThat(db.runs().prune(sync, soon())).isZero();

    db.runs().deliver(later, 1, move(ORDERS, "c"));

    assertThat(db.runs().prune(sync, soon())).isEqualTo(1);
    assertThat(db.runs().job(failed)).isEmpty();
  }
}
