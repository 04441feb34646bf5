package io.lakexpress.connect.lake.finish;

import static io.lakexpress.connect.lake.finish.LakeBench.ORDERS;
import static io.lakexpress.connect.lake.finish.LakeBench.ROW;
import static io.lakexpress.connect.lake.finish.LakeBench.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.lake.file.Faults.Work;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.NullValues;
import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.UnusableRecordException;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WritingTest {
  private static final TopicPartition FIRST = partition(ORDERS, 0);
  private static final TopicPartition SECOND = partition(ORDERS, 1);
  private static final TopicPartition CLICKS = new TopicPartition("web.eu.clicks", 0);
  private static final TableId CLICKS_TABLE = new TableId("web.eu", "clicks");

  @TempDir Path folder;
  private LakeBench bench;

  @BeforeEach
  void jobWithFiveRows() {
    bench = new LakeBench(folder);
    bench.db.begin("j-1", 1, ORDERS, JobMode.FIRST_SYNC);
    bench.emit(FIRST, "j-1", 1, 2, 3, 4, 5);
  }

  /** Case K5: the last rows of a job need no row behind them to appear. */
  @Test
  void lastRowsOfJobAppearAlthoughNothingComesAfterThem() {
    bench.db.deliver("j-1", 5);
    LakeBench.Task task = bench.task(FIRST);
    Finisher finisher = bench.finisher("lake", "one");
    task.poll(10);
    task.poll(10);
    assertThat(task.wakeWithin).isLessThanOrEqualTo(Duration.ofSeconds(1));
    bench.clock.pass(Duration.ofSeconds(1));
    task.poll(10);
    finisher.step();
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(bench.db.job("j-1").status()).isEqualTo(Status.LANDED);
  }

  @Test
  void nothingIsVisibleBeforeTheLastRowIsIn() {
    bench.roll = new RollPolicy(2, 1 << 20, Duration.ofMinutes(10));
    LakeBench.Task task = bench.task(FIRST);
    Finisher finisher = bench.finisher("lake", "one");
    bench.settle(task, finisher);
    assertThat(bench.db.ledger().filesOfJob("j-1")).hasSizeGreaterThan(1);
    assertThat(bench.rows(ORDERS)).isEmpty();
    bench.db.deliver("j-1", 5);
    bench.settle(task, finisher);
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void fileAgesFromItsFirstRowByTheWallClock() {
    bench.emit(CLICKS, null, 1);
    LakeBench.Task task = bench.task(CLICKS);
    Finisher finisher = bench.finisher("lake", "one");
    task.poll(10);
    bench.clock.pass(Duration.ofMinutes(9));
    bench.emit(CLICKS, null, 2);
    task.poll(10);
    finisher.step();
    assertThat(bench.rows(CLICKS_TABLE)).isEmpty();
    bench.clock.pass(Duration.ofMinutes(1));
    task.poll(10);
    finisher.step();
    assertThat(bench.rows(CLICKS_TABLE)).containsExactly(1L, 2L);
    bench.clock.pass(Duration.ofMinutes(9));
    bench.emit(CLICKS, null, 3);
    task.poll(10);
    bench.clock.pass(Duration.ofMinutes(9));
    task.poll(10);
    finisher.step();
    assertThat(bench.files(CLICKS_TABLE)).as("the next file has an age of its own").hasSize(1);
  }

  @Test
  void recordsReadAgainAfterUncommittedRollAreThereOnce() {
    bench.roll = new RollPolicy(3, 1 << 20, Duration.ofMinutes(10));
    bench.db.deliver("j-1", 5);
    LakeBench.Task first = bench.task(FIRST);
    first.poll(10);
    first.poll(10);
    bench.settle(bench.task(FIRST), bench.finisher("lake", "two"));
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  /** Case K9: versions 2, 1, 2, 1 of a schema close no file at each change. */
  @Test
  void alternatingSchemasShareTwoOpenFiles() {
    Schema wide =
        SchemaBuilder.struct()
            .name("row")
            .field("id", Schema.INT64_SCHEMA)
            .field("more", Schema.OPTIONAL_STRING_SCHEMA)
            .build();
    for (long id = 6; id < 16; id++) {
      Schema schema = id % 2 == 0 ? wide : ROW;
      bench.append(FIRST, "j-1", schema, new Struct(schema).put("id", id));
    }
    bench.db.deliver("j-1", 15);
    bench.settle(bench.task(FIRST), bench.finisher("lake", "one"));
    assertThat(bench.rows(ORDERS)).hasSize(15);
    assertThat(bench.files(ORDERS)).hasSize(2);
  }

  /** Case K12: a task that slept while another one wrote on does not overwrite its files. */
  @Test
  void lateWriterIsRefusedAndTouchesNothing() {
    bench.db.deliver("j-1", 5);
    LakeBench.Task late = bench.task(FIRST);
    late.poll(3);
    late.poll(3);
    LakeBench.Task next = bench.task(FIRST);
    Finisher finisher = bench.finisher("lake", "one");
    bench.settle(next, finisher);
    bench.clock.pass(Duration.ofMinutes(30));
    late.poll(3);
    late.poll(3);
    bench.settle(next, finisher);
    assertThat(late.writer.safeOffsets()).isEmpty();
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  @Test
  void unconfirmedStagingIsDoneAgain() {
    bench.db.deliver("j-1", 5);
    bench.faults.failNext("stage", LakeBench.storeIsDown(), Work.NOT_DONE);
    bench.faults.failNext("stage", LakeBench.storeIsDown(), Work.DONE);
    bench.settle(bench.task(FIRST), bench.finisher("lake", "one"));
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  @Test
  void storeThatIsDownDelaysAndLosesNothing() {
    bench.db.deliver("j-1", 5);
    LakeBench.Task task = bench.task(FIRST);
    task.poll(10);
    bench.clock.pass(Duration.ofSeconds(1));
    bench.faults.takeDown(LakeStorage.class, LakeBench.storeIsDown());
    bench.faults.takeDown(StagedFile.class, LakeBench.storeIsDown());
    assertThat(task.poll(10)).get().satisfies(later -> assertThat(later.delay()).isPositive());
    assertThat(task.poll(10)).as("going back to the ledger needs no store").isEmpty();
    assertThat(task.poll(10)).isPresent();
    assertThat(task.poll(10)).isEmpty();
    assertThat(task.poll(10)).isPresent();
    bench.faults.bringUp(LakeStorage.class);
    bench.faults.bringUp(StagedFile.class);
    bench.settle(task, bench.finisher("lake", "one"));
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void entryWhoseAnswerIsLostIsNotMadeTwice() {
    bench.db.deliver("j-1", 5);
    LakeBench.Task task = bench.task(FIRST);
    task.poll(10);
    task.poll(10);
    bench.faults.failNext("enter", LakeBench.databaseIsDown(), Work.DONE);
    bench.faults.failNext("positions", LakeBench.databaseIsDown(), Work.NOT_DONE);
    bench.settle(task, bench.finisher("lake", "one"));
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(bench.db.ledger().filesOfJob("j-1")).hasSize(1);
  }

  @Test
  void registrationWhoseAnswerIsLostLeavesNothingBehind() {
    bench.db.deliver("j-1", 5);
    bench.faults.failNext("register", LakeBench.databaseIsDown(), Work.DONE);
    bench.settle(bench.task(FIRST), bench.finisher("lake", "one"));
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(bench.hiddenFiles()).isEmpty();
  }

  @Test
  void databaseThatIsDownNeverFailsTheCommitOfOffsets() {
    LakeBench.Task task = bench.task(FIRST);
    task.poll(10);
    bench.faults.takeDown(FileLedger.class, LakeBench.databaseIsDown());
    assertThat(task.writer.safeOffsets()).containsEntry(FIRST, 0L);
  }

  /** Case K32: one topic partition is closed, rows of another one come. */
  @Test
  void onlyWhatIsRevokedIsGivenUp() {
    bench.emit(SECOND, "j-1", 6);
    bench.db.deliver("j-1", 6);
    LakeBench.Task task = bench.task(FIRST, SECOND);
    task.poll(3);
    task.poll(3);
    task.revoke(SECOND);
    LakeBench.Task other = bench.task(SECOND);
    Finisher finisher = bench.finisher("lake", "one");
    bench.settle(other, finisher);
    bench.settle(task, finisher);
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void topicCreatedAnewGoesOnUnderNewIncarnation() {
    bench.emit(CLICKS, null, 1, 2, 3);
    LakeBench.Task task = bench.task(CLICKS);
    Finisher finisher = bench.finisher("lake", "one");
    bench.settle(task, finisher);
    bench.clock.pass(Duration.ofMinutes(10));
    bench.settle(task, finisher);
    bench.recreate(CLICKS);
    bench.emit(CLICKS, null, 11, 12);
    LakeBench.Task next = bench.task(CLICKS);
    bench.settle(next, finisher);
    bench.clock.pass(Duration.ofMinutes(10));
    bench.settle(next, finisher);
    assertThat(bench.rows(CLICKS_TABLE)).containsExactly(1L, 2L, 3L, 11L, 12L);
    assertThat(bench.files(CLICKS_TABLE))
        .extracting(file -> file.getFileName().toString())
        .containsExactly("part-0-0-000000000000.parquet", "part-1-0-000000000000.parquet");
  }

  @Test
  void recordsOfRunsArePassedOverAndMoveThePosition() {
    TopicPartition runs = new TopicPartition("tpch.runs", 0);
    Schema run =
        SchemaBuilder.struct()
            .name("io.lakexpress.Run")
            .field("kind", Schema.STRING_SCHEMA)
            .build();
    bench.append(runs, null, run, new Struct(run).put("kind", "closed"));
    LakeBench.Task task = bench.task(runs);
    task.poll(10);
    assertThat(task.writer.safeOffsets()).containsEntry(runs, 1L);
  }

  @Test
  void valueWithoutSchemaFailsNamingTheConverterKey() {
    bench.append(CLICKS, null, null, "text");
    LakeBench.Task task = bench.task(CLICKS);
    assertThatThrownBy(() -> task.poll(10))
        .isInstanceOf(UnusableRecordException.class)
        .hasMessageContaining("web.eu.clicks-0@0")
        .hasMessageContaining("its value has no schema")
        .hasMessageContaining("value.converter");
  }

  /** Case K24: a key with a null value is not fatal by default, and is counted. */
  @Test
  void nullValuesAreIgnoredAndCounted() {
    bench.append(FIRST, "j-1", null, null);
    bench.db.deliver("j-1", 5);
    LakeBench.Task task = bench.task(FIRST);
    bench.settle(task, bench.finisher("lake", "one"));
    assertThat(task.writer.counters().nullValues()).isEqualTo(1);
    assertThat(bench.rows(ORDERS)).hasSize(5);
  }

  @Test
  void nullValuesFailOrGoToTheDeadLetterQueueIfAskedTo() {
    bench.append(CLICKS, null, null, null);
    bench.nullValues = NullValues.FAIL;
    LakeBench.Task failing = bench.task(CLICKS);
    assertThatThrownBy(() -> failing.poll(10))
        .isInstanceOf(UnusableRecordException.class)
        .hasMessageContaining("it has no value");
    bench.nullValues = NullValues.DLQ;
    LakeBench.Task task = bench.task(CLICKS);
    task.poll(10);
    task.poll(10);
    assertThat(bench.deadLetters).hasSize(1);
    assertThat(task.writer.safeOffsets()).containsEntry(CLICKS, 1L);
    assertThat(task.writer.counters().refusedRows()).isEqualTo(1);
  }

  @Test
  void refusedRowsCountForTheirJob() {
    bench.emit(FIRST, "j-1", -1);
    bench.db.deliver("j-1", 6);
    bench.settle(bench.task(FIRST), bench.finisher("lake", "one"));
    assertThat(bench.deadLetters).hasSize(1);
    assertThat(bench.db.job("j-1").refusedRows()).isEqualTo(1);
    assertThat(bench.db.job("j-1").status()).isEqualTo(Status.LANDED);
  }

  @Test
  void refusedRowFailsTheTaskWithoutDeadLetterQueue() {
    bench.hasDeadLetterQueue = false;
    bench.emit(CLICKS, null, -1);
    LakeBench.Task task = bench.task(CLICKS);
    assertThatThrownBy(() -> task.poll(10))
        .isInstanceOf(UnusableRecordException.class)
        .hasMessageContaining("web.eu.clicks-0@0")
        .hasMessageContaining("-1 is negative");
  }

  @Test
  void schemaThatNoFileCanHoldGoesToTheDeadLetterQueueWithoutLeavingFiles() {
    Schema unknown = SchemaBuilder.struct().field("key", Schema.STRING_SCHEMA).build();
    bench.append(CLICKS, null, unknown, new Struct(unknown).put("key", "a"));
    LakeBench.Task task = bench.task(CLICKS);
    task.poll(10);
    assertThat(bench.deadLetters).hasSize(1);
    assertThat(bench.db.ledger().stagedWithoutJob("tpch")).isEmpty();
    assertThat(task.writer.safeOffsets()).containsEntry(CLICKS, 1L);
  }

  @Test
  void rowsOfUnknownJobsArePassedOver() {
    bench.emit(FIRST, "j-gone", 8, 9);
    bench.db.deliver("j-1", 5);
    LakeBench.Task task = bench.task(FIRST);
    bench.settle(task, bench.finisher("lake", "one"));
    assertThat(bench.rows(ORDERS)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(task.writer.counters().passedOver()).isEqualTo(2);
  }

  @Test
  void memoryBudgetRollsEarlyAndSaysSo() {
    bench.memoryBytes = 30_000;
    LakeBench.Task task = bench.task(FIRST);
    long[] ids = LongStream.range(100, 900).toArray();
    bench.emit(FIRST, "j-1", ids);
    for (int i = 0; i < 10; i++) {
      task.poll(100);
    }
    assertThat(task.writer.counters().earlyRolls()).isZero();
    LakeBench.Task poor = poorTask();
    for (int i = 0; i < 10; i++) {
      poor.poll(100);
    }
    assertThat(poor.writer.counters().earlyRolls()).isPositive();
    bench.db.deliver("j-1", 805);
    Finisher finisher = bench.finisher("lake", "one");
    bench.settle(poor, finisher);
    assertThat(bench.rows(ORDERS)).hasSize(805).doesNotHaveDuplicates();
  }

  private LakeBench.Task poorTask() {
    bench.memoryBytes = 8_500;
    return bench.task(FIRST);
  }

  @Test
  void columnsOfJobAreOnRecord() {
    bench.task(FIRST).poll(10);
    LakeBench.Task task = bench.task(FIRST);
    task.poll(10);
    task.poll(10);
    assertThat(bench.db.ledger().columns("j-1"))
        .containsExactly(new FileLedger.Column("id", 1, "", "INT64", "a line"));
  }

  /** A table that changes within a job is on record with both its shapes, restarts or not. */
  @Test
  void columnsThatChangeWithinAJobAreAllOnRecord() {
    Schema wide =
        SchemaBuilder.struct()
            .field("id", Schema.INT64_SCHEMA)
            .field("more", Schema.OPTIONAL_STRING_SCHEMA)
            .build();
    bench.append(FIRST, "j-1", wide, new Struct(wide).put("id", 6L));
    bench.emit(FIRST, "j-1", 7);
    for (int restart = 0; restart < 2; restart++) {
      LakeBench.Task task = bench.task(FIRST);
      task.poll(10);
      task.poll(10);
    }
    assertThat(bench.db.ledger().columns("j-1"))
        .containsExactly(
            new FileLedger.Column("id", 1, "", "INT64", "a line"),
            new FileLedger.Column("more", 2, "", "STRING", "a line"));
  }

  /** Case K10: record types that alternate in one topic keep one open file each. */
  @Test
  void alternatingRecordTypesShareAFileEach() {
    for (int i = 0; i < 30; i++) {
      Schema type =
          SchemaBuilder.struct()
              .name("type" + i % 3)
              .field("id", Schema.INT64_SCHEMA)
              .field("of" + i % 3, Schema.OPTIONAL_STRING_SCHEMA)
              .build();
      bench.append(CLICKS, null, type, new Struct(type).put("id", (long) i));
    }
    LakeBench.Task task = bench.task(CLICKS);
    for (int i = 0; i < 12; i++) {
      task.poll(3);
    }
    bench.clock.pass(Duration.ofMinutes(10));
    bench.settle(task, bench.finisher("lake", "one"));
    assertThat(bench.rows(CLICKS_TABLE)).hasSize(30);
    assertThat(bench.files(CLICKS_TABLE)).hasSize(3);
  }
}
