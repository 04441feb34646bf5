package io.lakexpress.connect.source;

import io.lakexpress.connect.KeyProblems;
import io.lakexpress.connect.source.read.LikePattern;
import io.lakexpress.connect.source.read.NearestNames;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.TopicNames;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Compares a configuration with what the source database has, and notes every problem on its own
 * key. Stops between two tables once the time is up, saying what was left.
 */
final class SourceValidation {
  private final KeyProblems problems;
  private final SourceConfig values;
  private final SourceDatabase database;
  private final Unchecked unchecked;
  private final Consumer<String> warnings;

  /**
   * @param warnings takes what is worth a look and no reason to refuse
   */
  SourceValidation(
      KeyProblems problems,
      SourceConfig values,
      SourceDatabase database,
      BooleanSupplier timeIsUp,
      Consumer<String> warnings) {
    this.problems = problems;
    this.values = values;
    this.database = database;
    this.unchecked = new Unchecked(database, timeIsUp, warnings);
    this.warnings = warnings;
  }

  /** The incremental tables that can be tracked as the configuration says. */
  List<TrackedTable> run() {
    SpecTables visible = new SpecTables(database.tableNames());
    checkPatterns(visible);
    SpecValidation specs = new SpecValidation(problems, values, database, visible, warnings);
    Map<TableId, TableSpec> incremental = specs.resolve();
    incremental.forEach((id, spec) -> unchecked.look(id, () -> specs.check(id, spec)));
    checkSelection(incremental);
    new SliceValidation(problems, values.slices(), database, unchecked, warnings)
        .run(visible.visible(), incremental.keySet());
    unchecked.tell();
    return specs.tracked();
  }

  private void checkPatterns(SpecTables visible) {
    TableRules rules = values.tables();
    for (LikePattern schema : rules.schemas()) {
      if (fitsNone(schema, visible.schemas())) {
        problems.refuse(
            SourceKeys.SCHEMA_NAME,
            "Cannot find schema "
                + schema
                + " or a table in it: "
                + NearestNames.hint(schema.text(), visible.schemas()));
      }
    }
    List<String> names = rules.tableNames(visible);
    for (LikePattern table : rules.include()) {
      if (fitsNone(table, names)) {
        problems.refuse(
            SourceKeys.INCLUDE,
            "Cannot find table " + table + ": " + NearestNames.hint(table.text(), names));
      }
    }
    for (LikePattern table : rules.exclude()) {
      if (fitsNone(table, names)) {
        warnings.accept(
            SourceKeys.EXCLUDE + " " + table + " leaves out no table: none has such a name");
      }
    }
  }

  private static boolean fitsNone(LikePattern pattern, Collection<String> names) {
    return names.stream().noneMatch(pattern::matches);
  }

  private void checkSelection(Map<TableId, TableSpec> incremental) {
    List<SourceTable> selected = database.tables(values.tables().selection(incremental.keySet()));
    if (selected.isEmpty() && values.specs().isEmpty()) {
      problems.refuse(
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
      String key = incremental.containsKey(id) ? SourceKeys.INCREMENTAL_TABLES : SourceKeys.INCLUDE;
      unchecked.look(id, () -> checkRight(id, key));
    }
  }

  private void checkRight(TableId id, String key) {
    database
        .refusedRead(id)
        .ifPresent(reason -> problems.refuse(key, "Cannot read table " + id + ": " + reason));
  }

  private void checkTopics(List<TableId> tables) {
    new TopicNames(values.records().topicPrefix(), values.sync().id())
        .refusals(tables)
        .forEach(reason -> problems.refuse(SourceKeys.TOPIC_PREFIX, reason));
  }
}
