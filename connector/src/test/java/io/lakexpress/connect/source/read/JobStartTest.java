package io.lakexpress.connect.source.read;

import static io.lakexpress.connect.source.read.JobStart.Claim.INHERITED;
import static io.lakexpress.connect.source.read.JobStart.Claim.NEW;
import static io.lakexpress.connect.source.read.ReaderSettings.Delivery.AT_LEAST_ONCE;
import static io.lakexpress.connect.source.read.ReaderSettings.Delivery.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

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

class JobStartTest {
  private static final TableOffset OPEN =
      TableOffset.open("1", "r-1", "j-1", 3, "9", new Cursor.Keyed("4", List.of("4")));

  private static Job job(String jobId) {
    return new Job(
        jobId,
        "r-1",
        1,
        Instant.EPOCH,
        "shop",
        new TableId("shop", "orders"),
        Slice.WHOLE,
        JobMode.INCREMENTAL,
        "shop.orders:id:integer",
        "1",
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

  private static Known stored(TableOffset offset) {
    return new Known(offset, Origin.STORED);
  }

  private static Known own(TableOffset offset) {
    return new Known(offset, Origin.OWN);
  }

  @Test
  void anOpenWindowOfTheSameJobGoesOnWhereNothingCanHaveComeAfterIt() {
    assertThat(JobStart.ofWindow(job("j-1"), stored(OPEN), NEW, EXACTLY_ONCE))
        .isEqualTo(new JobStart.GoOn(OPEN));
    assertThat(JobStart.ofWindow(job("j-1"), own(OPEN), NEW, AT_LEAST_ONCE))
        .isEqualTo(new JobStart.GoOn(OPEN));
    assertThat(JobStart.ofWindow(job("j-1"), stored(OPEN), NEW, AT_LEAST_ONCE))
        .isInstanceOf(JobStart.Anew.class);
  }

  @Test
  void anOpenWindowOfAnotherJobComesFirst() {
    assertThat(JobStart.ofWindow(job("j-2"), stored(OPEN), INHERITED, AT_LEAST_ONCE))
        .isEqualTo(new JobStart.Finish("j-1", OPEN));
  }

  @Test
  void anOffsetThatEndedTheJobProvesItUnlessItIsStillOnItsWay() {
    TableOffset closed = TableOffset.closed("9", "r-1", "j-1", 7);

    assertThat(JobStart.ofWindow(job("j-1"), stored(closed), INHERITED, EXACTLY_ONCE))
        .isEqualTo(new JobStart.Ended(7));
    assertThat(JobStart.ofWindow(job("j-2"), stored(closed), NEW, EXACTLY_ONCE))
        .isEqualTo(new JobStart.Begin());
  }

  @Test
  void anInheritedJobWithoutOffsetsMayHaveRowsInTheTopicUnlessBothGoTogether() {
    assertThat(JobStart.ofWindow(job("j-1"), stored(null), INHERITED, AT_LEAST_ONCE))
        .isInstanceOf(JobStart.Anew.class);
    assertThat(JobStart.ofWindow(job("j-1"), stored(null), INHERITED, EXACTLY_ONCE))
        .isEqualTo(new JobStart.Begin());
    assertThat(JobStart.ofExport(job("j-1"), stored(null), INHERITED, AT_LEAST_ONCE))
        .isInstanceOf(JobStart.Anew.class);
    assertThat(JobStart.ofExport(job("j-1"), stored(null), NEW, AT_LEAST_ONCE))
        .isEqualTo(new JobStart.Begin());
  }

  @Test
  void anExportNeverGoesOnInside() {
    TableOffset inside = TableOffset.exporting("r-1", "j-1", 3);
    TableOffset ended = TableOffset.exported("r-1", "j-1", 7, "2026-12-01T00:00:00Z");

    assertThat(JobStart.ofExport(job("j-1"), own(inside), NEW, EXACTLY_ONCE))
        .isInstanceOf(JobStart.Anew.class);
    assertThat(JobStart.ofExport(job("j-1"), stored(ended), NEW, EXACTLY_ONCE))
        .isEqualTo(new JobStart.Ended(7));
    assertThat(JobStart.ofExport(job("j-2"), stored(inside), NEW, EXACTLY_ONCE))
        .isEqualTo(new JobStart.Begin());
  }
}
