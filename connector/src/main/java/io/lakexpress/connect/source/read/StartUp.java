package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.TableSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a task does before it reads: brings the book up to its offsets, takes up its own jobs. */
final class StartUp {
  private static final Logger LOG = LoggerFactory.getLogger(StartUp.class);

  private final ReaderParts parts;
  private final LakexpressDb db;
  private final SourceDatabase source;
  private final SliceOutlet slices;

  StartUp(ReaderParts parts, LakexpressDb db, SourceDatabase source) {
    this.parts = parts;
    this.db = db;
    this.source = source;
    ReaderSettings settings = parts.settings();
    this.slices =
        new SliceOutlet(
            parts,
            new TopicNames(settings.records().topicPrefix(), settings.identity().syncId()).runs());
  }

  /** The jobs this task held before it was restarted, claimed again. */
  List<Job> run() {
    parts.patience().tell(() -> parts.leases().claimSync(db));
    tell();
    prove();
    List<Job> inherited = parts.patience().ask(this::inherited);
    List<Job> failed =
        parts.patience().ask(() -> db.runs().failAbandoned(parts.settings().identity().syncId()));
    failed.forEach(
        job -> LOG.warn("Job {} of table {}: {}", job.jobId(), job.table(), job.error()));
    return inherited;
  }

  private void tell() {
    ReaderSettings settings = parts.settings();
    if (!settings.identity().isFirst()) {
      LOG.debug("Task {} reads", settings.identity().owner());
      return;
    }
    LOG.info(
        "Sync {}: connector {} reads with {} tasks, {}, {} incremental tables, lag {}",
        settings.identity().syncId(),
        settings.identity().connector(),
        settings.identity().taskCount(),
        settings.identity().delivery() == Delivery.EXACTLY_ONCE
            ? "exactly once"
            : "at least once (exactly.once.support is not required)",
        settings.specs().size(),
        Verdict.text(settings.runs().safetyLag()));
    if (settings.runs().safetyLag().isZero() && !settings.specs().isEmpty()) {
      LateCommitGuard.of(parts, db, source)
          .obstacle()
          .ifPresent(
              reason ->
                  LOG.warn(
                      "incremental.safety.lag.seconds is 0 and late commits cannot be looked for"
                          + " ({}): rows committed after a run has started, but stamped before,"
                          + " will be missed",
                      reason));
    }
  }

  private void prove() {
    String syncId = parts.settings().identity().syncId();
    OffsetProof proof = new OffsetProof(db, new Catalogue(source, parts.settings()));
    List<PlannedUnit> units = parts.patience().ask(() -> db.syncs().plan(syncId)).units();
    for (PlannedUnit unit : units) {
      try {
        if (unit.slice().index() == 1) {
          Optional<TableOffset> offset = parts.offsets().of(unit.table()).present();
          offset.ifPresent(at -> parts.patience().tell(() -> proof.write(syncId, unit, at)));
          if (Math.floorMod(unit.table().hashCode(), parts.settings().identity().taskCount())
              == parts.settings().identity().taskIndex()) {
            show(unit, offset.flatMap(TableOffset::watermark).orElse(null));
          }
        }
        if (!unit.slice().isWhole()) {
          parts
              .offsets()
              .of(unit.table(), unit.slice())
              .present()
              .ifPresent(slice -> proveSlice(proof, unit, slice));
        }
      } catch (TableFailure e) {
        // Its job will fail with this; the other tables go on.
        LOG.warn(e.getMessage());
      }
    }
  }

  /** So that somebody speaks of each table before it is read again. */
  private void show(PlannedUnit unit, String watermark) {
    Instant completeTo =
        watermark == null || !unit.isIncremental()
            ? null
            : Freshness.of(
                    watermark,
                    TableSpec.parse(unit.incremental()).direction(),
                    parts.settings().runs().zones().of(unit.table()))
                .orElse(null);
    parts.metrics().table(unit.table()).stands(watermark, completeTo);
  }

  private void proveSlice(OffsetProof proof, PlannedUnit unit, TableOffset slice) {
    parts.patience().tell(() -> proof.writeSlice(slice));
    if (parts.settings().identity().taskIndex() == 0 && isStale(unit, slice)) {
      // The table was set by hand, or its offsets came apart: nobody would remove it any more.
      slice
          .job()
          .flatMap(id -> parts.patience().ask(() -> db.runs().job(id)))
          .filter(job -> job.slice().equals(unit.slice()) && job.table().equals(unit.table()))
          .ifPresent(slices::removed);
    }
  }

  private boolean isStale(PlannedUnit unit, TableOffset slice) {
    TableOffset table = parts.offsets().of(unit.table()).offset();
    boolean counts = table != null && table.isWindowOpen() && table.runId().equals(slice.runId());
    return !counts
        && parts
            .patience()
            .ask(() -> db.runs().openRun(parts.settings().identity().syncId()))
            .filter(run -> run.runId().equals(slice.runId()))
            .isEmpty();
  }

  private List<Job> inherited() {
    ReaderSettings.Identity identity = parts.settings().identity();
    Optional<Run> open = db.runs().openRun(identity.syncId());
    List<Job> inherited = new ArrayList<>();
    if (open.isPresent()) {
      for (Job job : db.runs().jobs(open.get().runId())) {
        if (job.status() == Status.RUNNING && identity.owner().equals(job.owner())) {
          db.runs()
              .claim(job.jobId(), identity.owner(), parts.settings().timing().lease())
              .ifPresent(inherited::add);
        }
      }
    }
    inherited.forEach(job -> parts.leases().take(job.jobId()));
    return inherited;
  }
}
