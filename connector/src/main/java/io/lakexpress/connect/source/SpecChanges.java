package io.lakexpress.connect.source;

import io.lakexpress.connect.KeyProblems;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.WatermarkBook.Advance;
import io.lakexpress.lxdb.WatermarkBook.Watermark;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the incremental tables of a configuration with what the LakeXpress DB knows of them. A
 * watermark that was set by hand after the last run is taken as it is: whoever set it had the new
 * spec in mind.
 */
final class SpecChanges {
  private final String syncId;
  private final LakexpressDb lakexpressDb;
  private final Map<String, Optional<Run>> runs = new HashMap<>();
  private final Map<String, List<Job>> jobs = new HashMap<>();

  SpecChanges(String syncId, LakexpressDb lakexpressDb) {
    this.syncId = syncId;
    this.lakexpressDb = lakexpressDb;
  }

  /** Notes every table that cannot go on from its watermark. */
  void check(KeyProblems problems, List<TrackedTable> tracked, TableZones zones) {
    Map<TableId, TableSpec> planned = planned();
    Map<TableId, Watermark> watermarks = new HashMap<>();
    lakexpressDb.watermarks().watermarks(syncId).stream()
        .filter(watermark -> watermark.exported().isPresent())
        .forEach(watermark -> watermarks.put(watermark.table(), watermark));
    for (TrackedTable table : tracked) {
      Watermark known = watermarks.get(table.id());
      if (known == null) {
        continue;
      }
      Optional<String> reason = SpecChange.ofColumn(table, known);
      if (reason.isEmpty() && planned.containsKey(table.id())) {
        reason =
            SpecChange.ofDirection(table, known, planned.get(table.id()))
                .filter(said -> !isByHand(table.id()));
      }
      reason.ifPresent(said -> problems.refuse(SourceKeys.INCREMENTAL_TABLES, said));
      if (reason.isEmpty()) {
        ofZone(table, known)
            .filter(said -> !isByHand(table.id()))
            .ifPresent(said -> problems.refuse(zoneKey(zones, table.id()), said));
      }
    }
  }

  private Map<TableId, TableSpec> planned() {
    Map<TableId, TableSpec> planned = new HashMap<>();
    for (PlannedUnit unit : lakexpressDb.syncs().plan(syncId).units()) {
      if (unit.isIncremental()) {
        planned.putIfAbsent(unit.table(), TableSpec.parse(unit.incremental()));
      }
    }
    return planned;
  }

  private boolean isByHand(TableId table) {
    List<Advance> history = lakexpressDb.watermarks().history(syncId, table);
    return !history.isEmpty()
        && history.get(history.size() - 1).cause() == WatermarkCause.OFFSETS_API;
  }

  private Optional<String> ofZone(TrackedTable table, Watermark known) {
    String id = known.lastRunId();
    if (id == null) {
      return Optional.empty();
    }
    Optional<Run> run = runs.computeIfAbsent(id, one -> lakexpressDb.runs().run(one));
    Optional<Job> job =
        jobs.computeIfAbsent(id, one -> lakexpressDb.runs().jobs(one)).stream()
            .filter(one -> one.table().equals(table.id()) && !one.incremental().isEmpty())
            .findFirst();
    return run.isPresent() && job.isPresent()
        ? SpecChange.ofZone(table, known, run.get(), job.get())
        : Optional.empty();
  }

  private static String zoneKey(TableZones zones, TableId table) {
    return zones.overrides().containsKey(table)
        ? SourceKeys.TIME_ZONE_OVERRIDES
        : SourceKeys.TIME_ZONE;
  }
}
