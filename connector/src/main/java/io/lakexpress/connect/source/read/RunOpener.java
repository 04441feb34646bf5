package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.NewJob;
import io.lakexpress.lxdb.NewRun;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Run;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import io.lakexpress.watermark.UpperBound;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import io.lakexpress.watermark.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a run: asks the catalogue anew, takes the instant once, fixes all bounds. */
final class RunOpener {
  private static final Logger LOG = LoggerFactory.getLogger(RunOpener.class);

  private final ReaderSettings settings;
  private final LakexpressDb db;
  private final SourceDatabase source;
  private final Catalogue catalogue;
  private final TableOffsets offsets;
  private final LateCommitGuard guard;
  private final Slicer slicer;

  RunOpener(
      ReaderSettings settings,
      LakexpressDb db,
      SourceDatabase source,
      TableOffsets offsets,
      LateCommitGuard guard) {
    this.settings = settings;
    this.db = db;
    this.source = source;
    this.catalogue = new Catalogue(source, settings);
    this.offsets = offsets;
    this.guard = guard;
    this.slicer = new Slicer(settings.slicing(), db, source, offsets);
  }

  /** Opens a run for this cause, or joins the one that somebody else opened meanwhile. */
  Run open(String cause) {
    String syncId = settings.identity().syncId();
    Catalogue.Selected selected = catalogue.selected();
    Map<TableId, Tracking> trackings = trackings(selected);
    List<PlannedUnit> units = units(selected);
    Instant startedAt = source.now();
    // Before the writers are looked at: a row committed later has a larger number.
    Map<TableId, WatermarkValue> largest = largest(trackings);
    LateCommitGuard.Bound bound =
        guard.bound(new RunStart(startedAt, settings.runs().safetyLag(), kinds(trackings)));
    List<NewJob> jobs = new ArrayList<>();
    for (PlannedUnit unit : units) {
      NewJob whole =
          unit.isIncremental()
              ? incremental(unit, trackings.get(unit.table()), largest, bound)
              : new NewJob(unit, JobMode.FULL, null, null);
      jobs.addAll(slicer.slices(whole, selected.table(unit.table()), trackings.get(unit.table())));
    }
    Optional<Run> present = db.runs().openRun(syncId);
    if (present.isPresent()) {
      return present.get();
    }
    db.syncs().storePlan(syncId, jobs.stream().map(NewJob::unit).toList());
    Run run =
        db.runs().open(new NewRun(syncId, cause, startedAt, bound.until(), bound.note(), jobs));
    db.runs().prune(syncId, db.runs().now().minus(settings.runs().retention()));
    return run;
  }

  private Map<TableId, Tracking> trackings(Catalogue.Selected selected) {
    Map<TableId, Tracking> trackings = new HashMap<>();
    for (SourceTable table : selected.tables()) {
      TableSpec spec = selected.specs().get(table.id());
      if (spec == null) {
        continue;
      }
      try {
        trackings.put(table.id(), catalogue.tracking(table, spec));
      } catch (TableFailure e) {
        // Whoever takes the job says so and fails it; the other tables go on.
        LOG.debug("Table {} gets no bound: {}", table.id(), e.getMessage());
      }
    }
    return trackings;
  }

  private static Set<ColumnKind> kinds(Map<TableId, Tracking> trackings) {
    return trackings.values().stream()
        .map(tracking -> tracking.column().kind())
        .collect(Collectors.toSet());
  }

  private List<PlannedUnit> units(Catalogue.Selected selected) {
    List<PlannedUnit> units = new ArrayList<>();
    Set<TableId> found = new HashSet<>();
    for (SourceTable table : selected.tables()) {
      TableSpec spec = selected.specs().get(table.id());
      String incremental = spec == null ? "" : spec.toString();
      units.add(new PlannedUnit(table.id(), Slice.WHOLE, incremental, table.estimatedRows()));
      found.add(table.id());
    }
    for (Map.Entry<TableId, TableSpec> entry : selected.specs().entrySet()) {
      if (found.contains(entry.getKey())) {
        continue;
      }
      if (source.table(entry.getKey()).isEmpty()) {
        // A job all the same: it fails with a clear text, where people look.
        units.add(new PlannedUnit(entry.getKey(), Slice.WHOLE, entry.getValue().toString(), 0));
      } else {
        LOG.warn("Table {} has a spec but the selection leaves it out", entry.getKey());
      }
    }
    return units;
  }

  private Map<TableId, WatermarkValue> largest(Map<TableId, Tracking> trackings) {
    Map<TableId, WatermarkValue> largest = new HashMap<>();
    for (Map.Entry<TableId, Tracking> entry : trackings.entrySet()) {
      try {
        largest(entry.getKey(), entry.getValue().column())
            .ifPresent(value -> largest.put(entry.getKey(), value));
      } catch (SourceException e) {
        if (e.kind() != SourceException.Kind.LASTING) {
          throw e;
        }
        // Whoever takes the job asks again and fails it; the other tables go on.
        LOG.debug("Table {} gets no bound: {}", entry.getKey(), e.getMessage());
      }
    }
    return largest;
  }

  private Optional<WatermarkValue> largest(TableId table, WatermarkColumn column) {
    return switch (column.kind()) {
      case INTEGER -> source.largest(table, column).map(WatermarkValue.Whole::new);
      case ROWVERSION -> source.largest(table, column).map(WatermarkValue.RowVersion::new);
      case DATE, LOCAL_TIME, INSTANT -> Optional.empty();
    };
  }

  private NewJob incremental(
      PlannedUnit unit,
      Tracking tracking,
      Map<TableId, WatermarkValue> largest,
      LateCommitGuard.Bound bound) {
    Lower lower = new Lower(null, JobMode.INCREMENTAL);
    try {
      lower = lower(unit, tracking);
      if (tracking == null) {
        return new NewJob(unit, lower.mode(), lower.text(), null);
      }
      if (!bound.covers(tracking.column().kind())) {
        // Nothing is known to be safe: the window is empty, or there is none yet.
        return new NewJob(unit, lower.mode(), lower.text(), lower.text());
      }
      WatermarkValue upper =
          switch (tracking.column().kind()) {
            case INTEGER, ROWVERSION -> largest.get(unit.table());
            case DATE, LOCAL_TIME, INSTANT ->
                UpperBound.of(
                    bound.until(), tracking.column(), tracking.spec().direction(), tracking.zone());
          };
      if (upper == null) {
        return new NewJob(unit, lower.mode(), lower.text(), null);
      }
      WatermarkValue from = lower.text() == null ? null : tracking.value(lower.text());
      Window window = new Window(from, upper, tracking.spec().direction());
      return new NewJob(unit, lower.mode(), lower.text(), window.upper().text());
    } catch (TableFailure e) {
      LOG.debug("Table {} gets no bound: {}", unit.table(), e.getMessage());
      return new NewJob(unit, lower.mode(), lower.text(), null);
    }
  }

  /** Where a window begins: canonical text, or null for an open one. */
  private record Lower(String text, JobMode mode) {}

  private Lower lower(PlannedUnit unit, Tracking tracking) {
    Optional<TableOffset> offset = offsets.of(unit.table()).present();
    if (offset.isPresent() && offset.get().isWindowOpen()) {
      return new Lower(offset.get().windowUpper(), JobMode.INCREMENTAL);
    }
    Optional<String> watermark = offset.flatMap(TableOffset::watermark);
    if (watermark.isPresent()) {
      return new Lower(watermark.get(), JobMode.INCREMENTAL);
    }
    if (offset.isEmpty()) {
      Optional<String> adopted = db.watermarks().adopt(settings.identity().syncId(), unit.table());
      if (adopted.isPresent()) {
        return new Lower(adopted.get(), JobMode.INCREMENTAL);
      }
    }
    if (tracking == null || tracking.spec().startValue().isEmpty()) {
      return new Lower(null, JobMode.FIRST_SYNC);
    }
    return new Lower(start(tracking), JobMode.FIRST_SYNC);
  }

  /**
   * Where the first window of a table with a start value begins.
   *
   * @throws TableFailure if the column cannot hold it
   */
  static String start(Tracking tracking) {
    try {
      return WatermarkValue.parseStart(
              tracking.column().kind(), tracking.spec().start(), tracking.zone())
          .text();
    } catch (IllegalArgumentException e) {
      throw new TableFailure(
          "Cannot begin with table " + tracking.table().id() + ": " + e.getMessage(), e);
    }
  }
}
