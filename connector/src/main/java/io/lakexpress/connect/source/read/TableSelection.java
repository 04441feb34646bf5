package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.TableId;
import java.util.List;
import java.util.Set;

/**
 * Which tables a sync takes, as its configuration says it.
 *
 * @param schemas LIKE patterns; empty for all schemas that are not the system's
 * @param include LIKE patterns on the table name; empty for all
 * @param exclude LIKE patterns on the table name
 * @param named tables named exactly (by specs), which are taken even if they are views
 * @param minRows smallest estimate taken, or -1
 * @param maxRows largest estimate taken, or -1
 */
public record TableSelection(
    List<String> schemas,
    List<String> include,
    List<String> exclude,
    Set<TableId> named,
    long minRows,
    long maxRows) {
  public TableSelection {
    schemas = List.copyOf(schemas);
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    named = Set.copyOf(named);
  }
}
