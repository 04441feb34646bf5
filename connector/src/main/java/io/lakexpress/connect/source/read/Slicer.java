package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.NewJob;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.SliceRule;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cuts the jobs of large tables into slices when a run opens. */
final class Slicer {
  private static final Logger LOG = LoggerFactory.getLogger(Slicer.class);

  private final ReaderSettings.Slicing settings;
  private final LakexpressDb db;
  private final SourceDatabase source;
  private final TableOffsets offsets;
  private final Map<TableId, String> told = new HashMap<>();

  Slicer(
      ReaderSettings.Slicing settings,
      LakexpressDb db,
      SourceDatabase source,
      TableOffsets offsets) {
    this.settings = settings;
    this.db = db;
    this.source = source;
    this.offsets = offsets;
  }

  /**
   * The jobs to be read in place of a job for the whole table; that one alone if it is not sliced.
   *
   * @param tracking null for a full export, or if the table cannot be tracked
   */
  List<NewJob> slices(NewJob whole, Optional<SourceTable> table, Tracking tracking) {
    if (table.isEmpty()) {
      return List.of(whole);
    }
    SlicePlan plan = SlicePlan.of(table.get(), settings, whole.unit().isIncremental());
    plan.remark().ifPresent(remark -> tell(table.get().id(), remark));
    Optional<Slice> kept = openSlice(whole.unit());
    int count = kept.map(Slice::count).orElse(plan.count());
    Optional<ReadRequest> rows = rows(whole, table.get(), tracking);
    if (count == 1 || (kept.isEmpty() && rows.isEmpty())) {
      return List.of(whole);
    }
    List<SliceRule> rules = rules(plan, table.get(), rows, count);
    if (rules.isEmpty()) {
      // Its key is gone while a window is open: whoever takes the jobs says so and fails them.
      rules = openRules(whole.unit(), count);
    }
    return rules.isEmpty() ? List.of(whole) : cut(whole, rules);
  }

  private void tell(TableId table, String remark) {
    if (!remark.equals(told.put(table, remark))) {
      LOG.info("Table {} is {}", table, remark);
    }
  }

  /**
   * The first slice of the window that is open already, which has to be closed in the slices it was
   * opened with.
   */
  private Optional<Slice> openSlice(PlannedUnit unit) {
    return openJob(unit).map(Job::slice);
  }

  private Optional<Job> openJob(PlannedUnit unit) {
    if (!unit.isIncremental()) {
      return Optional.empty();
    }
    try {
      return offsets
          .of(unit.table())
          .present()
          .filter(TableOffset::isWindowOpen)
          .flatMap(TableOffset::job)
          .flatMap(id -> db.runs().job(id));
    } catch (TableFailure e) {
      LOG.debug("Table {} is not sliced: {}", unit.table(), e.getMessage());
      return Optional.empty();
    }
  }

  private List<SliceRule> openRules(PlannedUnit unit, int count) {
    List<SliceRule> rules =
        openJob(unit).map(first -> db.runs().jobs(first.runId())).orElse(List.of()).stream()
            .filter(job -> job.table().equals(unit.table()))
            .sorted(Comparator.comparing(Job::slice))
            .flatMap(job -> job.rule().stream())
            .toList();
    return rules.size() == count ? rules : List.of();
  }

  /** What the slices share; empty if there is nothing to read. */
  private static Optional<ReadRequest> rows(NewJob job, SourceTable table, Tracking tracking) {
    if (!job.unit().isIncremental()) {
      return Optional.of(ReadRequest.full(table));
    }
    if (tracking == null || job.upperBound() == null) {
      return Optional.empty();
    }
    Window window =
        new Window(
            job.lower().map(tracking::value).orElse(null),
            tracking.value(job.upperBound()),
            tracking.spec().direction());
    WatermarkColumn column = tracking.column();
    return window.isEmpty()
        ? Optional.empty()
        : Optional.of(new ReadRequest(table, column, window, null));
  }

  private List<SliceRule> rules(
      SlicePlan plan, SourceTable table, Optional<ReadRequest> rows, int count) {
    switch (plan.method()) {
      case RANGE_ID, NTILE -> {
        List<SliceRule> ranges =
            rows.isEmpty() ? List.of() : ranges(plan, table, rows.get(), count);
        if (!ranges.isEmpty()) {
          return ranges;
        }
      }
      case CTID -> {
        try {
          return blocks(source.blocks(table.id()), count);
        } catch (SourceException e) {
          if (e.kind() != SourceException.Kind.LASTING) {
            throw e;
          }
          LOG.warn("Table {} is not sliced by Ctid: {}", table.id(), e.getMessage());
        }
      }
      case NONE, RANDOM -> {}
    }
    List<String> key = plan.key().isEmpty() ? table.uniqueKey() : plan.key();
    List<SliceRule> rules = new ArrayList<>();
    for (int i = 0; i < count && !key.isEmpty(); i++) {
      rules.add(new SliceRule.Hash(key));
    }
    return rules;
  }

  private List<SliceRule> ranges(SlicePlan plan, SourceTable table, ReadRequest rows, int count) {
    String column = plan.key().get(0);
    List<String> bounds;
    try {
      bounds = source.sliceBounds(rows, column, plan.method(), count);
    } catch (SourceException e) {
      if (e.kind() != SourceException.Kind.LASTING) {
        throw e;
      }
      LOG.warn(
          "Table {} is sliced by hash instead of {} by {}: {}",
          table.id(),
          plan.method().text(),
          column,
          e.getMessage());
      return List.of();
    }
    if (bounds.size() != count - 1) {
      return List.of();
    }
    List<SliceRule> ranges = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String from = i == 0 ? null : bounds.get(i - 1);
      ranges.add(new SliceRule.Range(column, from, i == count - 1 ? null : bounds.get(i)));
    }
    return ranges;
  }

  private static List<SliceRule> blocks(long blocks, int count) {
    List<SliceRule> rules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long to = i == count - 1 ? -1 : blocks * (i + 1) / count;
      rules.add(new SliceRule.Blocks(blocks * i / count, to));
    }
    return rules;
  }

  private static List<NewJob> cut(NewJob whole, List<SliceRule> rules) {
    PlannedUnit unit = whole.unit();
    int count = rules.size();
    long share = unit.estimatedRows() / count;
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // The first is the largest, so that it is taken up first: the others wait for it to begin.
      long rows = i == 0 ? unit.estimatedRows() - share * (count - 1) : share;
      jobs.add(
          new NewJob(
              new PlannedUnit(unit.table(), new Slice(i + 1, count), unit.incremental(), rows),
              whole.mode(),
              whole.lowerBound(),
              whole.upperBound(),
              Objects.requireNonNull(rules.get(i))));
    }
    return jobs;
  }
}
