package io.lakexpress.connect.source;

import io.lakexpress.connect.source.read.NearestNames;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.WatermarkBook.Watermark;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.offset.OffsetPartition;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkType;
import io.lakexpress.watermark.WatermarkValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Offsets of a stopped connector, set or removed over Connect's REST interface. All are checked
 * first; then the LakeXpress DB follows, before Connect writes them. What is refused is thrown as a
 * {@link ConnectException}, whose message is the answer the user sees.
 */
final class OffsetChange {
  private static final String WATERMARK = "last_exported_value";

  private final String syncId;
  private final List<TableSpec> specs;
  private final LakexpressDb lakexpressDb;
  private final Supplier<SourceDatabase> source;

  /**
   * @param source opened only where the type of a watermark is known from nowhere else; closed here
   */
  OffsetChange(
      String syncId,
      List<TableSpec> specs,
      LakexpressDb lakexpressDb,
      Supplier<SourceDatabase> source) {
    this.syncId = syncId;
    this.specs = List.copyOf(specs);
    this.lakexpressDb = lakexpressDb;
    this.source = source;
  }

  /**
   * Checks and applies.
   *
   * @param offsets as Connect hands them over; a null offset removes its partition
   */
  void apply(Map<Map<String, ?>, Map<String, ?>> offsets) {
    try {
      Map<TableId, Optional<WatermarkMove>> changes = checked(offsets);
      changes.forEach(this::apply);
    } catch (LakexpressDbException e) {
      throw new ConnectException(
          "Cannot alter offsets of sync "
              + syncId
              + ": the LakeXpress DB has to follow, but "
              + e.getMessage(),
          e);
    }
  }

  private Map<TableId, Optional<WatermarkMove>> checked(
      Map<Map<String, ?>, Map<String, ?>> offsets) {
    Map<TableId, Optional<WatermarkMove>> changes = new LinkedHashMap<>();
    for (Map.Entry<Map<String, ?>, Map<String, ?>> entry : offsets.entrySet()) {
      if (entry.getValue() == null) {
        removed(entry.getKey()).ifPresent(table -> changes.putIfAbsent(table, Optional.empty()));
      } else {
        OffsetPartition partition = ownPartition(entry.getKey());
        changes.put(partition.table(), Optional.of(move(partition.table(), entry.getValue())));
      }
    }
    return changes;
  }

  /** Whatever stands in the offsets topic can be removed, also what is not ours. */
  private Optional<TableId> removed(Map<String, ?> partition) {
    try {
      OffsetPartition parsed = OffsetPartition.parse(partition);
      return parsed.syncId().equals(syncId) ? Optional.of(parsed.table()) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private OffsetPartition ownPartition(Map<String, ?> partition) {
    OffsetPartition parsed;
    try {
      parsed = OffsetPartition.parse(partition);
    } catch (IllegalArgumentException e) {
      throw new ConnectException(e.getMessage(), e);
    }
    if (!parsed.syncId().equals(syncId)) {
      throw new ConnectException(
          "Invalid sync_id '" + parsed.syncId() + "': expected '" + syncId + "'");
    }
    if (!parsed.slice().isWhole()) {
      throw new ConnectException(
          "Cannot set the offset of slice "
              + parsed.slice()
              + " of table "
              + parsed.table()
              + ": a table is set as a whole, by its partition without slice");
    }
    return parsed;
  }

  private WatermarkMove move(TableId table, Map<String, ?> offset) {
    TableSpec spec = spec(table);
    TableOffset parsed;
    try {
      parsed = TableOffset.parse(offset);
    } catch (IllegalArgumentException e) {
      throw refused(table, e.getMessage());
    }
    if (!offset.keySet().equals(Set.of(WATERMARK))) {
      throw refused(
          table, "expected " + WATERMARK + " alone, not " + new TreeSet<>(offset.keySet()));
    }
    String text =
        parsed
            .watermark()
            .orElseThrow(
                () ->
                    refused(
                        table,
                        "expected a text as "
                            + WATERMARK
                            + "; to start the table anew set the whole offset to null"));
    Optional<Watermark> known = lakexpressDb.watermarks().watermark(syncId, table);
    WatermarkColumn column = column(table, spec, known);
    try {
      WatermarkValue.parse(column.kind(), text);
    } catch (IllegalArgumentException e) {
      throw refused(table, e.getMessage());
    }
    return new WatermarkMove(table, column.name(), spec.type().text(), text);
  }

  private TableSpec spec(TableId table) {
    Optional<TableSpec> written =
        specs.stream().filter(spec -> SpecTables.means(spec, table)).findFirst();
    List<PlannedUnit> plan = lakexpressDb.syncs().plan(syncId).units();
    if (written.isPresent()) {
      checkSpelling(table, written.get(), plan);
      return written.get();
    }
    Optional<PlannedUnit> unit = plan.stream().filter(one -> one.table().equals(table)).findFirst();
    if (unit.isPresent()) {
      throw refused(
          table,
          (unit.get().isIncremental()
                  ? SourceKeys.INCREMENTAL_TABLES + " does not name it any more"
                  : "it is exported in full in every run")
              + ", so its offset can only be set to null");
    }
    Set<String> known = new TreeSet<>();
    plan.forEach(one -> known.add(one.table().toString()));
    specs.forEach(spec -> known.add(new TableId(spec.schema().text(), spec.table().text()) + ""));
    throw refused(
        table,
        "it is not a table of sync " + syncId + ": " + NearestNames.hint(table.toString(), known));
  }

  /** The spec may spell a table in another case; its offset goes by the database's spelling. */
  private void checkSpelling(TableId table, TableSpec spec, List<PlannedUnit> plan) {
    List<TableId> meant =
        plan.stream().map(PlannedUnit::table).filter(id -> SpecTables.means(spec, id)).toList();
    if (!meant.isEmpty() && !meant.contains(table)) {
      throw refused(
          table, "it is not a table of sync " + syncId + "; its name is spelled " + meant.get(0));
    }
  }

  private WatermarkColumn column(TableId table, TableSpec spec, Optional<Watermark> known) {
    Optional<ColumnKind> kind = kind(spec.type(), known);
    if (kind.isPresent()) {
      String name = known.map(Watermark::column).orElse(spec.column().text());
      return new WatermarkColumn(name, kind.get(), 0);
    }
    try (SourceDatabase database = source.get()) {
      SourceTable described =
          database
              .table(table)
              .orElseThrow(() -> refused(table, "the source database does not show it"));
      List<String> names = described.columns().stream().map(SourceColumn::name).toList();
      return spec.column()
          .resolve(names)
          .flatMap(described::column)
          .flatMap(database::watermarkColumn)
          .filter(column -> spec.type().accepts(column.kind()))
          .orElseThrow(
              () ->
                  refused(
                      table,
                      "its column "
                          + spec.column()
                          + " cannot be tracked as "
                          + spec.type().text()));
    } catch (SourceException e) {
      throw new ConnectException(
          "Cannot set the offset of table "
              + table
              + ": the type of its watermark column is not known yet, and "
              + e.getMessage(),
          e);
    }
  }

  /** The kind as far as the spec and the watermark known so far tell it. */
  private static Optional<ColumnKind> kind(WatermarkType type, Optional<Watermark> known) {
    return switch (type) {
      case DATE -> Optional.of(ColumnKind.DATE);
      case INTEGER -> Optional.of(ColumnKind.INTEGER);
      case ROWVERSION -> Optional.of(ColumnKind.ROWVERSION);
      case DATETIME, TIMESTAMP ->
          known
              .flatMap(Watermark::exported)
              .map(value -> value.endsWith("Z") ? ColumnKind.INSTANT : ColumnKind.LOCAL_TIME);
    };
  }

  private void apply(TableId table, Optional<WatermarkMove> move) {
    if (move.isPresent()) {
      lakexpressDb.watermarks().set(syncId, move.get(), WatermarkCause.OFFSETS_API);
    } else if (lakexpressDb.watermarks().watermark(syncId, table).isPresent()) {
      lakexpressDb.watermarks().clear(syncId, table, WatermarkCause.OFFSETS_API);
    }
    lakexpressDb
        .runs()
        .abandonTable(
            syncId,
            table,
            move.isPresent()
                ? "Its offset was set to " + move.get().value() + " by hand"
                : "Its offset was removed by hand, the table starts anew");
  }

  private static ConnectException refused(TableId table, String reason) {
    return new ConnectException("Cannot set the offset of table " + table + ": " + reason);
  }
}
