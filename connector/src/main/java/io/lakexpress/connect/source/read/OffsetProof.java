package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.WatermarkBook.Watermark;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes into the LakeXpress DB what the source offsets prove and it has missed. */
final class OffsetProof {
  private static final Logger LOG = LoggerFactory.getLogger(OffsetProof.class);

  private final LakexpressDb db;
  private final Catalogue catalogue;
  private final Siblings siblings;

  OffsetProof(LakexpressDb db, Catalogue catalogue, Patience patience) {
    this.db = db;
    this.siblings = new Siblings(patience, db);
    this.catalogue = catalogue;
  }

  /** Looks at one unit of the plan. */
  void write(String syncId, PlannedUnit unit, TableOffset offset) {
    boolean isEnded = unit.isIncremental() ? !offset.isWindowOpen() : offset.exportedAt() != null;
    Optional<Job> job = offset.job().filter(id -> isEnded).flatMap(id -> db.runs().job(id));
    if (job.isPresent() && isMissing(job.get())) {
      deliver(job.get(), offset, offset.rows() - siblings.rowsOfOthers(job.get()));
      return;
    }
    // Also behind a delivered job: the mirror follows an alteration that Connect did not write.
    if (unit.isIncremental() && isEnded && offset.watermark().isPresent()) {
      follow(syncId, unit, offset.lastExported());
    }
  }

  /** Looks at one slice of the plan whose table's window or export may be open. */
  void writeSlice(TableOffset offset) {
    Optional<Job> found = offset.job().flatMap(id -> db.runs().job(id));
    if (found.isEmpty() || SliceOutlet.isFirst(found.get()) || !isMissing(found.get())) {
      return;
    }
    Job job = found.get();
    boolean isEnded =
        job.mode() == JobMode.FULL ? offset.exportedAt() != null : !offset.isWindowOpen();
    if (isEnded) {
      db.runs().deliver(job.jobId(), offset.rows(), null);
      LOG.info(
          "Job {} of slice {} of table {} is delivered, as its offset proves: {} rows",
          job.jobId(),
          job.slice(),
          job.table(),
          offset.rows());
    }
  }

  private static boolean isMissing(Job job) {
    return job.deliveredAt() == null
        && !job.isReplaced()
        && (job.status() == Status.RUNNING || job.status() == Status.FAILED);
  }

  /** Records the delivery of a job whose closing record's offset Connect keeps. */
  void deliver(Job job, TableOffset offset, long rows) {
    WatermarkMove move =
        job.mode() == JobMode.FULL || job.upperBound() == null || offset.lastExported() == null
            ? null
            : move(job.table(), TableSpec.parse(job.incremental()), offset.lastExported());
    db.runs().deliver(job.jobId(), rows, move);
    LOG.info(
        "Job {} of table {} is delivered, as its offset proves: {} rows",
        job.jobId(),
        job.table(),
        rows);
  }

  private void follow(String syncId, PlannedUnit unit, String watermark) {
    Optional<String> mirrored =
        db.watermarks().watermark(syncId, unit.table()).flatMap(Watermark::exported);
    if (mirrored.filter(watermark::equals).isEmpty()) {
      db.watermarks()
          .set(
              syncId,
              move(unit.table(), TableSpec.parse(unit.incremental()), watermark),
              WatermarkCause.OFFSETS_API);
      LOG.info("The watermark of table {} in the LakeXpress DB is now {}", unit.table(), watermark);
    }
  }

  private WatermarkMove move(TableId table, TableSpec spec, String watermark) {
    return new WatermarkMove(
        table, catalogue.columnName(table, spec), spec.type().text(), watermark);
  }
}
