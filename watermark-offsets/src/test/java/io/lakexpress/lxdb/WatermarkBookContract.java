package io.lakexpress.lxdb;

import static io.lakexpress.lxdb.TestBooks.ITEMS;
import static io.lakexpress.lxdb.TestBooks.LIVE;
import static io.lakexpress.lxdb.TestBooks.ORDERS;
import static io.lakexpress.lxdb.TestBooks.jobOf;
import static io.lakexpress.lxdb.TestBooks.move;
import static io.lakexpress.lxdb.TestBooks.newRun;
import static io.lakexpress.lxdb.TestBooks.window;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.WatermarkBook.Watermark;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What every {@link WatermarkBook} does. */
public abstract class WatermarkBookContract extends DbContract {
  protected WatermarkBookContract(Supplier<LakexpressDb> databases) {
    super(databases);
  }

  private Job delivered(String lower, String upper) {
    Job job = jobOf(db, db.runs().open(newRun(sync, window(ORDERS, lower, upper))), ORDERS);
    db.runs().deliver(job.jobId(), 0, move(ORDERS, upper));
    return db.runs().job(job.jobId()).orElseThrow();
  }

  private void landed(String lower, String upper) {
    db.ledger().land(List.of(delivered(lower, upper).jobId()));
  }

  private Watermark watermark() {
    return db.watermarks().watermark(sync, ORDERS).orElseThrow();
  }

  @Test
  void watermarkSetByHandIsListedWithItsHistory() {
    db.watermarks().set(sync, move(ORDERS, "b"), WatermarkCause.CLI);
    db.watermarks()
        .set(sync, new WatermarkMove(ITEMS, "id", "integer", "4711"), WatermarkCause.CLI);

    assertThat(db.watermarks().watermarks(sync))
        .extracting(Watermark::table, Watermark::column, Watermark::type)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(ITEMS, "id", "integer"),
            org.assertj.core.groups.Tuple.tuple(ORDERS, "updated_at", "timestamp"));
    assertThat(watermark().exported()).contains("b");
    assertThat(watermark().landed()).isEmpty();
    assertThat(db.watermarks().history(sync, ITEMS))
        .singleElement()
        .satisfies(
            advance -> {
              assertThat(advance.newValue()).isEqualTo("4711");
              assertThat(advance.runId()).isNull();
              assertThat(advance.cause()).isEqualTo(WatermarkCause.CLI);
            });
  }

  @Test
  void forgottenWatermarkLeavesALineInTheHistory() {
    landed(null, "b");

    db.watermarks().clear(sync, ORDERS, WatermarkCause.OFFSETS_API);
    db.watermarks().clear(sync, ORDERS, WatermarkCause.OFFSETS_API);

    assertThat(db.watermarks().watermark(sync, ORDERS)).isEmpty();
    assertThat(db.watermarks().adopt(sync, ORDERS)).isEmpty();
    assertThat(db.watermarks().history(sync, ORDERS))
        .extracting(WatermarkBook.Advance::newValue)
        .containsExactly("b", null);
  }

  @Test
  void tableWithoutWatermarkAdoptsNone() {
    db.syncs().claim(sync, Role.LAKE, "lake", "1", LIVE);

    assertThat(db.watermarks().adopt(sync, ORDERS)).isEmpty();
    assertThat(db.watermarks().history(sync, ORDERS)).isEmpty();
  }

  @Test
  void withoutALakeTheDeliveredWatermarkIsAdopted() {
    Job job = delivered(null, "b");

    assertThat(db.watermarks().adopt(sync, ORDERS)).contains("b");
    assertThat(db.runs().job(job.jobId()).orElseThrow().status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void withALakeTheLandedWatermarkIsAdoptedAndWhatIsBehindItDiscarded() {
    db.syncs().claim(sync, Role.LAKE, "lake", "1", LIVE);
    landed(null, "b");
    Job unlanded = delivered("b", "c");
    Run open = db.runs().open(newRun(sync, window(ORDERS, "c", "d")));

    assertThat(db.watermarks().adopt(sync, ORDERS)).contains("b");

    assertThat(watermark().exported()).contains("b");
    assertThat(watermark().landed()).contains("b");
    Job discarded = db.runs().job(unlanded.jobId()).orElseThrow();
    assertThat(discarded.status()).isEqualTo(Status.FAILED);
    assertThat(discarded.error()).startsWith("Discarded: the table has no source offset any more");
    assertThat(db.runs().run(discarded.runId()).orElseThrow().status()).isEqualTo(Status.FAILED);
    assertThat(db.ledger().waiting(sync)).isEmpty();
    // A window that would begin behind the discarded one must not be read.
    assertThat(jobOf(db, open, ORDERS).status()).isEqualTo(Status.FAILED);
    assertThat(db.runs().openRun(sync)).isEmpty();
    assertThat(db.watermarks().history(sync, ORDERS))
        .extracting(WatermarkBook.Advance::newValue, WatermarkBook.Advance::cause)
        .endsWith(org.assertj.core.groups.Tuple.tuple("b", WatermarkCause.ADOPTED));

    // The closing offset of the discarded job may be mirrored again: it stays discarded.
    db.runs().deliver(unlanded.jobId(), 0, move(ORDERS, "c"));
    assertThat(watermark().exported()).contains("b");
  }

  @Test
  void adoptingWhatHasLandedChangesNothing() {
    db.syncs().claim(sync, Role.LAKE, "lake", "1", LIVE);
    landed(null, "b");
    Run open = db.runs().open(newRun(sync, window(ORDERS, "b", "c")));

    assertThat(db.watermarks().adopt(sync, ORDERS)).contains("b");
    assertThat(db.watermarks().adopt(sync, ORDERS)).contains("b");

    assertThat(jobOf(db, open, ORDERS).status()).isEqualTo(Status.RUNNING);
    assertThat(db.watermarks().history(sync, ORDERS)).hasSize(1);
  }

  @Test
  void firstSyncThatNeverLandedStartsAnew() {
    db.syncs().claim(sync, Role.LAKE, "lake", "1", LIVE);
    delivered(null, "b");

    assertThat(db.watermarks().adopt(sync, ORDERS)).isEmpty();
    assertThat(watermark().exported()).isEmpty();
  }
}
