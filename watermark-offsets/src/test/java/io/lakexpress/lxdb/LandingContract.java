package io.lakexpress.lxdb;

import static io.lakexpress.lxdb.TestBooks.ITEMS;
import static io.lakexpress.lxdb.TestBooks.LIVE;
import static io.lakexpress.lxdb.TestBooks.ORDERS;
import static io.lakexpress.lxdb.TestBooks.export;
import static io.lakexpress.lxdb.TestBooks.jobOf;
import static io.lakexpress.lxdb.TestBooks.move;
import static io.lakexpress.lxdb.TestBooks.newRun;
import static io.lakexpress.lxdb.TestBooks.slice;
import static io.lakexpress.lxdb.TestBooks.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.Registration;
import io.lakexpress.lxdb.FileLedger.Staged;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.FileLedger.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How delivered jobs become part of the lake, whatever the database. */
public abstract class LandingContract extends DbContract {
  private Position writer;
  private long offset;

  protected LandingContract(Supplier<LakexpressDb> databases) {
    super(databases);
  }

  @BeforeEach
  final void registerTheLake() {
    db.syncs().claim(sync, Role.LAKE, "lake", "1", LIVE);
    writer = db.ledger().raiseEpoch(sync, new TopicPartition("shop.orders", 0));
    offset = 0;
  }

  private long stage(Job job, long rows) {
    String path = job.table() + "/part-" + job.jobId() + "-" + offset + ".parquet";
    long id =
        db.ledger()
            .register(
                sync,
                writer.writerEpoch(),
                new Registration(
                    path, job.jobId(), job.table(), "h", writer.topicPartition(), offset));
    offset += rows;
    db.ledger()
        .enter(
            sync, writer, offset, List.of(new Staged(id, "h", rows, rows, offset - 1)), Map.of());
    return id;
  }

  private Job deliver(NewJob unit, long rows) {
    Job job = jobOf(db, db.runs().open(newRun(sync, unit)), unit.unit().table());
    db.runs()
        .deliver(
            job.jobId(),
            rows,
            unit.upperBound() == null ? null : move(job.table(), unit.upperBound()));
    return db.runs().job(job.jobId()).orElseThrow();
  }

  /** A job that is landed with one file, whose id is returned. */
  private long landed(NewJob unit) {
    Job job = deliver(unit, 5);
    long file = stage(job, 5);
    db.ledger().markPublished(file);
    db.ledger().land(List.of(job.jobId()));
    return file;
  }

  private Status status(Job job) {
    return db.runs().job(job.jobId()).orElseThrow().status();
  }

  private Status runStatus(Job job) {
    return db.runs().run(job.runId()).orElseThrow().status();
  }

  @Test
  void deliveredJobWaitsUntilItsRowsAreIn() {
    Run run = db.runs().open(newRun(sync, window(ORDERS, null, "b")));
    Job job = jobOf(db, run, ORDERS);
    stage(job, 3);
    assertThat(db.ledger().waiting(sync)).isEmpty();
    assertThat(db.ledger().deliveredAmong(List.of(job.jobId()))).isEmpty();

    db.runs().deliver(job.jobId(), 6, move(ORDERS, "b"));
    assertThat(db.ledger().deliveredAmong(List.of(job.jobId(), "j-unknown")))
        .extracting(Job::jobId)
        .containsExactly(job.jobId());
    assertThat(db.ledger().waiting(sync)).extracting(Waiting::ledgerRows).containsExactly(3L);

    db.ledger().markPublished(stage(job, 2));
    db.ledger().enter(sync, writer, offset + 1, List.of(), Map.of(job.jobId(), 1L));
    assertThat(db.ledger().waiting(sync))
        .singleElement()
        .satisfies(waiting -> assertThat(waiting.isComplete()).isTrue());
  }

  @Test
  void landingMovesTheLandedWatermarkJobAndRun() {
    Job job = deliver(window(ORDERS, null, "b"), 5);
    db.ledger().markPublished(stage(job, 5));

    assertThat(db.ledger().land(List.of(job.jobId()))).isEmpty();
    assertThat(db.ledger().land(List.of(job.jobId()))).isEmpty();

    assertThat(status(job)).isEqualTo(Status.LANDED);
    assertThat(runStatus(job)).isEqualTo(Status.LANDED);
    assertThat(db.watermarks().watermark(sync, ORDERS).orElseThrow().landed()).contains("b");
    assertThat(db.ledger().waiting(sync)).isEmpty();
  }

  @Test
  void runLandsWithItsLastTable() {
    Run run = db.runs().open(newRun(sync, export(ORDERS), export(ITEMS)));
    Job orders = jobOf(db, run, ORDERS);
    Job items = jobOf(db, run, ITEMS);
    db.runs().deliver(orders.jobId(), 0, null);
    db.ledger().land(List.of(orders.jobId()));
    db.runs().deliver(items.jobId(), 0, null);
    assertThat(runStatus(items)).isEqualTo(Status.DELIVERED);

    db.ledger().land(List.of(items.jobId()));

    assertThat(runStatus(items)).isEqualTo(Status.LANDED);
  }

  @Test
  void otherTablesOfAFailedRunLandAllTheSame() {
    Run run = db.runs().open(newRun(sync, export(ORDERS), export(ITEMS)));
    Job items = jobOf(db, run, ITEMS);
    db.runs().fail(jobOf(db, run, ORDERS).jobId(), "No right");
    db.runs().deliver(items.jobId(), 0, null);
    assertThat(db.ledger().waiting(sync)).hasSize(1);

    db.ledger().land(List.of(items.jobId()));

    assertThat(status(items)).isEqualTo(Status.LANDED);
    assertThat(runStatus(items)).isEqualTo(Status.FAILED);
  }

  @Test
  void slicesOfATableLandTogether() {
    Run run =
        db.runs()
            .open(newRun(sync, slice(ORDERS, 1, 2, null, "b"), slice(ORDERS, 2, 2, null, "b")));
    List<String> jobs = db.runs().jobs(run.runId()).stream().map(Job::jobId).toList();
    db.runs().jobs(run.runId()).forEach(job -> db.ledger().markPublished(stage(job, 2)));
    jobs.forEach(job -> db.runs().deliver(job, 2, null));
    db.runs().deliver(jobs.get(0), 2, move(ORDERS, "b"));

    assertThat(db.ledger().land(jobs)).isEmpty();

    assertThat(db.ledger().publishedFiles(sync, ORDERS)).hasSize(2);
    assertThat(db.watermarks().watermark(sync, ORDERS).orElseThrow().landed()).contains("b");
  }

  @Test
  void laterWindowAddsToTheFiles() {
    long first = landed(window(ORDERS, null, "b"));
    long second = landed(window(ORDERS, "b", "c"));

    assertThat(db.ledger().publishedFiles(sync, ORDERS))
        .extracting(LedgerFile::fileId)
        .containsExactly(first, second);
  }

  @Test
  void fullExportTakesThePlaceOfEarlierRunsOnly() {
    long first = landed(export(ORDERS));
    long other = landed(export(ITEMS));
    Job job = deliver(export(ORDERS), 7);
    long second = stage(job, 7);
    db.ledger().markPublished(second);

    List<LedgerFile> superseded = db.ledger().land(List.of(job.jobId()));

    assertThat(superseded).extracting(LedgerFile::fileId).containsExactly(first);
    assertThat(superseded).extracting(LedgerFile::state).containsExactly(FileState.SUPERSEDED);
    assertThat(db.ledger().publishedFiles(sync, ORDERS))
        .extracting(LedgerFile::fileId)
        .containsExactly(second);
    assertThat(db.ledger().publishedFiles(sync, ITEMS))
        .extracting(LedgerFile::fileId)
        .containsExactly(other);
    assertThat(db.ledger().supersededFiles(sync, Duration.ofHours(1))).isEmpty();
    assertThat(db.ledger().supersededFiles(sync, Duration.ZERO)).hasSize(1);
    // A finisher that is behind finds its work done.
    db.ledger().markPublished(first);
    db.ledger().markDeleted(first);
    assertThat(db.ledger().supersededFiles(sync, Duration.ZERO)).isEmpty();
  }

  @Test
  void filesThatCarryNoJobAreNeverReplaced() {
    long foreign =
        db.ledger()
            .register(
                sync,
                writer.writerEpoch(),
                new Registration("f.parquet", null, ORDERS, "h", writer.topicPartition(), 0));
    db.ledger().enter(sync, writer, 1, List.of(new Staged(foreign, "h", 1, 1, 0)), Map.of());
    db.ledger().markPublished(foreign);
    offset = 1;

    landed(export(ORDERS));

    assertThat(db.ledger().publishedFiles(sync, ORDERS)).hasSize(2);
  }

  @Test
  void olderExportIsOvertakenOnceALaterOneLanded() {
    Job older = deliver(export(ORDERS), 5);
    assertThat(db.ledger().isOvertaken(older)).isFalse();
    landed(export(ORDERS));

    assertThat(db.ledger().isOvertaken(older)).isTrue();
    assertThat(db.ledger().waiting(sync))
        .extracting(waiting -> waiting.job().jobId())
        .containsExactly(older.jobId());
  }

  /** A finisher that is behind another must not put old files beside the new ones. */
  @Test
  void olderExportCannotLandOnceALaterOneLanded() {
    Job older = deliver(export(ORDERS), 5);
    long file = stage(older, 5);
    long later = landed(export(ORDERS));
    db.ledger().markPublished(file);

    assertThatThrownBy(() -> db.ledger().land(List.of(older.jobId())))
        .isInstanceOf(LakexpressDbException.class)
        .hasMessageContaining("a later export of its table has landed");

    db.ledger().failLanding(older.jobId(), "overtaken");
    assertThat(db.ledger().orphanedFiles(sync))
        .extracting(LedgerFile::fileId)
        .containsExactly(file);
    db.ledger().markLost(file);
    assertThat(db.ledger().publishedFiles(sync, ORDERS))
        .extracting(LedgerFile::fileId)
        .containsExactly(later);
  }

  @Test
  void fileThatComesAfterItsJobHasLandedIsAnOrphan() {
    Job job = deliver(window(ORDERS, null, "b"), 5);
    long file = stage(job, 5);
    db.ledger().markPublished(file);
    db.ledger().land(List.of(job.jobId()));
    assertThat(db.ledger().orphanedFiles(sync)).isEmpty();

    long surplus = stage(job, 1);

    assertThat(db.ledger().orphanedFiles(sync))
        .extracting(LedgerFile::fileId)
        .containsExactly(surplus);
  }

  @Test
  void landedWatermarkNeverGoesBackToAnEarlierRun() {
    Job older = deliver(window(ORDERS, null, "b"), 0);
    landed(window(ORDERS, "b", "c"));

    db.ledger().land(List.of(older.jobId()));

    assertThat(db.watermarks().watermark(sync, ORDERS).orElseThrow().landed()).contains("c");
  }

  @Test
  void jobThatCannotBecomeWholeFailsForGood() {
    Job job = deliver(window(ORDERS, null, "b"), 9);
    long file = stage(job, 3);

    db.ledger().failLanding(job.jobId(), "3 of 9 rows arrived");
    db.ledger().failLanding(job.jobId(), "again");

    assertThat(db.runs().job(job.jobId()).orElseThrow().failure()).contains("3 of 9 rows arrived");
    assertThat(db.runs().run(job.runId()).orElseThrow().error())
        .isEqualTo("1 of 1 tables failed: shop.orders");
    assertThat(db.ledger().waiting(sync)).isEmpty();
    assertThat(db.ledger().orphanedFiles(sync))
        .extracting(LedgerFile::fileId)
        .containsExactly(file);
    db.runs().deliver(job.jobId(), 9, move(ORDERS, "b"));
    assertThat(status(job)).isEqualTo(Status.FAILED);
    assertThatThrownBy(() -> db.ledger().land(List.of(job.jobId())))
        .isInstanceOf(LakexpressDbException.class)
        .hasMessage("Cannot land job " + job.jobId() + ": it is failed");
  }

  @Test
  void filesOfPrunedRunsAreReplacedToo() {
    long first = landed(export(ORDERS));
    landed(export(ITEMS));
    assertThat(db.runs().prune(sync, db.runs().now().plusSeconds(60))).isEqualTo(1);
    assertThat(db.ledger().publishedFiles(sync, ORDERS)).hasSize(1);

    long second = landed(export(ORDERS));

    assertThat(db.ledger().supersededFiles(sync, Duration.ZERO))
        .extracting(LedgerFile::fileId)
        .containsExactly(first);
    assertThat(db.ledger().publishedFiles(sync, ORDERS))
        .extracting(LedgerFile::fileId)
        .containsExactly(second);
  }
}
