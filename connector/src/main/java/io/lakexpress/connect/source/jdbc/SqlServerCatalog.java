package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.Activity;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceColumn.Nullability;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.SourceTable.Kind;
import io.lakexpress.connect.source.read.TableSelection;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * SQL Server's system catalogue. It shows only what the user has some right on; names are compared
 * letter by letter whatever the database's collation.
 */
final class SqlServerCatalog implements Catalog {
  static final String NOW = "SELECT SYSDATETIMEOFFSET()";

  /** Since SQL Server 2022 and in Azure; the name Windows gives the zone. */
  static final String ZONE_NAME = "SELECT CURRENT_TIMEZONE_ID()";

  static final String ZONE_OFFSET =
      "SELECT RIGHT(CONVERT(varchar(34), SYSDATETIMEOFFSET(), 121), 6)";

  static final String MIN_ACTIVE_ROWVERSION = "SELECT CAST(MIN_ACTIVE_ROWVERSION() AS bigint)";

  static final String RELATIONS =
      """
      SELECT o.object_id, s.name, o.name, o.type, COALESCE(CAST(t.is_external AS int), 0),
             COALESCE(CAST(t.is_memory_optimized AS int), 0),
             COALESCE((SELECT SUM(p.rows) FROM sys.partitions AS p
                        WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)), 0)
        FROM sys.objects AS o
        JOIN sys.schemas AS s ON s.schema_id = o.schema_id
        LEFT JOIN sys.tables AS t ON t.object_id = o.object_id
       WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
      """;

  static final String BY_NAME =
      " AND s.name COLLATE Latin1_General_100_BIN2 = ?"
          + " AND o.name COLLATE Latin1_General_100_BIN2 = ?";

  static final String SELECTABLE =
      """
       AND NOT (EXISTS (SELECT 1 FROM sys.tables AS mark
                         WHERE mark.schema_id = o.schema_id AND mark.name = '$mark')
                AND o.name IN ($own))
       ORDER BY s.name COLLATE Latin1_General_100_BIN2, o.name COLLATE Latin1_General_100_BIN2
      """
          .replace("$mark", OwnTables.MARK)
          .replace("$own", OwnTables.literals());

  /** Primary keys first; else the shortest unique index over columns that are never NULL. */
  static final String KEYS =
      """
      SELECT i.object_id, i.index_id, CAST(i.is_primary_key AS int), c.name
        FROM sys.indexes AS i
        JOIN sys.index_columns AS k
          ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal > 0
        JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
       WHERE i.object_id IN ($ids) AND i.is_unique = 1 AND i.has_filter = 0
         AND i.is_disabled = 0 AND i.is_hypothetical = 0
       ORDER BY i.object_id, i.is_primary_key DESC,
             COUNT(*) OVER (PARTITION BY i.object_id, i.index_id), i.index_id, k.key_ordinal
      """;

  static final String INDEX_LEADING =
      """
      SELECT TOP (1) 1
        FROM sys.objects AS o
        JOIN sys.schemas AS s ON s.schema_id = o.schema_id
        JOIN sys.indexes AS i ON i.object_id = o.object_id
        JOIN sys.index_columns AS k
          ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal = 1
        JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
       WHERE i.type IN (1, 2) AND i.has_filter = 0 AND i.is_disabled = 0 AND i.is_hypothetical = 0
         AND c.name COLLATE Latin1_General_100_BIN2 = ?
      """
          + BY_NAME;

  /** As many as one IN list takes without trouble. */
  private static final int IDS_AT_ONCE = 1000;

  private static final int UNKNOWN_FUNCTION = 195;

  private final Session session;
  private final int level;

  /**
   * @param level the isolation level that the session reads tables at
   */
  SqlServerCatalog(Session session, int level) {
    this.session = session;
    this.level = level;
  }

  private record Relation(
      int objectId, TableId id, Kind kind, SqlServerTable.Storage storage, long estimatedRows) {}

  private record Index(boolean primary, List<String> columns) {}

  @Override
  public Instant now() throws SQLException {
    return session
        .first(NOW, rows -> rows.getObject(1, OffsetDateTime.class))
        .orElseThrow()
        .toInstant();
  }

  @Override
  public Activity activity() throws SQLException {
    return new SqlServerActivity(session).activity(zoneName());
  }

  /**
   * The server's zone, which GETDATE() and SYSDATETIME() write. Older servers tell only its
   * distance from UTC at this moment.
   */
  @Override
  public String timeZone() throws SQLException {
    Optional<String> name = zoneName();
    return name.isPresent()
        ? name.get()
        : session.first(ZONE_OFFSET, rows -> rows.getString(1)).orElseThrow();
  }

  private Optional<String> zoneName() throws SQLException {
    try {
      return session.first(ZONE_NAME, rows -> rows.getString(1));
    } catch (SQLException e) {
      if (e.getErrorCode() == UNKNOWN_FUNCTION) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public List<SourceTable> tables(TableSelection selection) throws SQLException {
    List<Relation> all = session.list(RELATIONS + SELECTABLE, SqlServerCatalog::relation);
    SelectionRule rule = SelectionRule.of(selection, all.stream().map(Relation::id).toList());
    List<Relation> taken =
        all.stream()
            .filter(
                relation ->
                    relation.kind() == Kind.TABLE
                        ? rule.takesTable(relation.id(), relation.estimatedRows())
                        : rule.takesView(relation.id()))
            .toList();
    List<SourceTable> tables = new ArrayList<>();
    for (int from = 0; from < taken.size(); from += IDS_AT_ONCE) {
      List<Relation> some = taken.subList(from, Math.min(taken.size(), from + IDS_AT_ONCE));
      described(some).forEach(table -> tables.add(table.source()));
    }
    return tables;
  }

  @Override
  public Optional<SourceTable> table(TableId id) throws SQLException {
    return described(id).map(SqlServerTable::source);
  }

  /** A table with its types. */
  Optional<SqlServerTable> described(TableId id) throws SQLException {
    return described(relations(id)).stream().findFirst();
  }

  @Override
  public List<TableId> tableNames() throws SQLException {
    return session.list(RELATIONS + SELECTABLE, SqlServerCatalog::relation).stream()
        .map(Relation::id)
        .toList();
  }

  @Override
  public Optional<WatermarkColumn> watermarkColumn(SourceColumn column) {
    return SqlServerWatermarks.column(column.name(), column.type());
  }

  @Override
  public void tryRead(TableId id) throws SQLException {
    useLevelFor(id);
    session.list("SELECT TOP (0) * FROM " + SqlServerDialect.quoted(id), rows -> 1);
  }

  @Override
  public boolean hasIndexLeadingWith(TableId id, String column) throws SQLException {
    return session
        .first(INDEX_LEADING, rows -> rows.getInt(1), column, id.schema(), id.table())
        .isPresent();
  }

  /** Of a rowversion: below it no row can be committed any more, so windows end before it. */
  @Override
  public Optional<Long> largest(TableId id, WatermarkColumn column) throws SQLException {
    if (column.kind() == ColumnKind.ROWVERSION) {
      return session.first(MIN_ACTIVE_ROWVERSION, rows -> rows.getLong(1));
    }
    useLevelFor(id);
    BigDecimal largest =
        session
            .list(
                "SELECT MAX("
                    + SqlServerDialect.quoted(column.name())
                    + ") FROM "
                    + SqlServerDialect.quoted(id),
                rows -> rows.getBigDecimal(1))
            .get(0);
    if (largest != null && largest.toBigInteger().bitLength() > 63) {
      throw new SQLException(
          "the largest value of column \"" + column.name() + "\" does not fit 64 bits", "22003");
    }
    return Optional.ofNullable(largest).map(BigDecimal::longValueExact);
  }

  @Override
  public long blocks(TableId id) {
    throw ResumePoint.refused(id, "Ctid is offered for PostgreSQL only");
  }

  @Override
  public long rowsWithoutWatermark(TableId id, WatermarkColumn column) throws SQLException {
    useLevelFor(id);
    return session
        .first(
            "SELECT COUNT_BIG(*) FROM "
                + SqlServerDialect.quoted(id)
                + " WHERE "
                + SqlServerDialect.quoted(column.name())
                + " IS NULL",
            rows -> rows.getLong(1))
        .orElseThrow();
  }

  @Override
  public long rowsAbove(TableId id, WatermarkColumn column, WatermarkValue bound)
      throws SQLException {
    SqlServerType type =
        described(relations(id)).stream()
            .flatMap(table -> table.type(column.name()).stream())
            .findFirst()
            .orElseThrow(
                () -> new SQLException("it has no column \"" + column.name() + "\"", "42S22"));
    SqlServerWatermark watermark = new SqlServerWatermark(type, column);
    String value = watermark.parameter(bound, WatermarkForm.Rounding.DOWN);
    useLevelFor(id);
    return session
        .first(
            "SELECT COUNT_BIG(*) FROM "
                + SqlServerDialect.quoted(id)
                + " WHERE "
                + SqlServerDialect.quoted(column.name())
                + " > "
                + watermark.placeholder(value),
            rows -> rows.getLong(1),
            value)
        .orElseThrow();
  }

  /**
   * Sets the isolation level for what is read next; a table in memory refuses sessions' snapshots.
   */
  void useLevelFor(TableId id) throws SQLException {
    Connection connection = session.connection();
    boolean inMemory =
        level != Connection.TRANSACTION_READ_COMMITTED
            && relations(id).stream()
                .anyMatch(relation -> relation.storage() == SqlServerTable.Storage.MEMORY);
    int wanted = inMemory ? Connection.TRANSACTION_READ_COMMITTED : level;
    if (connection.getTransactionIsolation() != wanted) {
      connection.setTransactionIsolation(wanted);
    }
  }

  private List<Relation> relations(TableId id) throws SQLException {
    return session.list(RELATIONS + BY_NAME, SqlServerCatalog::relation, id.schema(), id.table());
  }

  private static Relation relation(ResultSet rows) throws SQLException {
    boolean view = rows.getString(4).strip().equals("V");
    Kind tableKind = rows.getInt(5) == 1 ? Kind.FOREIGN_TABLE : Kind.TABLE;
    return new Relation(
        rows.getInt(1),
        new TableId(rows.getString(2), rows.getString(3)),
        view ? Kind.VIEW : tableKind,
        rows.getInt(6) == 1 ? SqlServerTable.Storage.MEMORY : SqlServerTable.Storage.DISK,
        rows.getLong(7));
  }

  private List<SqlServerTable> described(List<Relation> relations) throws SQLException {
    if (relations.isEmpty()) {
      return List.of();
    }
    String ids =
        relations.stream()
            .map(relation -> Integer.toString(relation.objectId()))
            .collect(Collectors.joining(", "));
    Map<Integer, List<SqlServerType>> types = new HashMap<>();
    session.list(
        SqlServerTypes.ofObjects(ids),
        rows ->
            types
                .computeIfAbsent(rows.getInt(1), id -> new ArrayList<>())
                .add(SqlServerTypes.read(rows)));
    Map<Integer, Map<Integer, Index>> indexes = new HashMap<>();
    session.list(KEYS.replace("$ids", ids), rows -> noteKeyColumn(indexes, rows));
    return relations.stream()
        .map(
            relation ->
                table(
                    relation,
                    types.getOrDefault(relation.objectId(), List.of()),
                    indexes.getOrDefault(relation.objectId(), Map.of()).values()))
        .toList();
  }

  private static boolean noteKeyColumn(Map<Integer, Map<Integer, Index>> indexes, ResultSet rows)
      throws SQLException {
    boolean primary = rows.getInt(3) == 1;
    return indexes
        .computeIfAbsent(rows.getInt(1), id -> new LinkedHashMap<>())
        .computeIfAbsent(rows.getInt(2), id -> new Index(primary, new ArrayList<>()))
        .columns()
        .add(rows.getString(4));
  }

  private static SqlServerTable table(
      Relation relation, List<SqlServerType> types, Collection<Index> indexes) {
    List<SourceColumn> columns =
        types.stream()
            .map(
                type ->
                    new SourceColumn(
                        type.column(),
                        type.ordinal(),
                        type.declared(),
                        type.notNull() ? Nullability.NOT_NULL : Nullability.NULLABLE))
            .toList();
    Set<String> usable =
        types.stream()
            .filter(type -> type.notNull() && type.canOrder())
            .map(SqlServerType::column)
            .collect(Collectors.toUnmodifiableSet());
    List<String> primary =
        indexes.stream().filter(Index::primary).map(Index::columns).findFirst().orElse(List.of());
    List<String> ordering =
        indexes.stream()
            .map(Index::columns)
            .filter(usable::containsAll)
            .findFirst()
            .orElse(List.of());
    SourceTable source =
        new SourceTable(
            relation.id(), relation.kind(), columns, primary, ordering, relation.estimatedRows());
    return new SqlServerTable(source, types, relation.storage());
  }
}
