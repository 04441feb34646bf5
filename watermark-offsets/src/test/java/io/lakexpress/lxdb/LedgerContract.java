package io.lakexpress.lxdb;

import static io.lakexpress.lxdb.TestBooks.LIVE;
import static io.lakexpress.lxdb.TestBooks.ORDERS;
import static io.lakexpress.lxdb.TestBooks.export;
import static io.lakexpress.lxdb.TestBooks.jobOf;
import static io.lakexpress.lxdb.TestBooks.newRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.lxdb.FileLedger.Column;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.Registration;
import io.lakexpress.lxdb.FileLedger.Staged;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What every {@link FileLedger} does for the writers of topic partitions. */
public abstract class LedgerContract extends DbContract {
  private static final TopicPartition ZERO = new TopicPartition("shop.orders", 0);

  protected LedgerContract(Supplier<LakexpressDb> databases) {
    super(databases);
  }

  private long register(Position writer, String jobId, String path) {
    return db.ledger()
        .register(
            sync,
            writer.writerEpoch(),
            new Registration(path, jobId, ORDERS, "upload-1", writer.topicPartition(), 0));
  }

  private LedgerFile staged(Position writer, String path, long nextOffset) {
    long id = register(writer, null, path);
    db.ledger()
        .enter(
            sync,
            writer,
            nextOffset,
            List.of(new Staged(id, "upload-1:2", 10, 999, nextOffset - 1)),
            Map.of());
    return file(id);
  }

  private LedgerFile file(long id) {
    return db.ledger().stagedWithoutJob(sync).stream()
        .filter(file -> file.fileId() == id)
        .findFirst()
        .orElseThrow();
  }

  private Position position() {
    return db.ledger().positions(sync).get(0);
  }

  @Test
  void firstWriterStartsBelowEverything() {
    assertThat(db.ledger().positions(sync)).isEmpty();

    assertThat(db.ledger().raiseEpoch(sync, ZERO)).isEqualTo(new Position(ZERO, -1, 1, 0));
    assertThat(db.ledger().raiseEpoch(sync, ZERO)).isEqualTo(new Position(ZERO, -1, 2, 0));
    assertThat(db.ledger().positions(sync)).containsExactly(new Position(ZERO, -1, 2, 0));
  }

  @Test
  void filesAndPositionAreEnteredTogether() {
    Job job = jobOf(db, db.runs().open(newRun(sync, export(ORDERS))), ORDERS);
    Position writer = db.ledger().raiseEpoch(sync, ZERO);
    long a = register(writer, job.jobId(), "shop/orders/a.parquet");
    long b = register(writer, job.jobId(), "shop/orders/b.parquet");
    assertThat(db.ledger().filesOfJob(job.jobId()))
        .extracting(LedgerFile::state)
        .containsOnly(FileState.OPEN);

    db.ledger()
        .enter(
            sync,
            writer,
            30,
            List.of(new Staged(a, "ha", 10, 100, 9), new Staged(b, "hb", 19, 190, 29)),
            Map.of(job.jobId(), 1L));

    assertThat(position().nextOffset()).isEqualTo(30);
    List<LedgerFile> files = db.ledger().filesOfJob(job.jobId());
    assertThat(files).extracting(LedgerFile::state).containsOnly(FileState.STAGED);
    assertThat(files).extracting(LedgerFile::handle).containsExactly("ha", "hb");
    assertThat(files).extracting(LedgerFile::rows).containsExactly(10L, 19L);
    assertThat(files).extracting(LedgerFile::lastOffset).containsExactly(9L, 29L);
    assertThat(files.get(0).topicPartition()).isEqualTo(ZERO);
    assertThat(db.runs().job(job.jobId()).orElseThrow().refusedRows()).isEqualTo(1);
  }

  @Test
  void enteringAgainAfterALostAnswerCountsNothingTwice() {
    Job job = jobOf(db, db.runs().open(newRun(sync, export(ORDERS))), ORDERS);
    Position writer = db.ledger().raiseEpoch(sync, ZERO);
    List<Staged> files =
        List.of(new Staged(register(writer, job.jobId(), "x.parquet"), "h", 10, 100, 9));

    db.ledger().enter(sync, writer, 11, files, Map.of(job.jobId(), 1L));
    db.ledger().enter(sync, writer, 11, files, Map.of(job.jobId(), 1L));

    assertThat(db.runs().job(job.jobId()).orElseThrow().refusedRows()).isEqualTo(1);
    assertThat(db.ledger().filesOfJob(job.jobId())).hasSize(1);
  }

  @Test
  void writerOfAnOlderEpochChangesNothing() {
    Position zombie = db.ledger().raiseEpoch(sync, ZERO);
    long id = register(zombie, null, "default/x/a.parquet");
    Position writer = db.ledger().raiseEpoch(sync, ZERO);

    assertThatThrownBy(
            () ->
                db.ledger()
                    .enter(sync, zombie, 30, List.of(new Staged(id, "h", 10, 100, 29)), Map.of()))
        .isInstanceOf(StaleEpochException.class)
        .hasMessage(
            "Cannot write topic partition shop.orders-0 with epoch 1: a newer writer has epoch 2");
    assertThatThrownBy(() -> register(zombie, null, "default/x/b.parquet"))
        .isInstanceOf(StaleEpochException.class);
    assertThatThrownBy(() -> db.ledger().restart(sync, zombie, 0))
        .isInstanceOf(StaleEpochException.class);

    assertThat(position()).isEqualTo(writer);
    assertThat(db.ledger().staleOpenFiles(sync))
        .extracting(LedgerFile::fileId, LedgerFile::state)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(id, FileState.OPEN));
    db.ledger().discard(id);
    db.ledger().discard(id);
    assertThat(db.ledger().staleOpenFiles(sync)).isEmpty();
  }

  @Test
  void openFileOfTheLivingWriterIsNotStale() {
    register(db.ledger().raiseEpoch(sync, ZERO), null, "default/x/a.parquet");

    assertThat(db.ledger().staleOpenFiles(sync)).isEmpty();
  }

  @Test
  void discardedFileIsNotEntered() {
    Position writer = db.ledger().raiseEpoch(sync, ZERO);
    long id = register(writer, null, "default/x/a.parquet");
    db.ledger().discard(id);

    assertThatThrownBy(
            () ->
                db.ledger()
                    .enter(sync, writer, 5, List.of(new Staged(id, "h", 5, 50, 4)), Map.of()))
        .isInstanceOf(LakexpressDbException.class)
        .hasMessageContaining("file " + id + " is discarded");
    assertThat(position().nextOffset()).isEqualTo(-1);
  }

  @Test
  void positionNeverGoesBackByItself() {
    Position writer = db.ledger().raiseEpoch(sync, ZERO);
    db.ledger().enter(sync, writer, 30, List.of(), Map.of());

    assertThatThrownBy(() -> db.ledger().enter(sync, writer, 20, List.of(), Map.of()))
        .hasMessageContaining("the ledger is at offset 30 already");
  }

  @Test
  void recreatedTopicRestartsWithANewIncarnation() {
    Position writer = db.ledger().raiseEpoch(sync, ZERO);
    db.ledger().enter(sync, writer, 30, List.of(), Map.of());

    assertThat(db.ledger().restart(sync, writer, 0)).isEqualTo(new Position(ZERO, 0, 1, 1));
    assertThat(db.ledger().raiseEpoch(sync, ZERO)).isEqualTo(new Position(ZERO, 0, 2, 1));
  }

  @Test
  void fileWithoutJobGoesThroughItsStates() {
    Position writer = db.ledger().raiseEpoch(sync, ZERO);
    LedgerFile file = staged(writer, "default/x/a.parquet", 10);
    assertThat(db.ledger().stagedWithoutJob(sync)).containsExactly(file);
    assertThat(db.ledger().publishedFile(sync, file.path())).isEmpty();

    db.ledger().markPublished(file.fileId());
    db.ledger().markPublished(file.fileId());

    assertThat(db.ledger().stagedWithoutJob(sync)).isEmpty();
    assertThat(db.ledger().publishedFiles(sync, ORDERS))
        .extracting(LedgerFile::fileId)
        .containsExactly(file.fileId());
    assertThat(db.ledger().publishedFile(sync, file.path())).isPresent();
    assertThatThrownBy(() -> db.ledger().discard(file.fileId()))
        .hasMessage("Cannot mark file " + file.fileId() + " as discarded: it is published");
    assertThatThrownBy(() -> db.ledger().markDeleted(file.fileId()))
        .hasMessageContaining("it is published");

    db.ledger().markLost(file.fileId());
    assertThat(db.ledger().publishedFiles(sync, ORDERS)).isEmpty();
    assertThatThrownBy(() -> db.ledger().markPublished(-5))
        .hasMessageContaining("the ledger does not know it");
  }

  @Test
  void pathIsPublishedOnceAtMost() {
    Position writer = db.ledger().raiseEpoch(sync, ZERO);
    LedgerFile first = staged(writer, "default/x/a.parquet", 10);
    LedgerFile second = staged(writer, "default/x/a.parquet", 20);
    db.ledger().markPublished(first.fileId());

    assertThatThrownBy(() -> db.ledger().markPublished(second.fileId()))
        .isInstanceOf(LakexpressDbException.class);
    assertThat(db.ledger().supersededFiles(sync, Duration.ZERO)).isEmpty();
  }

  @Test
  void stagedFilesOfAReplacedAttemptAreOrphans() {
    Run run = db.runs().open(newRun(sync, export(ORDERS)));
    Job job = db.runs().claimNext(run.runId(), "task-0", LIVE).orElseThrow();
    Position writer = db.ledger().raiseEpoch(sync, ZERO);
    long staged = register(writer, job.jobId(), "a.parquet");
    db.ledger().enter(sync, writer, 10, List.of(new Staged(staged, "h", 10, 100, 9)), Map.of());
    long open = register(writer, job.jobId(), "b.parquet");
    assertThat(db.ledger().orphanedFiles(sync)).isEmpty();

    db.runs().newAttempt(job.jobId(), "Restarted", "task-0", LIVE);
    assertThat(db.ledger().orphanedFiles(sync))
        .extracting(LedgerFile::fileId)
        .containsExactly(staged);

    db.ledger().raiseEpoch(sync, ZERO);
    assertThat(db.ledger().orphanedFiles(sync))
        .extracting(LedgerFile::fileId)
        .containsExactly(staged, open);
  }

  @Test
  void columnsOfAJobGrowByWhatIsNew() {
    Column id = new Column("id", 1, "bigint", "INT64", "INT64");
    Column name = new Column("name", 2, "text", "STRING", "STRING");
    db.ledger().recordColumns(sync, List.of(id, name));
    db.ledger().recordColumns(sync, List.of(id, name));
    assertThat(db.ledger().columns(sync)).containsExactly(id, name);

    Column wider = new Column("id", 2, "numeric", "BYTES", "DECIMAL");
    Column more = new Column("more", 1, "int", "INT32", "INT32");
    db.ledger().recordColumns(sync, List.of(more, wider));

    assertThat(db.ledger().columns(sync))
        .containsExactly(
            id,
            name,
            new Column("more", 3, "int", "INT32", "INT32"),
            new Column("id", 4, "numeric", "BYTES", "DECIMAL"));
    assertThat(db.ledger().columns(sync + "x")).isEmpty();
  }

  @Test
  void columnsThatWritersAddAtOnceAreAllThere() throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Column own = new Column("c" + i, 2, "", "INT32", "INT32");
        Column shared = new Column("id", 1, "", "INT64", "INT64");
        calls.add(writers.submit(() -> db.ledger().recordColumns(sync, List.of(shared, own))));
      }
      for (Future<?> call : calls) {
        call.get(1, TimeUnit.MINUTES);
      }
    } finally {
      writers.shutdownNow();
    }
    assertThat(db.ledger().columns(sync))
        .extracting(Column::name)
        .containsExactlyInAnyOrder("id", "c0", "c1", "c2", "c3");
  }

  private Instant announcedAt() {
    return db.ledger().waiting(sync).get(0).announcedAt();
  }

  @Test
  void firstAnnouncementOfAJobIsKept() {
    Run run = db.runs().open(newRun(sync, export(ORDERS)));
    Job job = db.runs().claimNext(run.runId(), "task-0", LIVE).orElseThrow();
    db.runs().deliver(job.jobId(), 10, null);
    assertThat(announcedAt()).isNull();

    db.ledger().noteAnnounced(sync + "x", List.of(job.jobId()));
    assertThat(announcedAt()).as("another sync's job is not ours to announce").isNull();

    Instant before = db.runs().now();
    db.ledger().noteAnnounced(sync, List.of(job.jobId(), "j-unknown"));
    Instant first = announcedAt();
    assertThat(first).isBetween(before, db.runs().now());

    db.ledger().noteAnnounced(sync, List.of(job.jobId()));
    db.ledger().noteAnnounced(sync, List.of());
    assertThat(announcedAt()).isEqualTo(first);
  }

  @Test
  void onlyTheCurrentWriterIsCaughtUp() {
    Position zombie = db.ledger().raiseEpoch(sync, ZERO);
    Position writer = db.ledger().raiseEpoch(sync, ZERO);
    db.ledger().noteCaughtUp(sync, List.of(zombie));
    assertThat(db.ledger().caughtUp(sync)).isEmpty();

    Instant before = db.runs().now();
    db.ledger().noteCaughtUp(sync, List.of(writer));
    Instant noted = db.ledger().caughtUp(sync).get(ZERO);
    assertThat(noted).isBetween(before, db.runs().now());

    db.ledger().noteCaughtUp(sync, List.of(zombie));
    assertThat(db.ledger().caughtUp(sync)).containsOnly(Map.entry(ZERO, noted));
    assertThat(db.ledger().positions(sync)).containsExactly(writer);
  }
}
