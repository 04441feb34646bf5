package io.lakexpress.lxdb;

import static io.lakexpress.lxdb.TestBooks.LIVE;
import static io.lakexpress.lxdb.TestBooks.ORDERS;
import static io.lakexpress.lxdb.TestBooks.export;
import static io.lakexpress.lxdb.TestBooks.newRun;
import static io.lakexpress.lxdb.TestBooks.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.Registration;
import io.lakexpress.lxdb.FileLedger.Staged;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.FileLedger.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What several tasks and connectors do to the LakeXpress DB at the same moment. */
public abstract class ConcurrencyContract extends DbContract {
  private static final int THREADS = 6;

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  protected ConcurrencyContract(Supplier<LakexpressDb> databases) {
    super(databases);
  }

  @AfterAll
  final void endThreads() {
    threads.shutdownNow();
  }

  /** Does the same in all threads at once and returns what each got. */
  private <T> List<T> race(int count, Supplier<T> deed) throws Exception {
    CyclicBarrier start = new CyclicBarrier(count);
    List<Callable<T>> racers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      racers.add(
          () -> {
            start.await();
            return deed.get();
          });
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : threads.invokeAll(racers, 60, TimeUnit.SECONDS)) {
      results.add(future.get());
    }
    return results;
  }

  @RepeatedTest(5)
  void oneRunIsOpenedByAll() throws Exception {
    List<Run> runs = race(THREADS, () -> db.runs().open(newRun(sync, export(ORDERS))));

    assertThat(runs).extracting(Run::runId).containsOnly(runs.get(0).runId());
    assertThat(db.runs().runs(sync, 9)).hasSize(1);
    assertThat(db.runs().jobs(runs.get(0).runId())).hasSize(1);
  }

  @RepeatedTest(3)
  void everyJobIsClaimedByOne() throws Exception {
    NewJob[] jobs =
        IntStream.rangeClosed(1, 12)
            .mapToObj(index -> slice(ORDERS, index, 12, null, "b"))
            .toArray(NewJob[]::new);
    Run run = db.runs().open(newRun(sync, jobs));

    List<List<String>> claimed =
        race(
            THREADS,
            () -> {
              String owner = Thread.currentThread().getName();
              List<String> mine = new ArrayList<>();
              for (Optional<Job> job = db.runs().claimNext(run.runId(), owner, LIVE);
                  job.isPresent();
                  job = db.runs().claimNext(run.runId(), owner, LIVE)) {
                mine.add(job.get().jobId());
              }
              return mine;
            });

    assertThat(claimed.stream().flatMap(List::stream)).hasSize(12).doesNotHaveDuplicates();
  }

  @RepeatedTest(3)
  void lastOfSeveralDeliveriesClosesTheRun() throws Exception {
    NewJob[] jobs =
        IntStream.rangeClosed(1, THREADS)
            .mapToObj(index -> slice(ORDERS, index, THREADS, null, "b"))
            .toArray(NewJob[]::new);
    Run run = db.runs().open(newRun(sync, jobs));

    race(
        THREADS,
        () -> {
          String owner = Thread.currentThread().getName();
          Job job = db.runs().claimNext(run.runId(), owner, LIVE).orElseThrow();
          db.runs().deliver(job.jobId(), 1, null);
          return job;
        });

    assertThat(db.runs().run(run.runId()).orElseThrow().status()).isEqualTo(Status.DELIVERED);
  }

  @RepeatedTest(3)
  void onlyTheNewestWriterEnters() throws Exception {
    TopicPartition zero = new TopicPartition("shop.orders", 0);

    List<Position> writers =
        race(
            THREADS,
            () -> {
              Position writer = db.ledger().raiseEpoch(sync, zero);
              try {
                db.ledger().enter(sync, writer, writer.writerEpoch(), List.of(), Map.of());
              } catch (StaleEpochException e) {
                assertThat(e).hasMessageContaining("a newer writer");
              }
              return writer;
            });

    assertThat(writers).extracting(Position::writerEpoch).doesNotHaveDuplicates();
    Position end = db.ledger().positions(sync).get(0);
    assertThat(end.writerEpoch()).isEqualTo(THREADS);
    assertThat(end.nextOffset()).isEqualTo(THREADS);
  }

  @Test
  void oneConnectorGetsTheSide() throws Exception {
    List<SyncBook.Owner> owners =
        race(
            THREADS,
            () ->
                db.syncs()
                    .claim(sync, Role.LAKE, Thread.currentThread().getName(), "instance", LIVE));

    assertThat(owners)
        .extracting(SyncBook.Owner::connector)
        .containsOnly(owners.get(0).connector());
  }

  @Test
  void landingTwiceAtOnceIsLandingOnce() throws Exception {
    Run run = db.runs().open(newRun(sync, export(ORDERS)));
    String job = db.runs().jobs(run.runId()).get(0).jobId();
    db.runs().deliver(job, 0, null);

    race(2, () -> db.ledger().land(List.of(job)));

    assertThat(db.runs().run(run.runId()).orElseThrow().status()).isEqualTo(Status.LANDED);
  }

  @RepeatedTest(3)
  void busyRunLandsWholeWhileOthersLookAfterIt() throws Exception {
    db.syncs().claim(sync, Role.SOURCE, "source", "1", LIVE);
    db.syncs().claim(sync, Role.LAKE, "lake", "1", LIVE);
    NewJob[] jobs =
        IntStream.rangeClosed(1, 12)
            .mapToObj(index -> slice(ORDERS, index, 12, null, "b"))
            .toArray(NewJob[]::new);
    Run run = db.runs().open(newRun(sync, jobs));

    race(
        THREADS,
        () -> {
          String owner = Thread.currentThread().getName();
          for (Optional<Job> job = db.runs().claimNext(run.runId(), owner, LIVE);
              job.isPresent();
              job = db.runs().claimNext(run.runId(), owner, LIVE)) {
            exportAndLand(job.get(), owner);
          }
          return owner;
        });
    landWhatIsComplete();

    assertThat(db.runs().run(run.runId()).orElseThrow().status()).isEqualTo(Status.LANDED);
    assertThat(db.ledger().publishedFiles(sync, ORDERS)).hasSize(12);
  }

  private void exportAndLand(Job job, String owner) {
    TopicPartition partition = new TopicPartition("shop.orders", job.slice().index());
    Position writer = db.ledger().raiseEpoch(sync, partition);
    String path = "shop/orders/" + job.jobId() + ".parquet";
    long file =
        db.ledger()
            .register(
                sync,
                writer.writerEpoch(),
                new Registration(path, job.jobId(), job.table(), "h", partition, 0));
    assertThat(db.runs().renew(List.of(job.jobId()), owner, LIVE)).hasSize(1);
    db.ledger()
        .enter(sync, writer, 4, List.of(new Staged(file, "h", 3, 3, 3)), Map.of(job.jobId(), 1L));
    db.runs().deliver(job.jobId(), 4, null);
    assertThat(db.runs().failAbandoned(sync)).isEmpty();
    landWhatIsComplete();
  }

  private void landWhatIsComplete() {
    for (Waiting waiting : db.ledger().waiting(sync)) {
      String jobId = waiting.job().jobId();
      assertThat(waiting.isComplete()).isTrue();
      db.ledger().filesOfJob(jobId).forEach(file -> db.ledger().markPublished(file.fileId()));
      db.ledger().land(List.of(jobId));
    }
  }
}
