package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import io.lakexpress.watermark.WatermarkColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the sync's specs and selection mean in the database as it is now. */
final class Catalogue {
  private final SourceDatabase source;
  private final ReaderSettings settings;

  Catalogue(SourceDatabase source, ReaderSettings settings) {
    this.source = source;
    this.settings = settings;
  }

  /**
   * The tables of the sync.
   *
   * @param specs by table; tables that the database does not have are here, too, under the name
   *     written
   */
  record Selected(List<SourceTable> tables, Map<TableId, TableSpec> specs) {
    /** A table that the database has. */
    Optional<SourceTable> table(TableId id) {
      return tables.stream().filter(table -> table.id().equals(id)).findFirst();
    }
  }

  Selected selected() {
    Map<TableId, TableSpec> specs = new LinkedHashMap<>();
    List<TableId> names = settings.specs().isEmpty() ? List.of() : source.tableNames();
    for (TableSpec spec : settings.specs()) {
      specs.put(resolve(spec, names), spec);
    }
    TableSelection wanted = settings.selection();
    Set<String> schemas = new LinkedHashSet<>();
    if (wanted.schemas().isEmpty()) {
      specs.keySet().forEach(id -> schemas.add(id.schema()));
    }
    TableSelection selection =
        new TableSelection(
            schemas.isEmpty() ? wanted.schemas() : List.copyOf(schemas),
            wanted.include(),
            wanted.exclude(),
            specs.keySet(),
            wanted.minRows(),
            wanted.maxRows());
    List<SourceTable> tables = new ArrayList<>();
    for (SourceTable table : source.tables(selection)) {
      // The schemas of specs are names, not patterns: an underscore means itself.
      if (schemas.isEmpty() || schemas.contains(table.id().schema())) {
        tables.add(table);
      }
    }
    return new Selected(List.copyOf(tables), specs);
  }

  private static TableId resolve(TableSpec spec, List<TableId> names) {
    Set<String> schemas = names.stream().map(TableId::schema).collect(Collectors.toSet());
    String schema = spec.schema().resolve(schemas).orElse(spec.schema().text());
    List<String> tables =
        names.stream().filter(id -> id.schema().equals(schema)).map(TableId::table).toList();
    return new TableId(schema, spec.table().resolve(tables).orElse(spec.table().text()));
  }

  /**
   * A table by its name.
   *
   * @throws TableFailure if it does not exist, with the nearest names
   */
  SourceTable table(TableId id) {
    return source
        .table(id)
        .orElseThrow(
            () ->
                new TableFailure(
                    "Cannot read table "
                        + id
                        + ": it does not exist or may not be seen; "
                        + NearestNames.hint(
                            id.toString(),
                            source.tableNames().stream().map(TableId::toString).toList())));
  }

  /**
   * How a table is tracked.
   *
   * @throws TableFailure if the column does not exist or cannot be tracked
   */
  Tracking tracking(SourceTable table, TableSpec spec) {
    List<String> names = table.columns().stream().map(SourceColumn::name).toList();
    String name =
        spec.column()
            .resolve(names)
            .orElseThrow(
                () ->
                    new TableFailure(
                        "Cannot track table "
                            + table.id()
                            + ": it has no column "
                            + spec.column()
                            + "; "
                            + NearestNames.hint(spec.column().text(), names)));
    SourceColumn column = table.column(name).orElseThrow();
    Optional<WatermarkColumn> watermark = source.watermarkColumn(column);
    if (watermark.isEmpty() || !spec.type().accepts(watermark.get().kind())) {
      throw new TableFailure(
          "Cannot track table "
              + table.id()
              + " by column "
              + name
              + ": its type "
              + column.type()
              + " is no "
              + spec.type().text());
    }
    return new Tracking(table, spec, watermark.get(), settings.runs().zones().of(table.id()));
  }

  /** The tracked column as the database spells it, or as written if it cannot be asked now. */
  String columnName(TableId id, TableSpec spec) {
    try {
      return source
          .table(id)
          .map(table -> table.columns().stream().map(SourceColumn::name).toList())
          .flatMap(spec.column()::resolve)
          .orElse(spec.column().text());
    } catch (SourceException e) {
      return spec.column().text();
    }
  }
}
