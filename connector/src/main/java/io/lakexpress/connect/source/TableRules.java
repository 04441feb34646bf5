package io.lakexpress.connect.source;

import io.lakexpress.connect.source.read.LikePattern;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.TableSelection;
import io.lakexpress.watermark.TableId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Which tables a sync takes, as the user wrote it.
 *
 * @param schemas empty for the schemas of the incremental tables, or all
 * @param include empty for all
 */
record TableRules(
    List<LikePattern> schemas,
    List<LikePattern> include,
    List<LikePattern> exclude,
    OptionalLong minRows,
    OptionalLong maxRows) {

  TableRules {
    schemas = List.copyOf(schemas);
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }

  /**
   * The selection to ask the database for.
   *
   * @param incremental the tables that specs name
   */
  TableSelection selection(Collection<TableId> incremental) {
    return new TableSelection(
        texts(schemas.isEmpty() ? schemasOf(incremental) : schemas),
        texts(include),
        texts(exclude),
        Set.copyOf(incremental),
        minRows.orElse(-1),
        maxRows.orElse(-1));
  }

  /** Why an incremental table is not taken among all visible, naming the key; empty if it is. */
  Optional<String> refusal(SourceTable table, SpecTables visible) {
    TableId id = table.id();
    if (!schemas.isEmpty() && !takes(schemas, id.schema(), visible.schemas())) {
      return Optional.of(SourceKeys.SCHEMA_NAME + " " + schemas + " does not name its schema");
    }
    if (!include.isEmpty() && !takes(include, id.table(), visible.tables())) {
      return Optional.of(SourceKeys.INCLUDE + " " + include + " does not name it");
    }
    if (takes(exclude, id.table(), visible.tables())) {
      return Optional.of(SourceKeys.EXCLUDE + " " + exclude + " leaves it out");
    }
    if (minRows.isPresent() && table.estimatedRows() < minRows.getAsLong()) {
      return Optional.of(
          SourceKeys.MIN_ROWS
              + " leaves it out with its estimated "
              + table.estimatedRows()
              + " rows");
    }
    if (maxRows.isPresent() && table.estimatedRows() > maxRows.getAsLong()) {
      return Optional.of(
          SourceKeys.MAX_ROWS
              + " leaves it out with its estimated "
              + table.estimatedRows()
              + " rows");
    }
    return Optional.empty();
  }

  /** The names of the tables in the schemas that are taken. */
  List<String> tableNames(SpecTables visible) {
    List<String> all = visible.schemas();
    return schemas.isEmpty()
        ? visible.tables()
        : all.stream()
            .filter(schema -> takes(schemas, schema, all))
            .flatMap(schema -> visible.tables(schema).stream())
            .distinct()
            .toList();
  }

  private static List<LikePattern> schemasOf(Collection<TableId> tables) {
    return tables.stream().map(TableId::schema).distinct().map(LikePattern::exactly).toList();
  }

  private static boolean takes(List<LikePattern> patterns, String name, Collection<String> names) {
    return patterns.stream().anyMatch(pattern -> pattern.takes(name, names));
  }

  private static List<String> texts(List<LikePattern> patterns) {
    return patterns.stream().map(LikePattern::text).toList();
  }
}
