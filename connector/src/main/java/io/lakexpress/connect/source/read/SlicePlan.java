package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.SliceDegree;
import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.SliceSpec;
import io.lakexpress.watermark.TableId;
import java.util.List;
import java.util.Optional;

/**
 * How one table is to be sliced, by the settings and by what the table is.
 *
 * @param key columns to slice by; empty without a choice
 * @param count of slices; 1 if it is not sliced
 * @param note what to tell about it, or null
 */
public record SlicePlan(SliceMethod method, List<String> key, int count, String note) {
  public SlicePlan {
    key = List.copyOf(key);
  }

  Optional<String> remark() {
    return Optional.ofNullable(note);
  }

  /** The decision; what contradicts the table makes it whole, and says why. */
  static SlicePlan of(SourceTable table, ReaderSettings.Slicing settings, boolean isIncremental) {
    Optional<SliceSpec> spec = spec(table.id(), settings);
    SliceMethod method = spec.map(SliceSpec::method).orElse(SliceMethod.RANDOM);
    int count =
        spec.filter(written -> written.degree().isPresent())
            .map(written -> SliceDegree.resolve(written.writtenDegree(), settings.processors()))
            .orElse(settings.degree());
    if (method == SliceMethod.NONE || count == 1 || table.estimatedRows() < settings.threshold()) {
      return new SlicePlan(method, List.of(), 1, null);
    }
    Optional<String> refusal = refusal(table, spec, method, isIncremental);
    if (refusal.isPresent()) {
      return new SlicePlan(method, List.of(), 1, "read in one piece: " + refusal.get());
    }
    return new SlicePlan(
        method,
        key(table, spec, method),
        count,
        "read in " + count + " slices, method " + method.text());
  }

  /** The spec for a table: one that names its schema before one that does not. */
  private static Optional<SliceSpec> spec(TableId table, ReaderSettings.Slicing settings) {
    List<SliceSpec> fitting =
        settings.overrides().stream().filter(spec -> spec.means(table)).toList();
    return fitting.stream()
        .filter(spec -> spec.schema().isPresent())
        .findFirst()
        .or(() -> fitting.stream().findFirst());
  }

  /** Why a table cannot be sliced as a spec says; empty if it can. */
  public static Optional<String> refusal(SourceTable table, SliceSpec spec, boolean isIncremental) {
    return refusal(table, Optional.of(spec), spec.method(), isIncremental);
  }

  private static Optional<String> refusal(
      SourceTable table, Optional<SliceSpec> spec, SliceMethod method, boolean isIncremental) {
    if (method == SliceMethod.NONE) {
      return Optional.empty();
    }
    if (method == SliceMethod.CTID) {
      if (isIncremental) {
        return Optional.of(
            "Ctid slices full exports only, as rows move between blocks while windows are read;"
                + " expected Random, RangeId or Ntile");
      }
      return switch (table.kind()) {
        case TABLE, PARTITIONED_TABLE -> Optional.empty();
        case VIEW, FOREIGN_TABLE -> Optional.of("it is no table with blocks of its own");
      };
    }
    if (table.uniqueKey().isEmpty()) {
      return Optional.of(
          "it has no primary key or unique key without NULLs to slice by"
              + (isIncremental ? "" : "; a full export can be sliced by Ctid"));
    }
    return spec.flatMap(SliceSpec::key)
        .filter(name -> name.resolve(table.uniqueKey()).isEmpty())
        .map(
            name ->
                "column "
                    + name
                    + " is no part of its key "
                    + table.uniqueKey()
                    + ": a row whose value changes while slices are read would be missed or come"
                    + " twice");
  }

  private static List<String> key(SourceTable table, Optional<SliceSpec> spec, SliceMethod method) {
    if (method == SliceMethod.CTID) {
      return List.of();
    }
    Optional<String> column =
        spec.flatMap(SliceSpec::key).flatMap(name -> name.resolve(table.uniqueKey()));
    if (column.isPresent()) {
      return List.of(column.get());
    }
    return method == SliceMethod.RANDOM ? table.uniqueKey() : List.of(table.uniqueKey().get(0));
  }
}
