package io.lakexpress.connect.source;

import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.source.read.LikePattern;
import io.lakexpress.connect.source.read.NearestNames;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.TopicNames;
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
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a configuration with what the source database has, and notes every problem on its own
 * key. Stops between two tables once the time is up, saying what was left.
 */
final class SourceValidation {
  private static final Logger LOG = LoggerFactory.getLogger(SourceValidation.class);

  private final ConfigReader config;
  private final SourceConfig values;
  private final SourceDatabase database;
  private final BooleanSupplier timeIsUp;

  SourceValidation(
      ConfigReader config, SourceConfig values, SourceDatabase database, BooleanSupplier timeIsUp) {
    this.config = config;
    this.values = values;
    this.database = database;
    this.timeIsUp = timeIsUp;
  }

  void run() {
    SpecTables visible = new SpecTables(database.tableNames());
    checkSchemaNames(visible);
    Map<TableId, TableSpec> incremental = resolve(visible);
    checkIncremental(visible, incremental);
    checkSelection(incremental);
  }

  private void checkSchemaNames(SpecTables visible) {
    for (LikePattern schema : values.tables().schemas()) {
      if (schema.isPlainName() && visible.schemas().stream().noneMatch(schema::matches)) {
        config.refuse(
            SourceKeys.SCHEMA_NAME,
            "Cannot find schema "
                + schema
                + " or a table in it: "
                + NearestNames.hint(schema.text(), visible.schemas()));
      }
    }
    List<String> names = visible.tables();
    for (LikePattern table : values.tables().include()) {
      if (table.isPlainName() && names.stream().noneMatch(table::matches)) {
        config.refuse(
            SourceKeys.INCLUDE,
            "Cannot find table " + table + ": " + NearestNames.hint(table.text(), names));
      }
    }
  }

  private Map<TableId, TableSpec> resolve(SpecTables visible) {
    Map<TableId, TableSpec> resolved = new LinkedHashMap<>();
    for (TableSpec spec : values.specs()) {
      Optional<TableId> table = visible.table(spec);
      if (table.isEmpty()) {
        refuseSpec(visible.unknown(spec));
      } else if (resolved.putIfAbsent(table.get(), spec) != null) {
        refuseSpec(
            "Invalid table spec '"
                + spec
                + "': table "
                + table.get()
                + " has a spec already, expected one");
      }
    }
    return resolved;
  }

  private void checkIncremental(SpecTables visible, Map<TableId, TableSpec> incremental) {
    String databaseZone = null;
    for (Map.Entry<TableId, TableSpec> entry : incremental.entrySet()) {
      TableId id = entry.getKey();
      if (timeIsUp.getAsBoolean()) {
        LOG.warn("Could not check table {} and those after it in time", id);
        return;
      }
      Optional<SourceTable> table = database.table(id);
      if (table.isEmpty()) {
        refuseSpec("Cannot read table " + id + ": the database does not show it");
        continue;
      }
      values
          .tables()
          .refusal(table.get(), visible)
          .ifPresent(reason -> refuseSpec("Cannot track table " + id + ": " + reason));
      Optional<WatermarkColumn> column = column(table.get(), entry.getValue());
      if (column.isPresent()) {
        checkStart(id, entry.getValue(), column.get());
        warnAbout(id, entry.getValue(), column.get());
        if (column.get().kind() == ColumnKind.LOCAL_TIME && !values.reading().zones().isSet(id)) {
          databaseZone = databaseZone == null ? database.timeZone() : databaseZone;
          checkZone(id, column.get(), databaseZone);
        }
      }
    }
  }

  private Optional<WatermarkColumn> column(SourceTable table, TableSpec spec) {
    List<String> names = table.columns().stream().map(SourceColumn::name).toList();
    Optional<SourceColumn> found = spec.column().resolve(names).flatMap(table::column);
    if (found.isEmpty()) {
      refuseSpec(
          "Cannot find column "
              + spec.column()
              + " of table "
              + table.id()
              + ": "
              + NearestNames.hint(spec.column().text(), names));
      return Optional.empty();
    }
    String subject =
        "Cannot track table "
            + table.id()
            + " by column "
            + found.get().name()
            + " of type "
            + found.get().type();
    Optional<WatermarkColumn> column = database.watermarkColumn(found.get());
    if (column.isEmpty()) {
      refuseSpec(subject + ": expected a date, a timestamp or a whole number");
      return Optional.empty();
    }
    if (!spec.type().accepts(column.get().kind())) {
      refuseSpec(
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

  private void checkStart(TableId id, TableSpec spec, WatermarkColumn column) {
    spec.startValue()
        .ifPresent(
            start -> {
              try {
                WatermarkValue.parseStart(
                    column.kind(), start, values.reading().zones().rule().of(id));
              } catch (IllegalArgumentException e) {
                refuseSpec("Cannot track table " + id + ": " + e.getMessage());
              }
            });
  }

  private void checkZone(TableId id, WatermarkColumn column, String databaseZone) {
    if (!isUtc(databaseZone)) {
      config.refuse(
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
      LOG.warn(
          "Table {} has no index that begins with its watermark column {}: every window reads the"
              + " whole table",
          id,
          column.name());
    }
    if (column.kind() == ColumnKind.DATE
        && spec.direction() == Direction.INCLUSIVE
        && values.reading().safetyLag().compareTo(Duration.ofDays(1)) < 0) {
      LOG.warn(
          "Table {} is tracked by date with direction i and a safety lag under one day: rows dated"
              + " today that come after the run are not read; use direction e or a lag of 86400",
          id);
    }
  }

  private void checkSelection(Map<TableId, TableSpec> incremental) {
    List<SourceTable> selected = database.tables(values.tables().selection(incremental.keySet()));
    if (selected.isEmpty() && values.specs().isEmpty()) {
      config.refuse(
          SourceKeys.SCHEMA_NAME,
          "Cannot find a table to copy: no visible table fits "
              + SourceKeys.SCHEMA_NAME
              + ", "
              + SourceKeys.INCLUDE
              + " and "
              + SourceKeys.EXCLUDE);
    }
    List<TableId> all = new ArrayList<>(incremental.keySet());
    selected.stream().map(SourceTable::id).filter(id -> !all.contains(id)).forEach(all::add);
    checkTopics(all);
    for (TableId id : all) {
      if (timeIsUp.getAsBoolean()) {
        LOG.warn("Could not check the right to read table {} and those after it in time", id);
        return;
      }
      database
          .refusedRead(id)
          .ifPresent(
              reason ->
                  config.refuse(
                      incremental.containsKey(id)
                          ? SourceKeys.INCREMENTAL_TABLES
                          : SourceKeys.INCLUDE,
                      "Cannot read table " + id + ": " + reason));
    }
  }

  private void checkTopics(List<TableId> tables) {
    new TopicNames(values.records().topicPrefix(), values.sync().id())
        .refusals(tables)
        .forEach(reason -> config.refuse(SourceKeys.TOPIC_PREFIX, reason));
  }

  private void refuseSpec(String message) {
    config.refuse(SourceKeys.INCREMENTAL_TABLES, message);
  }
}
