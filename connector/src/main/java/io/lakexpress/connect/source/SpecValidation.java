package io.lakexpress.connect.source;

import io.lakexpress.connect.KeyProblems;
import io.lakexpress.connect.source.read.NearestNames;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceColumn.Nullability;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkType;
import io.lakexpress.watermark.WatermarkValue;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Compares the specs of incremental tables with what the source database has. */
final class SpecValidation {
  private final KeyProblems problems;
  private final SourceConfig values;
  private final SourceDatabase database;
  private final SpecTables visible;
  private final Consumer<String> warnings;
  private final List<TrackedTable> tracked = new ArrayList<>();
  private String databaseZone;

  SpecValidation(
      KeyProblems problems,
      SourceConfig values,
      SourceDatabase database,
      SpecTables visible,
      Consumer<String> warnings) {
    this.problems = problems;
    this.values = values;
    this.database = database;
    this.visible = visible;
    this.warnings = warnings;
  }

  /** The tables that specs mean; notes specs that mean none, or one that has another spec. */
  Map<TableId, TableSpec> resolve() {
    Map<TableId, TableSpec> resolved = new LinkedHashMap<>();
    for (TableSpec spec : values.specs()) {
      Optional<TableId> table = visible.table(spec);
      if (table.isEmpty()) {
        refuse(visible.unknown(spec));
      } else if (resolved.putIfAbsent(table.get(), spec) != null) {
        refuse(
            "Invalid table spec '"
                + spec
                + "': table "
                + table.get()
                + " has a spec already, expected one");
      }
    }
    checkOverrides(resolved);
    return resolved;
  }

  /** A zone under a name that means no table would be forgotten in silence. */
  private void checkOverrides(Map<TableId, TableSpec> resolved) {
    List<String> names = resolved.keySet().stream().map(TableId::toString).toList();
    for (TableId table : new TreeSet<>(values.reading().zones().overrides().keySet())) {
      if (!resolved.containsKey(table)) {
        problems.refuse(
            SourceKeys.TIME_ZONE_OVERRIDES,
            "Cannot find table "
                + table
                + " among the incremental tables, spelled as in the database: "
                + NearestNames.hint(table.toString(), names));
      }
    }
  }

  /** What was found to be trackable so far. */
  List<TrackedTable> tracked() {
    return List.copyOf(tracked);
  }

  /** Checks one table. */
  void check(TableId id, TableSpec spec) {
    Optional<SourceTable> table = database.table(id);
    if (table.isEmpty()) {
      refuse("Cannot read table " + id + ": the database does not show it");
      return;
    }
    values
        .tables()
        .refusal(table.get(), visible)
        .ifPresent(reason -> refuse("Cannot track table " + id + ": " + reason));
    Optional<SourceColumn> found = column(table.get(), spec);
    Optional<WatermarkColumn> column = found.flatMap(one -> watermark(id, spec, one));
    if (column.isPresent()) {
      ZoneId zone = values.reading().zones().rule().of(id);
      tracked.add(new TrackedTable(id, spec, column.get(), zone));
      checkStart(id, spec, column.get(), zone);
      checkZone(id, column.get());
      warnAbout(id, spec, column.get());
      warnAboutNulls(id, found.get());
    }
  }

  private Optional<SourceColumn> column(SourceTable table, TableSpec spec) {
    List<String> names = table.columns().stream().map(SourceColumn::name).toList();
    Optional<SourceColumn> found = spec.column().resolve(names).flatMap(table::column);
    if (found.isEmpty()) {
      refuse(
          "Cannot find column "
              + spec.column()
              + " of table "
              + table.id()
              + ": "
              + NearestNames.hint(spec.column().text(), names));
    }
    return found;
  }

  private Optional<WatermarkColumn> watermark(TableId id, TableSpec spec, SourceColumn found) {
    String subject =
        "Cannot track table " + id + " by column " + found.name() + " of type " + found.type();
    Optional<WatermarkColumn> column = database.watermarkColumn(found);
    if (column.isEmpty()) {
      refuse(subject + ": expected a date, a timestamp or a whole number");
      return Optional.empty();
    }
    if (!spec.type().accepts(column.get().kind())) {
      refuse(
          subject
              + " as "
              + spec.type().text()
              + ": expected the word "
              + fittingWord(column.get().kind()));
      return Optional.empty();
    }
    return column;
  }

  private static String fittingWord(ColumnKind kind) {
    for (WatermarkType type : WatermarkType.values()) {
      if (type.accepts(kind)) {
        return type.text();
      }
    }
    throw new IllegalStateException("No word accepts " + kind);
  }

  private void checkStart(TableId id, TableSpec spec, WatermarkColumn column, ZoneId zone) {
    try {
      spec.startValue().ifPresent(start -> WatermarkValue.parseStart(column.kind(), start, zone));
    } catch (IllegalArgumentException e) {
      refuse("Cannot track table " + id + ": " + e.getMessage());
    }
  }

  /** Days are without a zone, too: which day it is depends on it. */
  private void checkZone(TableId id, WatermarkColumn column) {
    boolean isZoneless = column.kind() == ColumnKind.LOCAL_TIME || column.kind() == ColumnKind.DATE;
    if (!isZoneless || values.reading().zones().isSet(id)) {
      return;
    }
    databaseZone = databaseZone == null ? database.timeZone() : databaseZone;
    if (!isUtc(databaseZone)) {
      problems.refuse(
          SourceKeys.TIME_ZONE,
          "Missing: column "
              + column.name()
              + " of table "
              + id
              + " holds no zone and the database's own zone is "
              + databaseZone
              + ", expected the zone its values are in, be it "
              + databaseZone
              + " or UTC");
    }
  }

  private static boolean isUtc(String zone) {
    try {
      return ZoneId.of(zone).normalized().equals(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return false;
    }
  }

  private void warnAbout(TableId id, TableSpec spec, WatermarkColumn column) {
    if (!database.hasIndexLeadingWith(id, column.name())) {
      warnings.accept(
          "Table "
              + id
              + " has no index that begins with its watermark column "
              + column.name()
              + ": every window reads the whole table");
    }
    if (column.kind() == ColumnKind.DATE
        && spec.direction() == Direction.INCLUSIVE
        && values.reading().safetyLag().compareTo(Duration.ofDays(1)) < 0) {
      warnings.accept(
          "Table "
              + id
              + " is tracked by date with direction i and a safety lag under one day: rows dated"
              + " today that come after the run are not read; use direction e or a lag of 86400");
    }
  }

  private void warnAboutNulls(TableId id, SourceColumn column) {
    if (column.nullability() == Nullability.NULLABLE) {
      warnings.accept(
          "Watermark column "
              + column.name()
              + " of table "
              + id
              + " may be NULL: "
              + SourceKeys.NULL_POLICY
              + " is "
              + values.reading().nullPolicy());
    }
  }

  private void refuse(String message) {
    problems.refuse(SourceKeys.INCREMENTAL_TABLES, message);
  }
}
