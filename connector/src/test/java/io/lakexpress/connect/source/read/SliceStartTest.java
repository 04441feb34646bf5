package io.lakexpress.connect.source.read;

import static io.lakexpress.connect.source.read.JobStart.Claim.INHERITED;
import static io.lakexpress.connect.source.read.JobStart.Claim.NEW;
import static io.lakexpress.connect.source.read.ReaderSettings.Delivery.AT_LEAST_ONCE;
import static io.lakexpress.connect.source.read.ReaderSettings.Delivery.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.JobStart.Claim;
import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.connect.source.read.TableOffsets.Known;
import io.lakexpress.connect.source.read.TableOffsets.Origin;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Status;
import io.lakexpress.offset.Cursor;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs of run r-2, whose window is (5, 9]; that of run r-1 was (1, 5]. */
class SliceStartTest {
  private static final Cursor ROW = new Cursor.Keyed("7", List.of("7"));
  private static final TableOffset DONE = TableOffset.closed("5", "r-1", "j-11", 8);
  private static final TableOffset OPEN = TableOffset.open("5", "r-2", "j-21", 0, "9", null);
  private static final TableOffset EARLIER = TableOffset.open("1", "r-1", "j-11", 0, "5", null);
  private static final TableOffset OVER = TableOffset.closed("9", "r-2", "j-21", 8);

  private static Job job(int slice) {
    return new Job(
        "j-2" + slice,
        "r-2",
        2,
        Instant.EPOCH,
        "shop",
        new TableId("shop", "orders"),
        new Slice(slice, 2),
        JobMode.INCREMENTAL,
        "shop.orders:id:integer",
        "5",
        "9",
        1,
        null,
        Status.RUNNING,
        -1,
        0,
        null,
        null,
        null);
  }

  private static TableOffset inside(String run, String job) {
    return TableOffset.open("5", run, job, 3, "9", ROW);
  }

  private static TableOffset ended(String run, String job) {
    return TableOffset.closed("5", run, job, 4);
  }

  private static SliceStart start(
      int slice, TableOffset table, TableOffset known, Claim claim, Delivery delivery) {
    return SliceStart.ofWindow(job(slice), table, new Known(known, Origin.STORED), claim, delivery);
  }

  private static SliceStart own(int slice, TableOffset table, TableOffset known, Delivery how) {
    return SliceStart.ofWindow(job(slice), table, new Known(known, Origin.OWN), NEW, how);
  }

  @Test
  void theFirstSliceOpensTheWindowAndTheOthersWaitForIt() {
    for (TableOffset table : new TableOffset[] {null, DONE, TableOffset.adopted("5")}) {
      assertThat(start(1, table, null, NEW, EXACTLY_ONCE)).isEqualTo(new SliceStart.Open());
      assertThat(start(2, table, null, NEW, EXACTLY_ONCE)).isEqualTo(new SliceStart.AwaitOpening());
    }
  }

  @Test
  void withoutExactlyOnceOffsetsComeTooLateToBeWaitedFor() {
    assertThat(start(2, DONE, null, NEW, AT_LEAST_ONCE)).isEqualTo(new SliceStart.Begin("5", "9"));
    assertThat(start(2, null, null, NEW, AT_LEAST_ONCE)).isEqualTo(new SliceStart.Begin("5", "9"));
    assertThat(start(2, DONE, null, INHERITED, AT_LEAST_ONCE)).isInstanceOf(SliceStart.Anew.class);
    assertThat(start(1, DONE, inside("r-2", "j-21"), NEW, AT_LEAST_ONCE))
        .isInstanceOf(SliceStart.Anew.class);
  }

  @Test
  void inAnOpenWindowEachSliceGoesOnWhereItStands() {
    for (int slice = 1; slice <= 2; slice++) {
      TableOffset inside = inside("r-2", "j-2" + slice);
      assertThat(start(slice, OPEN, null, NEW, EXACTLY_ONCE))
          .isEqualTo(new SliceStart.Begin("5", "9"));
      assertThat(start(slice, OPEN, inside, INHERITED, EXACTLY_ONCE))
          .isEqualTo(new SliceStart.GoOn(inside));
      assertThat(own(slice, OPEN, inside, AT_LEAST_ONCE)).isEqualTo(new SliceStart.GoOn(inside));
      assertThat(start(slice, OPEN, inside, INHERITED, AT_LEAST_ONCE))
          .isInstanceOf(SliceStart.Anew.class);
    }
  }

  @Test
  void offsetsOfAnotherRunOrAttemptDoNotCount() {
    assertThat(start(2, OPEN, inside("r-1", "j-12"), NEW, EXACTLY_ONCE))
        .isEqualTo(new SliceStart.Begin("5", "9"));
    assertThat(start(2, OPEN, ended("r-2", "j-0"), NEW, EXACTLY_ONCE))
        .isEqualTo(new SliceStart.Begin("5", "9"));
    assertThat(start(2, DONE, ended("r-1", "j-12"), NEW, EXACTLY_ONCE))
        .isEqualTo(new SliceStart.AwaitOpening());
    assertThat(start(1, TableOffset.adopted("5"), ended("r-1", "j-11"), NEW, EXACTLY_ONCE))
        .isEqualTo(new SliceStart.Open());
  }

  @Test
  void aSliceAtItsEndIsProvedAndTheFirstOneClosesTheWindow() {
    assertThat(start(2, OPEN, ended("r-2", "j-22"), INHERITED, EXACTLY_ONCE))
        .isEqualTo(new SliceStart.Ended(4));
    assertThat(start(1, OPEN, ended("r-2", "j-21"), INHERITED, EXACTLY_ONCE))
        .isEqualTo(new SliceStart.Close(OPEN, 4));
    assertThat(own(1, OPEN, ended("r-2", "j-21"), AT_LEAST_ONCE))
        .isEqualTo(new SliceStart.Close(OPEN, 4));
    assertThat(start(1, OVER, null, INHERITED, EXACTLY_ONCE)).isEqualTo(new SliceStart.Over());
  }

  @Test
  void anEarlierWindowIsFinishedSliceBySliceAndClosedByTheFirst() {
    TableOffset inside = inside("r-1", "j-12");

    assertThat(start(2, EARLIER, inside, NEW, EXACTLY_ONCE))
        .isEqualTo(new SliceStart.Finish(EARLIER, inside));
    assertThat(start(2, EARLIER, ended("r-0", "j-2"), NEW, EXACTLY_ONCE))
        .isEqualTo(new SliceStart.Finish(EARLIER, null));
    assertThat(start(2, EARLIER, ended("r-1", "j-12"), NEW, EXACTLY_ONCE))
        .isEqualTo(new SliceStart.AwaitClosing());
    assertThat(start(1, EARLIER, ended("r-1", "j-11"), NEW, AT_LEAST_ONCE))
        .isEqualTo(new SliceStart.Close(EARLIER, 4));
  }
}
