package io.lakexpress.lxdb;

import static io.lakexpress.lxdb.TestBooks.DEAD;
import static io.lakexpress.lxdb.TestBooks.ITEMS;
import static io.lakexpress.lxdb.TestBooks.LIVE;
import static io.lakexpress.lxdb.TestBooks.ORDERS;
import static io.lakexpress.lxdb.TestBooks.STARTED;
import static io.lakexpress.lxdb.TestBooks.export;
import static io.lakexpress.lxdb.TestBooks.full;
import static io.lakexpress.lxdb.TestBooks.incremental;
import static io.lakexpress.lxdb.TestBooks.jobOf;
import static io.lakexpress.lxdb.TestBooks.move;
import static io.lakexpress.lxdb.TestBooks.newRun;
import static io.lakexpress.lxdb.TestBooks.slice;
import static io.lakexpress.lxdb.TestBooks.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.SliceRule;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What every {@link RunBook} does with runs, claims, attempts and deliveries. */
public abstract class RunBookContract extends DbContract {
  protected RunBookContract(Supplier<LakexpressDb> databases) {
    super(databases);
  }

  @Test
  void clockIsInUtc() {
    assertThat(db.runs().now()).isCloseTo(Instant.now(), within(5, ChronoUnit.MINUTES));
  }

  @Test
  void openedRunHasItsJobsAndItsInstant() {
    Run run = db.runs().open(newRun(sync, window(ORDERS, "a", "b"), export(ITEMS)));

    assertThat(run.number()).isEqualTo(1);
    assertThat(run.runId()).matches("[0-9a-f-]{36}");
    assertThat(run.startedAt()).isEqualTo(STARTED);
    assertThat(run.upperBound()).isEqualTo(STARTED);
    assertThat(run.openedAt()).isCloseTo(db.runs().now(), within(1, ChronoUnit.MINUTES));
    assertThat(run.isOpen()).isTrue();
    assertThat(run.status()).isEqualTo(Status.RUNNING);
    assertThat(db.runs().openRun(sync)).contains(run);
    assertThat(db.runs().latestRun(sync)).contains(run);
    assertThat(db.runs().run(run.runId())).contains(run);
    Job job = jobOf(db, run, ORDERS);
    assertThat(job.jobId()).matches("j-[a-z0-9]{12,}");
    assertThat(job.mode()).isEqualTo(JobMode.INCREMENTAL);
    assertThat(job.lower()).contains("a");
    assertThat(job.upper()).contains("b");
    assertThat(job.attempt()).isEqualTo(1);
    assertThat(job.rows()).isEqualTo(-1);
    assertThat(job.runStartedAt()).isEqualTo(STARTED);
    assertThat(db.runs().job(job.jobId())).contains(job);
    assertThat(jobOf(db, run, ITEMS).upper()).isEmpty();
  }

  @Test
  void openRunIsJoinedAndKeepsTheQueuedRequest() {
    Run first = db.runs().open(newRun(sync, export(ORDERS)));
    db.syncs().requestRun(sync, "requested");

    assertThat(db.runs().open(newRun(sync, export(ORDERS)))).isEqualTo(first);
    assertThat(db.syncs().requestedRun(sync)).contains("requested");
    assertThat(db.runs().jobs(first.runId())).hasSize(1);
  }

  @Test
  void openingTakesTheQueuedRequest() {
    db.syncs().requestRun(sync, "requested");

    db.runs().open(newRun(sync, export(ORDERS)));

    assertThat(db.syncs().requestedRun(sync)).isEmpty();
  }

  @Test
  void runWithoutJobsIsClosedAtOnce() {
    Run first = db.runs().open(newRun(sync));
    Run second = db.runs().open(newRun(sync));

    assertThat(first.isOpen()).isFalse();
    assertThat(first.status()).isEqualTo(Status.DELIVERED);
    assertThat(second.number()).isEqualTo(2);
    assertThat(db.runs().openRun(sync)).isEmpty();
    assertThat(db.runs().runs(sync, 1)).containsExactly(second);
    assertThat(db.runs().runs(sync, 9)).containsExactly(second, first);
  }

  @Test
  void largestJobIsClaimedFirstAndNoneTwice() {
    Run run =
        db.runs()
            .open(
                newRun(
                    sync,
                    new NewJob(full(ORDERS, 5), JobMode.FULL, null, null),
                    new NewJob(incremental(ITEMS, 50), JobMode.FIRST_SYNC, null, "b")));

    Job first = db.runs().claimNext(run.runId(), "task-0", LIVE).orElseThrow();
    Job second = db.runs().claimNext(run.runId(), "task-0", LIVE).orElseThrow();

    assertThat(first.table()).isEqualTo(ITEMS);
    assertThat(first.owner()).isEqualTo("task-0");
    assertThat(second.table()).isEqualTo(ORDERS);
    assertThat(db.runs().claimNext(run.runId(), "task-1", LIVE)).isEmpty();
  }

  @Test
  void smallestJobPassesByTheLargeOnes() {
    Run run =
        db.runs()
            .open(
                newRun(
                    sync,
                    new NewJob(full(ORDERS, 5), JobMode.FULL, null, null),
                    new NewJob(incremental(ITEMS, 50), JobMode.FIRST_SYNC, null, "b")));

    Job first = db.runs().claimSmallest(run.runId(), "task-0", LIVE).orElseThrow();
    Job second = db.runs().claimSmallest(run.runId(), "task-0", LIVE).orElseThrow();

    assertThat(first.table()).isEqualTo(ORDERS);
    assertThat(second.table()).isEqualTo(ITEMS);
    assertThat(db.runs().claimSmallest(run.runId(), "task-1", LIVE)).isEmpty();
  }

  @Test
  void ownJobOfBeforeTheRestartIsClaimedAgainButNotThatOfAnother() {
    Run run = db.runs().open(newRun(sync, export(ORDERS)));
    Job job = db.runs().claimNext(run.runId(), "task-0", DEAD).orElseThrow();

    assertThat(db.runs().claimNext(run.runId(), "task-1", LIVE)).isEmpty();
    assertThat(db.runs().claimNext(run.runId(), "task-0", LIVE).map(Job::jobId))
        .contains(job.jobId());
  }

  @Test
  void liveLeaseOfAnotherBlocksAClaimADeadOneDoesNot() {
    Job job = jobOf(db, db.runs().open(newRun(sync, export(ORDERS))), ORDERS);
    db.runs().claim(job.jobId(), "task-0", LIVE);

    assertThat(db.runs().claim(job.jobId(), "task-1", LIVE)).isEmpty();
    assertThat(db.runs().claim(job.jobId(), "task-0", DEAD)).isPresent();
    assertThat(db.runs().claim(job.jobId(), "task-1", LIVE)).isPresent();
    assertThat(db.runs().renew(List.of(job.jobId()), "task-0", LIVE)).isEmpty();
    assertThat(db.runs().renew(List.of(job.jobId()), "task-1", LIVE))
        .isEqualTo(Set.of(job.jobId()));
  }

  @Test
  void releasedJobGoesOnElsewhere() {
    Run run = db.runs().open(newRun(sync, export(ORDERS)));
    Job job = db.runs().claimNext(run.runId(), "task-0", LIVE).orElseThrow();

    db.runs().release(List.of(job.jobId()), "task-1");
    assertThat(db.runs().claimNext(run.runId(), "task-1", LIVE)).isEmpty();
    db.runs().release(List.of(job.jobId()), "task-0");

    assertThat(db.runs().claimNext(run.runId(), "task-1", LIVE)).isPresent();
  }

  @Test
  void lastDeliveryClosesTheRun() {
    Run run = db.runs().open(newRun(sync, window(ORDERS, "a", "b"), export(ITEMS)));
    Job orders = jobOf(db, run, ORDERS);

    db.runs().deliver(orders.jobId(), 5, move(ORDERS, "b"));
    assertThat(db.runs().openRun(sync)).isPresent();
    db.runs().deliver(jobOf(db, run, ITEMS).jobId(), 7, null);

    Run closed = db.runs().run(run.runId()).orElseThrow();
    assertThat(closed.status()).isEqualTo(Status.DELIVERED);
    assertThat(closed.closed()).isPresent();
    assertThat(closed.error()).isNull();
    Job delivered = db.runs().job(orders.jobId()).orElseThrow();
    assertThat(delivered.status()).isEqualTo(Status.DELIVERED);
    assertThat(delivered.rows()).isEqualTo(5);
    assertThat(delivered.deliveredAt()).isNotNull();
    assertThat(db.runs().claim(orders.jobId(), "task-0", LIVE)).isEmpty();
  }

  @Test
  void deliveryMovesTheWatermarkOnce() {
    Job job = jobOf(db, db.runs().open(newRun(sync, window(ORDERS, "a", "b"))), ORDERS);
    db.runs().deliver(job.jobId(), 5, move(ORDERS, "b"));
    db.watermarks().set(sync, move(ORDERS, "a"), WatermarkCause.OFFSETS_API);

    db.runs().deliver(job.jobId(), 5, move(ORDERS, "b"));

    assertThat(db.watermarks().watermark(sync, ORDERS).orElseThrow().exported()).contains("a");
    assertThat(db.watermarks().history(sync, ORDERS))
        .extracting(
            WatermarkBook.Advance::previousValue,
            WatermarkBook.Advance::newValue,
            WatermarkBook.Advance::rows,
            WatermarkBook.Advance::cause)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(null, "b", 5L, WatermarkCause.RUN),
            org.assertj.core.groups.Tuple.tuple("b", "a", 0L, WatermarkCause.OFFSETS_API));
  }

  @Test
  void closingRecordMovesTheWatermarkOfASlicedTableOnce() {
    Run run =
        db.runs().open(newRun(sync, slice(ORDERS, 1, 2, "a", "b"), slice(ORDERS, 2, 2, "a", "b")));
    List<Job> jobs = db.runs().jobs(run.runId());
    jobs.forEach(job -> db.runs().deliver(job.jobId(), 3, null));
    assertThat(db.watermarks().watermark(sync, ORDERS)).isEmpty();

    db.runs().deliver(jobs.get(0).jobId(), 3, move(ORDERS, "b"));
    db.runs().deliver(jobs.get(0).jobId(), 3, move(ORDERS, "b"));

    assertThat(db.watermarks().watermark(sync, ORDERS).orElseThrow().exported()).contains("b");
    assertThat(db.watermarks().history(sync, ORDERS)).hasSize(1);
  }

  @Test
  void sliceRulesAreKeptWithTheJobsAndTheirNextAttempts() {
    SliceRule rule = new SliceRule.Range("Order \"Id\"", null, "a, b");
    PlannedUnit unit = new PlannedUnit(ORDERS, new Slice(1, 2), "", 5);
    Run run =
        db.runs()
            .open(newRun(sync, new NewJob(unit, JobMode.FULL, null, null, rule), export(ITEMS)));
    Job job = jobOf(db, run, ORDERS);

    assertThat(job.rule()).contains(rule);
    assertThat(db.runs().newAttempt(job.jobId(), "Broke off", "task-0", LIVE).rule())
        .contains(rule);
    assertThat(jobOf(db, run, ITEMS).rule()).isEmpty();
  }

  @Test
  void windowOfASlicedTableIsDeliveredWithAllItsRows() {
    Run run =
        db.runs().open(newRun(sync, slice(ORDERS, 1, 2, "a", "b"), slice(ORDERS, 2, 2, "a", "b")));
    List<Job> jobs = db.runs().jobs(run.runId());

    db.runs().deliver(jobs.get(1).jobId(), 4, null);
    db.runs().deliver(jobs.get(0).jobId(), 3, move(ORDERS, "b"));

    assertThat(db.watermarks().history(sync, ORDERS))
        .extracting(WatermarkBook.Advance::rows)
        .containsExactly(7L);
    assertThat(db.runs().openRun(sync)).isEmpty();
  }

  @Test
  void lostSnapshotBeginsAllSlicesAnew() {
    Run run =
        db.runs()
            .open(newRun(sync, slice(ORDERS, 1, 2, null, null), slice(ORDERS, 2, 2, null, null)));
    List<Job> jobs = db.runs().jobs(run.runId());
    db.runs().claimNext(run.runId(), "task-0", LIVE);
    db.runs().noteSnapshot(jobs.get(0).jobId(), "0003-1");
    db.runs().deliver(jobs.get(1).jobId(), 4, null);
    assertThat(db.runs().jobs(run.runId()))
        .extracting(Job::sharedSnapshot)
        .containsOnly(Optional.of("0003-1"));

    Job next = db.runs().newAttempts(jobs.get(0).jobId(), "The snapshot is lost").orElseThrow();

    assertThat(db.runs().newAttempts(jobs.get(1).jobId(), "The snapshot is lost")).isEmpty();
    List<Job> latest = db.runs().jobs(run.runId());
    assertThat(latest)
        .hasSize(2)
        .contains(next)
        .allSatisfy(
            job -> {
              assertThat(job.attempt()).isEqualTo(2);
              assertThat(job.status()).isEqualTo(Status.RUNNING);
              assertThat(job.owner()).isNull();
              assertThat(job.sharedSnapshot()).isEmpty();
              assertThat(job.deliveredAt()).isNull();
            });
    db.runs().deliver(jobs.get(0).jobId(), 3, null);
    assertThat(db.runs().openRun(sync)).isPresent();
    latest.forEach(job -> db.runs().deliver(job.jobId(), 1, null));
    assertThat(db.runs().openRun(sync)).isEmpty();
    assertThat(db.runs().newAttempts(next.jobId(), "The snapshot is lost")).isEmpty();
  }

  @Test
  void failedTableIsNamedWhenTheRunCloses() {
    Run run = db.runs().open(newRun(sync, export(ORDERS), export(ITEMS)));
    db.runs().fail(jobOf(db, run, ORDERS).jobId(), "No such column; fix the spec");
    db.runs().deliver(jobOf(db, run, ITEMS).jobId(), 1, null);

    Run closed = db.runs().run(run.runId()).orElseThrow();
    assertThat(closed.status()).isEqualTo(Status.FAILED);
    assertThat(closed.error()).isEqualTo("1 of 2 tables failed: shop.orders");
    assertThat(jobOf(db, run, ORDERS).failure()).contains("No such column; fix the spec");
  }

  @Test
  void failedJobOfAClosedRunIsFinishedFirstAndLeavesTheRunFailed() {
    Run run = db.runs().open(newRun(sync, window(ORDERS, "a", "b")));
    Job job = jobOf(db, run, ORDERS);
    db.runs().fail(job.jobId(), "Deadlock");

    assertThat(db.runs().claim(job.jobId(), "task-0", LIVE)).isPresent();
    assertThat(db.runs().renew(List.of(job.jobId()), "task-0", LIVE)).hasSize(1);
    db.runs().deliver(job.jobId(), 4, move(ORDERS, "b"));

    assertThat(db.runs().job(job.jobId()).orElseThrow().status()).isEqualTo(Status.DELIVERED);
    assertThat(db.runs().job(job.jobId()).orElseThrow().error()).isNull();
    assertThat(db.runs().run(run.runId()).orElseThrow().status()).isEqualTo(Status.FAILED);
    assertThat(db.watermarks().watermark(sync, ORDERS).orElseThrow().exported()).contains("b");
  }

  @Test
  void failingADeliveredJobChangesNothing() {
    Job job = jobOf(db, db.runs().open(newRun(sync, export(ORDERS))), ORDERS);
    db.runs().deliver(job.jobId(), 1, null);

    db.runs().fail(job.jobId(), "late");

    assertThat(db.runs().job(job.jobId()).orElseThrow().status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void newAttemptTakesThePlaceOfTheOldOne() {
    Run run = db.runs().open(newRun(sync, window(ORDERS, "a", "b")));
    Job first = db.runs().claimNext(run.runId(), "task-0", LIVE).orElseThrow();

    Job second = db.runs().newAttempt(first.jobId(), "Restarted inside", "task-0", LIVE);

    assertThat(second.jobId()).isNotEqualTo(first.jobId());
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(second.upper()).contains("b");
    assertThat(second.lower()).contains("a");
    assertThat(second.status()).isEqualTo(Status.RUNNING);
    assertThat(second.owner()).isEqualTo("task-0");
    Job old = db.runs().job(first.jobId()).orElseThrow();
    assertThat(old.status()).isEqualTo(Status.FAILED);
    assertThat(old.failure()).contains("Restarted inside");
    assertThat(old.replacedBy()).isEqualTo(second.jobId());
    assertThat(db.runs().jobs(run.runId())).containsExactly(second);
    assertThat(db.runs().openRun(sync)).isPresent();
    assertThat(db.runs().claim(first.jobId(), "task-0", LIVE)).isEmpty();
    assertThatThrownBy(() -> db.runs().newAttempt(first.jobId(), "again", "task-0", LIVE))
        .isInstanceOf(LakexpressDbException.class)
        .hasMessageContaining(second.jobId() + " took its place already");

    db.runs().deliver(first.jobId(), 1, move(ORDERS, "b"));
    assertThat(db.watermarks().watermark(sync, ORDERS)).isEmpty();
  }

  @Test
  void newAttemptOfAJobClosedAsFailedIsClosedToo() {
    Run run = db.runs().open(newRun(sync, window(ORDERS, "a", "b")));
    Job first = jobOf(db, run, ORDERS);
    db.runs().fail(first.jobId(), "Deadlock");
    Job second = db.runs().newAttempt(first.jobId(), "Restarted inside", "task-0", LIVE);

    assertThat(second.status()).isEqualTo(Status.FAILED);
    assertThat(db.runs().openRun(sync)).isEmpty();

    db.runs().deliver(second.jobId(), 2, move(ORDERS, "b"));
    assertThat(db.runs().job(second.jobId()).orElseThrow().status()).isEqualTo(Status.DELIVERED);
  }
}
