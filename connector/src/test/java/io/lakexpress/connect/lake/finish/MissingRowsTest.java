package io.lakexpress.connect.lake.finish;

import static io.lakexpress.connect.lake.finish.LakeBench.ORDERS;
import static io.lakexpress.connect.lake.finish.LakeBench.RUNS_TOPIC;
import static io.lakexpress.connect.lake.finish.LakeBench.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.file.Faults;
import io.lakexpress.connect.lake.file.InMemoryLakexpressDb;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MissingRowsTest {
  private static final TopicPartition ZERO = partition(ORDERS, 0);
  private static final TopicPartition ONE = partition(ORDERS, 1);

  @TempDir Path folder;
  private LakeBench bench;
  private Finisher finisher;

  @BeforeEach
  void start() {
    bench = new LakeBench(folder);
    finisher = bench.finisher("lake", "one");
    bench.db.begin("j-1", 1, ORDERS, JobMode.FIRST_SYNC);
    bench.emit(ZERO, "j-1", 1, 2);
    bench.db.deliver("j-1", 3);
  }

  private void live(Duration time, LakeBench.Task... tasks) {
    for (long second = 0; second < time.toSeconds(); second++) {
      for (LakeBench.Task task : tasks) {
        task.poll(3);
      }
      bench.clock.pass(Duration.ofSeconds(1));
      finisher.step();
    }
  }

  private Status status() {
    return bench.db.job("j-1").status();
  }

  private Optional<Instant> announcedAt() {
    return Optional.ofNullable(
        bench.db.ledger().waiting(InMemoryLakexpressDb.SYNC).get(0).announcedAt());
  }

  @Test
  void rowsThatAreReallyMissingFailTheJob() {
    bench.tell("closed", "j-1");
    live(Duration.ofMinutes(7), bench.task(ZERO, ONE, RUNS_TOPIC));

    assertThat(status()).isEqualTo(Status.FAILED);
    assertThat(bench.db.job("j-1").error()).contains("3 rows were announced and 2 came");
  }

  @Test
  void failedTaskNeverFailsAJob() {
    bench.tell("closed", "j-1");
    LakeBench.Task task = bench.task(ZERO, RUNS_TOPIC);
    live(Duration.ofMinutes(1), task);

    live(Duration.ofHours(3));
    assertThat(status()).isEqualTo(Status.DELIVERED);

    bench.emit(ZERO, "j-1", 3);
    live(Duration.ofMinutes(1), task);
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void runThatWaitsForAFailedTaskIsTold() {
    LakeBench.Task task = bench.task(ZERO);
    task.poll(3);
    assertThat(bench.hiddenFiles()).hasSize(1);

    live(Duration.ofMinutes(9));

    assertThat(status()).isEqualTo(Status.DELIVERED);
    assertThat(bench.db.events())
        .singleElement()
        .asString()
        .startsWith("WARN Waiting for rows of sales.orders of run 1: 3 were announced and 0 came")
        .contains("do all tasks run?");
  }

  @Test
  void onePartitionWithoutALiveWriterIsEnoughToWait() {
    bench.tell("closed", "j-1");
    LakeBench.Task failing = bench.task(ONE);
    LakeBench.Task task = bench.task(ZERO, RUNS_TOPIC);
    live(Duration.ofMinutes(1), task, failing);

    live(Duration.ofMinutes(30), task);
    assertThat(status()).isEqualTo(Status.DELIVERED);

    live(Duration.ofMinutes(7), task, failing);
    assertThat(status()).isEqualTo(Status.FAILED);
  }

  @Test
  void runThatNobodyAnnouncedWaits() {
    bench.tell("adopted", "j-1");
    LakeBench.Task task = bench.task(ZERO, RUNS_TOPIC);
    live(Duration.ofMinutes(30), task);
    assertThat(status()).isEqualTo(Status.DELIVERED);
    assertThat(announcedAt()).isEmpty();

    bench.tell("slice-closed", "j-1");
    live(Duration.ofMinutes(7), task);
    assertThat(status()).isEqualTo(Status.FAILED);
  }

  @Test
  void tableWhoseTopicWasNeverReadWaits() {
    bench.tell("closed", "j-1");
    live(Duration.ofMinutes(30), bench.task(RUNS_TOPIC));

    assertThat(announcedAt()).isPresent();
    assertThat(status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void rowsThatComeBeforeTheVerdictLand() {
    bench.tell("closed", "j-1");
    LakeBench.Task task = bench.task(ZERO, RUNS_TOPIC);
    live(Duration.ofMinutes(4), task);
    bench.emit(ZERO, "j-1", 3);
    live(Duration.ofMinutes(4), task);

    assertThat(status()).isEqualTo(Status.LANDED);
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void finisherThatStartsAnewGivesTheTasksTheirTimeAgain() {
    bench.tell("closed", "j-1");
    LakeBench.Task task = bench.task(ZERO, RUNS_TOPIC);
    live(Duration.ofMinutes(4), task);
    finisher = bench.finisher("lake", "one");
    live(Duration.ofMinutes(4), task);
    assertThat(status()).isEqualTo(Status.DELIVERED);

    live(Duration.ofMinutes(3), task);
    assertThat(status()).isEqualTo(Status.FAILED);
  }

  @Test
  void databaseThatIsDownKeepsAnnouncementAndPositionBack() {
    bench.tell("closed", "j-1");
    LakeBench.Task task = bench.task(RUNS_TOPIC);
    for (int i = 0; i < 8; i++) {
      bench.faults.failNext("noteAnnounced", LakeBench.databaseIsDown(), Faults.Work.NOT_DONE);
    }
    for (int i = 0; i < 4; i++) {
      task.poll(3);
      task.writer.safeOffsets();
    }

    FileLedger ledger = bench.db.ledger();
    assertThat(announcedAt()).isEmpty();
    assertThat(ledger.positions(InMemoryLakexpressDb.SYNC))
        .extracting(Position::nextOffset)
        .containsExactly(0L);

    task.poll(3);
    assertThat(announcedAt()).isPresent();
    assertThat(task.writer.safeOffsets()).containsEntry(RUNS_TOPIC, 1L);
  }
}
