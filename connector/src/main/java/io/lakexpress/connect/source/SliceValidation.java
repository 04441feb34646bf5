package io.lakexpress.connect.source;

import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.source.read.NearestNames;
import io.lakexpress.connect.source.read.SlicePlan;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.watermark.SliceSpec;
import io.lakexpress.watermark.TableId;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares what is said about slices with the tables there are, and notes every problem. */
final class SliceValidation {
  private static final Logger LOG = LoggerFactory.getLogger(SliceValidation.class);

  private final ConfigReader config;
  private final SourceConfig.Slices slices;
  private final SourceDatabase database;
  private final BooleanSupplier timeIsUp;

  SliceValidation(
      ConfigReader config,
      SourceConfig.Slices slices,
      SourceDatabase database,
      BooleanSupplier timeIsUp) {
    this.config = config;
    this.slices = slices;
    this.database = database;
    this.timeIsUp = timeIsUp;
  }

  void run(List<TableId> visible, Set<TableId> incremental) {
    for (SliceSpec spec : slices.overrides()) {
      List<TableId> meant = visible.stream().filter(spec::means).toList();
      if (meant.isEmpty()) {
        refuse(spec, "there is no such table; " + nearest(spec, visible));
      }
      if (spec.schema().isEmpty() && meant.size() > 1) {
        LOG.warn("The slice spec {} without a schema holds for {}", spec, meant);
      }
      for (TableId id : meant) {
        if (timeIsUp.getAsBoolean()) {
          LOG.warn("Could not check the slice spec {} and those after it in time", spec);
          return;
        }
        database.table(id).ifPresent(table -> check(spec, table, incremental.contains(id)));
      }
    }
  }

  private void check(SliceSpec spec, SourceTable table, boolean isIncremental) {
    List<String> names = table.columns().stream().map(SourceColumn::name).toList();
    if (spec.key().isPresent() && spec.key().get().resolve(names).isEmpty()) {
      refuse(
          spec,
          "table "
              + table.id()
              + " has no column "
              + spec.key().get()
              + "; "
              + NearestNames.hint(spec.key().get().text(), names));
      return;
    }
    SlicePlan.refusal(table, spec, isIncremental)
        .ifPresent(reason -> refuse(spec, "table " + table.id() + ": " + reason));
  }

  private static String nearest(SliceSpec spec, List<TableId> visible) {
    return NearestNames.hint(
        spec.table().text(), visible.stream().map(TableId::table).distinct().toList());
  }

  private void refuse(SliceSpec spec, String reason) {
    config.refuse(SourceKeys.PARALLELISM_OVERRIDES, "Invalid slice spec '" + spec + "': " + reason);
  }
}
