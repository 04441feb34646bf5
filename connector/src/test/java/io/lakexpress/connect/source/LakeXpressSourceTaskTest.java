package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.SchemaText;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.offset.Cursor;
import io.lakexpress.offset.OffsetPartition;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LakeXpressSourceTaskTest {
  private static final TableId ORDERS = TableId.parse("shop.orders");

  private final TaskRig rig = new TaskRig();

  @BeforeEach
  void tables() {
    rig.source.with("shop.orders").withoutKey("shop.colours");
    for (int i = 1; i <= 7; i++) {
      rig.source.insert("shop.orders", i, "2026-12-01T0" + i + ":00:00Z");
    }
    rig.source.insert("shop.colours", 1, null).insert("shop.colours", 2, null);
  }

  @AfterEach
  void stop() {
    rig.stop();
  }

  @Test
  void firstSyncReadsAllUpToTheBoundAndFullExportsComeWhole() {
    rig.source.insert("shop.orders", 99, "2026-12-01T11:30:00Z");

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(rig.ids("shop.colours")).containsExactly(1L, 2L);
    assertThat(rig.told())
        .containsExactlyInAnyOrder(
            "closed orders 2026-12-01T10:59:59.999999Z 7", "closed colours null 2");
    assertThat(rig.db.watermarks().watermark("shop", ORDERS).orElseThrow().lastExportedValue())
        .isEqualTo("2026-12-01T10:59:59.999999Z");
    assertThat(rig.db.runs().latestRun("shop").orElseThrow().status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void secondSyncReadsOnlyWhatIsNewAndAnEmptyWindowMovesTheWatermark() {
    rig.start().untilRun(1);
    rig.topic.clear();
    rig.source.insert("shop.orders", 8, "2026-12-01T12:10:00Z");
    rig.source.clock("2026-12-01T14:00:00Z");

    rig.run();
    assertThat(rig.ids("shop.orders")).containsExactly(8L);

    rig.topic.clear();
    rig.source.clock("2026-12-01T15:00:00Z");
    rig.run();
    assertThat(rig.ids("shop.orders")).isEmpty();
    assertThat(rig.told()).contains("closed orders 2026-12-01T13:59:59.999999Z 0");
    assertThat(rig.db.watermarks().history("shop", ORDERS)).hasSize(3);
  }

  @Test
  void theClosingRecordOfAnExportWithoutRowsTellsTheColumns() {
    rig.source.with("shop.returns");

    rig.start().untilRun(1);

    assertThat(columnsTold("returns"))
        .singleElement()
        .satisfies(
            text ->
                assertThat(SchemaText.parse((String) text).fields())
                    .extracting(Field::name)
                    .contains("id"));
    assertThat(columnsTold("colours")).containsExactly((Object) null);
    assertThat(columnsTold("orders")).containsOnlyNulls();
  }

  private List<Object> columnsTold(String table) {
    return rig.topic.stream()
        .filter(record -> record.topic().equals("shop.runs"))
        .map(record -> (Struct) record.value())
        .filter(told -> told.getString("kind").equals("closed"))
        .filter(told -> told.getString("table").equals(table))
        .map(told -> told.get("row_schema"))
        .toList();
  }

  @Test
  void aClosingRecordGoesOutInALaterPollThanTheLastRow() {
    rig.start();

    List<?> batch;
    do {
      batch = rig.poll();
      assertThat(rig.topic.subList(rig.topic.size() - batch.size(), rig.topic.size()))
          .extracting(record -> record.topic().equals("shop.runs"))
          .satisfies(kinds -> assertThat(kinds.stream().distinct().count()).isLessThanOrEqualTo(1));
    } while (rig.told().size() < 2);
  }

  @Test
  void allTablesOfARunEndAtTheSameInstant() {
    rig.source.with("shop.items").insert("shop.items", 1, "2026-12-01T05:00:00Z");
    rig.specs = TableSpec.parseList(TaskRig.SPEC + ",shop.items:updated_at:timestamp:e");

    rig.start().untilRun(1);

    Run run = rig.db.runs().latestRun("shop").orElseThrow();
    assertThat(run.upperBound()).isEqualTo("2026-12-01T11:00:00Z");
    assertThat(rig.told())
        .contains(
            "closed orders 2026-12-01T10:59:59.999999Z 7", "closed items 2026-12-01T11:00:00Z 1");
  }

  @Test
  void startValueIsTheLowerBoundOfTheFirstWindow() {
    rig.specs = TableSpec.parseList("shop.orders:updated_at:timestamp@2026-12-01 04:00:00Z");

    rig.start().untilRun(1);

    assertThat(rig.ids("shop.orders")).containsExactly(5L, 6L, 7L);
    assertThat(rig.db.runs().jobs("r-1").stream().filter(job -> job.table().equals(ORDERS)))
        .extracting(Job::mode)
        .containsExactly(JobMode.FIRST_SYNC);
  }

  @Test
  void integerColumnsEndAtTheirLargestValueAndAnEmptyTableAtNone() {
    rig.source.with("shop.events");
    rig.specs = TableSpec.parseList("shop.orders:id:integer,shop.events:id:integer");
    rig.start().untilRun(1);

    assertThat(rig.told()).contains("closed orders 7 7", "closed events null 0");
    assertThat(rig.db.watermarks().watermark("shop", TableId.parse("shop.events"))).isEmpty();

    rig.topic.clear();
    rig.source.insert("shop.orders", 8, "2026-12-01T05:00:00Z");
    rig.source.insert("shop.events", 1, "2026-12-01T05:00:00Z");
    rig.run();

    assertThat(rig.told()).contains("closed orders 8 1", "closed events 1 1");
  }

  @Test
  void recordsCarryTheirJobTheirKeyAndTheirResumePoint() {
    rig.start().untilRun(1);

    SourceRecord third =
        rig.topic.stream()
            .filter(record -> record.topic().equals("shop.orders"))
            .skip(2)
            .findFirst()
            .orElseThrow();
    String job = rig.jobs("shop.orders").get(0);
    assertThat(third.key()).hasToString("Struct{id=3}");
    assertThat(third.timestamp()).isNull();
    assertThat(third.kafkaPartition()).isNull();
    assertThat(third.sourcePartition()).isEqualTo(OffsetPartition.of("shop", ORDERS).toMap());
    assertThat(third.sourceOffset())
        .isEqualTo(
            TableOffset.open(
                    null,
                    "r-1",
                    job,
                    3,
                    "2026-12-01T10:59:59.999999Z",
                    new Cursor.Keyed("2026-12-01T03:00:00Z", List.of("3")))
                .toMap());
  }

  @Test
  void tasksOfAConnectorShareTheTablesOfARun() {
    TaskRig second = rig.sibling(1);
    rig.start();
    second.start();

    rig.until(
        () -> {
          second.poll();
          return rig.isClosed(1);
        });
    second.stop();

    assertThat(rig.ids("shop.orders")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(rig.ids("shop.colours")).containsExactly(1L, 2L);
    assertThat(rig.db.runs().runs("shop", 9)).hasSize(1);
  }
}
