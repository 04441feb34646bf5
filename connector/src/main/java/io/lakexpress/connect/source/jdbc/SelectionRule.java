package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.LikePattern;
import io.lakexpress.connect.source.read.TableSelection;
import io.lakexpress.watermark.TableId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides which of the tables there are a {@link TableSelection} takes. */
final class SelectionRule {
  private final TableSelection selection;
  private final List<LikePattern> schemas;
  private final List<LikePattern> include;
  private final List<LikePattern> exclude;
  private final Set<String> schemaNames;
  private final Set<String> tableNames;

  private SelectionRule(TableSelection selection, List<TableId> all) {
    this.selection = selection;
    this.schemas = selection.schemas().stream().map(LikePattern::new).toList();
    this.include = selection.include().stream().map(LikePattern::new).toList();
    this.exclude = selection.exclude().stream().map(LikePattern::new).toList();
    this.schemaNames = all.stream().map(TableId::schema).collect(Collectors.toUnmodifiableSet());
    this.tableNames = all.stream().map(TableId::table).collect(Collectors.toUnmodifiableSet());
  }

  static SelectionRule of(TableSelection selection, List<TableId> all) {
    return new SelectionRule(selection, all);
  }

  /**
   * A view is taken only by its name: by a spec, or by an item of the include list that is no
   * pattern.
   */
  boolean takesView(TableId id) {
    return selection.named().contains(id)
        || (selection.include().contains(id.table())
            && takes(schemas, id.schema(), schemaNames)
            && exclude.stream().noneMatch(pattern -> pattern.takes(id.table(), tableNames)));
  }

  /** A table is taken by its name, or by the patterns and the limits on its rows. */
  boolean takesTable(TableId id, long estimatedRows) {
    return selection.named().contains(id)
        || (takes(schemas, id.schema(), schemaNames)
            && takes(include, id.table(), tableNames)
            && exclude.stream().noneMatch(pattern -> pattern.takes(id.table(), tableNames))
            && (selection.minRows() < 0 || estimatedRows >= selection.minRows())
            && (selection.maxRows() < 0 || estimatedRows <= selection.maxRows()));
  }

  private static boolean takes(List<LikePattern> patterns, String name, Set<String> names) {
    return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> pattern.takes(name, names));
  }
}
