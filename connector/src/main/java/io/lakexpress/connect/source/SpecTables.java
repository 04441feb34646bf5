package io.lakexpress.connect.source;

import io.lakexpress.connect.source.read.NearestNames;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import java.util.List;
import java.util.Optional;

/** Finds the tables that specs mean among those the database has. */
record SpecTables(List<TableId> visible) {
  SpecTables {
    visible = List.copyOf(visible);
  }

  Optional<TableId> table(TableSpec spec) {
    return spec.schema()
        .resolve(schemas())
        .flatMap(
            schema ->
                spec.table().resolve(tables(schema)).map(table -> new TableId(schema, table)));
  }

  /** Why a spec means no table, with the nearest names. */
  String unknown(TableSpec spec) {
    String subject = spec.schema() + "." + spec.table();
    Optional<String> schema = spec.schema().resolve(schemas());
    if (schema.isEmpty()) {
      return "Cannot find schema "
          + spec.schema()
          + " of table "
          + subject
          + ": "
          + NearestNames.hint(spec.schema().text(), schemas());
    }
    return "Cannot find table "
        + subject
        + ": "
        + NearestNames.hint(spec.table().text(), tables(schema.get()));
  }

  /** Whether the spec means this table, whatever else there is. */
  static boolean means(TableSpec spec, TableId table) {
    return new SpecTables(List.of(table)).table(spec).isPresent();
  }

  List<String> schemas() {
    return visible.stream().map(TableId::schema).distinct().toList();
  }

  List<String> tables() {
    return visible.stream().map(TableId::table).distinct().toList();
  }

  List<String> tables(String schema) {
    return visible.stream().filter(id -> id.schema().equals(schema)).map(TableId::table).toList();
  }
}
