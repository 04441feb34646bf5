package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.SliceRule;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;

/** Reads full exports, whole or in slices; slices by blocks read in one snapshot. */
final class ExportReader {
  /** An export is begun so often, then its job fails. */
  private static final int EXPORT_ATTEMPTS = 5;

  private final JobInHand hand;
  private final LakexpressDb db;
  private final SourceDatabase source;
  private final Catalogue catalogue;
  private final TableOffsets offsets;
  private final Siblings siblings;
  private final HeldSnapshots snapshots;
  private final RecordOutlet outlet;
  private final SliceOutlet slices;

  ExportReader(
      JobInHand hand,
      ReaderParts parts,
      LakexpressDb db,
      SourceDatabase source,
      RecordOutlet outlet,
      SliceOutlet slices,
      HeldSnapshots snapshots) {
    this.hand = hand;
    this.db = db;
    this.source = source;
    this.catalogue = new Catalogue(source, parts.settings());
    this.offsets = parts.offsets();
    this.siblings = new Siblings(db);
    this.snapshots = snapshots;
    this.outlet = outlet;
    this.slices = slices;
  }

  boolean proceed() {
    Job job = hand.job();
    JobStart start =
        JobStart.ofExport(job, offsets.of(job.table(), job.slice()), hand.claim(), hand.delivery());
    if (start instanceof JobStart.HandedOver) {
      return job.slice().isWhole() || !SliceOutlet.isFirst(job) || closeTable(handedOver(job));
    }
    if (start instanceof JobStart.Ended ended) {
      return ended(ended.rows());
    }
    boolean isOneSnapshot = job.sliceRule() instanceof SliceRule.Blocks;
    if (start instanceof JobStart.Anew anew) {
      checkAttempts();
      if (isOneSnapshot) {
        throw allAnew(anew.reason());
      }
      hand.anotherAttempt(job, anew.reason());
    }
    String snapshot = isOneSnapshot ? snapshot() : null;
    hand.settle();
    SourceTable table = catalogue.table(job.table());
    return isOneSnapshot ? readInSnapshot(table, snapshot) : read(table, null, pump());
  }

  private RowPump pump() {
    Job exported = hand.job();
    return hand.pump(
        exported, 0, (row, at) -> TableOffset.exporting(exported.runId(), exported.jobId(), row));
  }

  private boolean read(SourceTable table, String snapshot, RowPump pump) {
    Job exported = hand.job();
    return hand.read(
        exported,
        pump,
        () -> {
          close(exported, pump);
          return hand.hasEnded(exported);
        },
        ReadRequest.full(table),
        snapshot);
  }

  private boolean readInSnapshot(SourceTable table, String snapshot) {
    RowPump pump = pump();
    try {
      return read(table, snapshot, pump);
    } catch (SourceException e) {
      if (pump.rows() == 0 && e.kind() == SourceException.Kind.PASSING) {
        checkAttempts();
        throw allAnew(e.getMessage());
      }
      throw e;
    }
  }

  private void checkAttempts() {
    if (hand.job().attempt() >= EXPORT_ATTEMPTS) {
      throw new TableFailure(
          "Cannot export table "
              + hand.job().table()
              + ": "
              + EXPORT_ATTEMPTS
              + " attempts broke off inside; a window by incremental.tables would go on where it"
              + " stopped");
    }
  }

  /** The snapshot that all slices of the attempt read in; the first one takes it. */
  private String snapshot() {
    Job job = hand.job();
    Optional<String> noted = db.runs().job(job.jobId()).orElse(job).sharedSnapshot();
    if (!SliceOutlet.isFirst(job)) {
      return noted.orElseThrow(() -> siblings.awaited(job, "its snapshot is not taken yet"));
    }
    Optional<String> held = snapshots.of(job.jobId());
    if (noted.isPresent() && !noted.equals(held)) {
      checkAttempts();
      throw allAnew("The snapshot its slices share is lost");
    }
    String name = held.orElseGet(() -> take(job));
    if (noted.isEmpty()) {
      db.runs().noteSnapshot(job.jobId(), name);
    }
    return name;
  }

  private String take(Job job) {
    HeldSnapshot taken = source.holdSnapshot();
    snapshots.hold(job.jobId(), taken);
    return taken.name();
  }

  /** All slices of the export begin anew in another snapshot, in whoever's hands. */
  private JobReader.LeaseLost allAnew(String reason) {
    Job job = hand.job();
    snapshots.release(job.jobId());
    db.runs().newAttempts(job.jobId(), reason);
    return JobReader.LeaseLost.begunAnew(job.jobId(), reason);
  }

  private void close(Job exported, RowPump pump) {
    Schema columns = pump.columnsWithoutRows().orElse(null);
    if (exported.slice().isWhole()) {
      outlet.exported(exported, pump.rows(), columns);
    } else {
      slices.exported(exported, pump.rows(), columns);
    }
  }

  private long handedOver(Job job) {
    return offsets.of(job.table(), job.slice()).offset().rows();
  }

  /** The export, or a slice of it, is kept by Connect to its end. */
  private boolean ended(long rows) {
    Job job = hand.job();
    if (job.slice().isWhole()) {
      return deliver(rows);
    }
    return SliceOutlet.isFirst(job)
        ? closeTable(rows)
        : hand.deliver(() -> db.runs().deliver(job.jobId(), rows, null));
  }

  /** The first slice is at its end: closes the export once all are. */
  private boolean closeTable(long rows) {
    Job job = hand.job();
    TableOffsets.Known table = offsets.of(job.table());
    TableOffset offset = table.offset();
    if (offset != null && job.jobId().equals(offset.jobId()) && offset.exportedAt() != null) {
      return table.origin() == TableOffsets.Origin.OWN || deliver(rows);
    }
    slices.exportClosed(job, rows, siblings.allDelivered(job, job));
    snapshots.release(job.jobId());
    return true;
  }

  private boolean deliver(long rows) {
    Job job = hand.job();
    OffsetProof proof = new OffsetProof(db, catalogue);
    TableOffset offset = offsets.of(job.table()).offset();
    return hand.deliver(() -> proof.deliver(job, offset, rows));
  }
}
