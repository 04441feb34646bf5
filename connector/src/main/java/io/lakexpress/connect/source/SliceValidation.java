package io.lakexpress.connect.source;

import io.lakexpress.connect.KeyProblems;
import io.lakexpress.connect.source.read.NearestNames;
import io.lakexpress.connect.source.read.SlicePlan;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.watermark.SliceSpec;
import io.lakexpress.watermark.TableId;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Compares what is said about slices with the tables there are, and notes every problem. */
final class SliceValidation {
  private final KeyProblems problems;
  private final SourceConfig.Slices slices;
  private final SourceDatabase database;
  private final Unchecked unchecked;
  private final Consumer<String> warnings;

  SliceValidation(
      KeyProblems problems,
      SourceConfig.Slices slices,
      SourceDatabase database,
      Unchecked unchecked,
      Consumer<String> warnings) {
    this.problems = problems;
    this.slices = slices;
    this.database = database;
    this.unchecked = unchecked;
    this.warnings = warnings;
  }

  void run(List<TableId> visible, Set<TableId> incremental) {
    for (SliceSpec spec : slices.overrides()) {
      List<TableId> meant = visible.stream().filter(spec::means).toList();
      if (meant.isEmpty()) {
        refuse(spec, "there is no such table; " + nearest(spec, visible));
      }
      if (spec.schema().isEmpty() && meant.size() > 1) {
        warnings.accept("The slice spec " + spec + " without a schema holds for " + meant);
      }
      for (TableId id : meant) {
        boolean isIncremental = incremental.contains(id);
        unchecked.look(
            id, () -> database.table(id).ifPresent(table -> check(spec, table, isIncremental)));
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
    problems.refuse(
        SourceKeys.PARALLELISM_OVERRIDES, "Invalid slice spec '" + spec + "': " + reason);
  }
}
