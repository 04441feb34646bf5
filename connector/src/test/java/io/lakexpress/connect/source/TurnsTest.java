package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tables of one task take turns. */
class TurnsTest {
  private static final long MANY = 200;

  private final TaskRig rig = new TaskRig();

  @BeforeEach
  void aLargeTableAndItsNeighbours() {
    rig.batchRows = 5;
    rig.source.with("shop.orders").with("shop.items").with("shop.notes");
    LongStream.rangeClosed(1, MANY)
        .forEach(id -> rig.source.insert("shop.orders", id, "2026-12-01T05:00:00Z"));
    LongStream.rangeClosed(1, 12).forEach(id -> rig.source.insert("shop.items", id, null));
    rig.source.insert("shop.notes", 1, null);
    rig.source.estimate("shop.orders", MANY);
  }

  @AfterEach
  void stop() {
    rig.stop();
  }

  private int last(String table) {
    List<String> topics = rig.topic.stream().map(SourceRecord::topic).toList();
    return topics.lastIndexOf(table);
  }

  @Test
  void aLargeTableDoesNotHoldUpItsNeighbours() {
    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).hasSize((int) MANY).doesNotHaveDuplicates();
    assertThat(rig.ids("shop.items")).hasSize(12).doesNotHaveDuplicates();
    // Each neighbour's batch waits for one batch of each other table at most.
    assertThat(last("shop.items")).isLessThan(60);
    assertThat(last("shop.notes")).isLessThan(60);
  }

  @Test
  void aTableThatIsTriedAgainDoesNotHoldUpItsNeighbours() {
    rig.source.breakOff("shop.orders", 4, 7, SourceException.Kind.PASSING);

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).hasSize((int) MANY).doesNotHaveDuplicates();
    assertThat(last("shop.items")).isLessThan(60);
    assertThat(last("shop.notes")).isLessThan(60);
  }

  @Test
  void aTableThatKeepsFailingDoesNotHoldUpItsNeighbours() {
    rig.source.breakOff("shop.orders", 99, 0, SourceException.Kind.PASSING);

    rig.start().until(() -> rig.ids("shop.items").size() == 12);

    assertThat(rig.ids("shop.notes")).hasSize(1);
    assertThat(rig.isClosed(1)).isFalse();
    rig.untilRun(1);
  }

  @Test
  void nobodyPollsSoNoTableKeepsItsCursor() {
    rig.pause = Duration.ofMillis(200);
    LongStream.rangeClosed(13, MANY).forEach(id -> rig.source.insert("shop.items", id, null));
    rig.start().pollRecords(40);
    assertThat(rig.source.openCursors()).isEqualTo(2);

    Awaitility.await().until(() -> rig.source.openCursors() == 0);

    rig.untilRun(1);
    assertThat(rig.ids("shop.orders")).hasSize((int) MANY).doesNotHaveDuplicates();
  }

  @Test
  void aTaskWithSiblingsLeavesThemTheTimeToTakeATable() {
    rig.taskCount = 2;
    rig.look = Duration.ofSeconds(10);

    rig.start().until(() -> rig.ids("shop.orders").size() == MANY);

    assertThat(rig.ids("shop.items")).isEmpty();
    assertThat(rig.ids("shop.notes")).isEmpty();
  }

  @Test
  void aTableInHandGoesOnWhileItsNeighbourWaitsForTheLakexpressDb() {
    rig.source.breakOff("shop.items", 1, 7, SourceException.Kind.PASSING);
    rig.start().until(() -> !rig.ids("shop.items").isEmpty());
    rig.db.goDown();

    // The neighbour broke off, and has to ask before it goes on.
    rig.until(() -> rig.ids("shop.orders").size() == MANY);

    assertThat(rig.ids("shop.items").size()).isLessThan(12);
    rig.db.comeUp();
    rig.untilRun(1);
    assertThat(rig.ids("shop.orders")).hasSize((int) MANY).doesNotHaveDuplicates();
    assertThat(rig.db.runs().jobs("r-1")).extracting(Job::status).containsOnly(Status.DELIVERED);
  }

  @Test
  void aTableThatFailsWhileTheLakexpressDbIsDownIsFailedOnceItIsBack() {
    rig.source.breakOff("shop.items", 1, 7, SourceException.Kind.LASTING);
    rig.start().until(() -> !rig.ids("shop.items").isEmpty());
    rig.db.goDown();
    rig.until(() -> rig.ids("shop.orders").size() == MANY);
    rig.db.comeUp();

    rig.untilRun(1);

    assertThat(rig.db.runs().jobs("r-1"))
        .filteredOn(job -> job.status() == Status.FAILED)
        .extracting(Job::error)
        .containsExactly("Cannot read shop.items: it broke");
  }

  @Test
  void aRunThatIsDueSoonStartsThenThoughTheReaderLooksSeldom() {
    rig.look = Duration.ofSeconds(30);
    rig.interval = Duration.ofSeconds(1);
    rig.start().untilRun(1);

    rig.untilRun(3);

    List<Run> runs = rig.db.runs().runs("shop", 3);
    assertThat(Duration.between(runs.get(2).openedAt(), runs.get(0).openedAt()))
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(6));
  }
}
