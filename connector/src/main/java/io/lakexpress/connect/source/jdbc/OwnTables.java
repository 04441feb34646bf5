package io.lakexpress.connect.source.jdbc;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The LakeXpress DB's own tables, which may live in the database they help to copy. They are left
 * out of every selection, but only in a schema that holds the record of their migrations.
 */
final class OwnTables {
  /** The table that tells a schema of ours. */
  static final String MARK = "lakexpress_schema_history";

  private static final List<String> NAMES =
      List.of(
          MARK,
          "sync_configurations",
          "incremental_watermarks",
          "watermark_history",
          "export_runs",
          "export_jobs",
          "export_files",
          "lake_positions",
          "export_columns",
          "export_log",
          "guard_samples",
          "table_locks",
          "partition_columns",
          "publish_loads");

  private OwnTables() {}

  /** Their names as a list of SQL literals. */
  static String literals() {
    return NAMES.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
  }
}
