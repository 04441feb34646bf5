package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.Activity;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceColumn.Nullability;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.SourceTable.Kind;
import io.lakexpress.connect.source.read.TableSelection;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** PostgreSQL's system catalogue. */
final class PostgresCatalog implements Catalog {
  /** Without pg_partition_tree, which waits for whoever holds a lock on a partition. */
  private static final String RELATIONS =
      """
      SELECT c.oid::bigint, n.nspname, c.relname, c.relkind,
             CASE c.relkind
               WHEN 'p' THEN (WITH RECURSIVE tree AS (
                                SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = c.oid
                                UNION ALL
                                SELECT i.inhrelid FROM pg_inherits i
                                  JOIN tree t ON i.inhparent = t.inhrelid)
                              SELECT COALESCE(SUM(GREATEST(leaf.reltuples, 0)), 0)
                                FROM tree
                                JOIN pg_class leaf ON leaf.oid = tree.inhrelid
                               WHERE leaf.relkind <> 'p')
               ELSE GREATEST(c.reltuples, 0)
             END::bigint
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
         AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      """;

  private static final String BY_NAME = " AND n.nspname = ? AND c.relname = ?";

  private static final String SELECTABLE =
      """
       AND NOT c.relispartition
       AND NOT (EXISTS (SELECT 1 FROM pg_class mark
                         WHERE mark.relnamespace = c.relnamespace AND mark.relname = '$mark')
                AND c.relname IN ($own))
       ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
      """
          .replace("$mark", OwnTables.MARK)
          .replace("$own", OwnTables.literals());

  /** As in {@link PostgresTypes}: a domain's NOT NULL proves nothing. */
  private static final String COLUMNS =
      """
      SELECT a.attrelid::bigint, a.attname, a.attnum, format_type(a.atttypid, a.atttypmod),
             a.attnotnull
        FROM pg_attribute a
       WHERE a.attrelid = ANY (?::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
       ORDER BY a.attrelid, a.attnum
      """;

  /** Primary keys first; else the shortest unique index that can order every row. */
  private static final String KEYS =
      """
      SELECT i.indrelid::bigint, i.indisprimary, array_agg(a.attname::text ORDER BY k.place)
        FROM pg_index i
       CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
       WHERE i.indrelid = ANY (?::oid[])
         AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
         AND k.place <= i.indnkeyatts
       GROUP BY i.indrelid, i.indexrelid, i.indisprimary
      HAVING bool_and(a.attnotnull AND i.indcollation[k.place - 1] = a.attcollation)
       ORDER BY i.indrelid, i.indisprimary DESC, count(*), i.indexrelid
      """;

  private static final String INDEX_LEADING =
      """
      SELECT 1
        FROM pg_index i
        JOIN pg_class c ON c.oid = i.indrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_class x ON x.oid = i.indexrelid
        JOIN pg_am m ON m.oid = x.relam
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
       WHERE n.nspname = ? AND c.relname = ? AND a.attname = ?
         AND i.indisvalid AND i.indpred IS NULL AND m.amname = 'btree'
       LIMIT 1
      """;

  private static final String DATABASE_ZONE =
      """
      SELECT split_part(item, '=', 2)
        FROM pg_db_role_setting s
       CROSS JOIN LATERAL unnest(s.setconfig) item
       WHERE lower(split_part(item, '=', 1)) = 'timezone' AND s.setrole = 0
         AND s.setdatabase IN
               (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
       ORDER BY s.setdatabase DESC
       LIMIT 1
      """;

  private static final String MAY_SEE_FILES =
      "SELECT has_table_privilege('pg_catalog.pg_file_settings', 'SELECT')"
          + " AND has_function_privilege('pg_catalog.pg_show_all_file_settings()', 'EXECUTE')";

  private static final String FILE_ZONE =
      "SELECT setting FROM pg_file_settings WHERE lower(name) = 'timezone' AND applied"
          + " ORDER BY seqno DESC LIMIT 1";

  private static final String NO_RIGHT = "42501";

  /** Whoever holds a lock on the table is not waited for. */
  private static final String BRIEFLY =
      "SELECT set_config('lock_timeout', '1s', true), set_config('statement_timeout', '3s', true)";

  /** Empty unless some columns may be read and some not. */
  private static final String REFUSED_COLUMNS =
      """
      SELECT a.attname
        FROM pg_attribute a
        JOIN pg_class c ON c.oid = a.attrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = ? AND c.relname = ? AND a.attnum > 0 AND NOT a.attisdropped
         AND NOT has_column_privilege(c.oid, a.attnum, 'SELECT')
         AND has_any_column_privilege(c.oid, 'SELECT')
         AND has_schema_privilege(n.oid, 'USAGE')
       ORDER BY a.attnum
      """;

  private final Session session;

  PostgresCatalog(Session session) {
    this.session = session;
  }

  private record Relation(long oid, TableId id, Kind kind, long estimatedRows) {}

  private record Key(boolean primary, List<String> columns) {}

  @Override
  public Instant now() throws SQLException {
    return session
        .first("SELECT clock_timestamp()", rows -> rows.getObject(1, OffsetDateTime.class))
        .orElseThrow()
        .toInstant();
  }

  @Override
  public Activity activity() throws SQLException {
    return new PostgresActivity(session).activity();
  }

  /**
   * The driver sets a zone of its own in every session, so the server's default is looked up: the
   * database's setting, the server's file where it may be seen, else the zone of the server's log,
   * which is set together with it when a server is created.
   */
  @Override
  public String timeZone() throws SQLException {
    Session.RowReader<String> text = rows -> rows.getString(1);
    Optional<String> zone = session.first(DATABASE_ZONE, text);
    if (zone.isEmpty() && session.first(MAY_SEE_FILES, rows -> rows.getBoolean(1)).orElseThrow()) {
      zone = session.first(FILE_ZONE, text);
    }
    return zone.isPresent()
        ? zone.get()
        : session.first("SELECT current_setting('log_timezone')", text).orElseThrow();
  }

  @Override
  public List<SourceTable> tables(TableSelection selection) throws SQLException {
    List<Relation> all = session.list(RELATIONS + SELECTABLE, PostgresCatalog::relation);
    SelectionRule rule = SelectionRule.of(selection, all.stream().map(Relation::id).toList());
    List<Relation> taken = new ArrayList<>();
    for (Relation relation : all) {
      boolean view = relation.kind() == Kind.VIEW || relation.kind() == Kind.FOREIGN_TABLE;
      if (view
          ? rule.takesView(relation.id())
          : rule.takesTable(relation.id(), relation.estimatedRows())) {
        taken.add(relation);
      }
    }
    return described(taken);
  }

  @Override
  public Optional<SourceTable> table(TableId id) throws SQLException {
    return described(relations(id)).stream().findFirst();
  }

  @Override
  public List<TableId> tableNames() throws SQLException {
    return session.list(RELATIONS + SELECTABLE, PostgresCatalog::relation).stream()
        .map(Relation::id)
        .toList();
  }

  @Override
  public Optional<WatermarkColumn> watermarkColumn(SourceColumn column) throws SQLException {
    String type = column.type();
    while (true) {
      Optional<WatermarkColumn> found = PostgresWatermarks.column(column.name(), type);
      if (found.isPresent()) {
        return found;
      }
      Optional<String> base =
          session.first(
              "SELECT format_type(typbasetype, typtypmod) FROM pg_type"
                  + " WHERE oid = to_regtype(?) AND typtype = 'd'",
              rows -> rows.getString(1),
              type);
      if (base.isEmpty()) {
        return Optional.empty();
      }
      type = base.get();
    }
  }

  @Override
  public void tryRead(TableId id) throws SQLException {
    session.begin();
    try {
      session.list(BRIEFLY, rows -> 1);
      session.list("SELECT * FROM " + PostgresDialect.quoted(id) + " LIMIT 0", rows -> 1);
    } catch (SQLException e) {
      session.end();
      if (NO_RIGHT.equals(e.getSQLState())) {
        throw refusedColumns(id, e);
      }
      throw e;
    } finally {
      session.end();
    }
  }

  /** Rights may be granted by column; then the database's own words name none of them. */
  private SQLException refusedColumns(TableId id, SQLException refused) throws SQLException {
    List<String> columns =
        session.list(REFUSED_COLUMNS, rows -> rows.getString(1), id.schema(), id.table());
    return columns.isEmpty()
        ? refused
        : new SQLException(
            "no right to SELECT column "
                + String.join(", ", columns)
                + ", though others of the table may be read",
            NO_RIGHT,
            refused);
  }

  @Override
  public boolean hasIndexLeadingWith(TableId id, String column) throws SQLException {
    return session
        .first(INDEX_LEADING, rows -> rows.getInt(1), id.schema(), id.table(), column)
        .isPresent();
  }

  @Override
  public Optional<Long> largest(TableId id, WatermarkColumn column) throws SQLException {
    BigDecimal largest =
        session
            .list(
                "SELECT max("
                    + PostgresDialect.quoted(column.name())
                    + ")::numeric FROM "
                    + from(id),
                rows -> rows.getBigDecimal(1))
            .get(0);
    if (largest != null && largest.toBigInteger().bitLength() > 63) {
      throw new SQLException(
          "the largest value of column \"" + column.name() + "\" does not fit 64 bits", "22003");
    }
    return Optional.ofNullable(largest).map(BigDecimal::longValueExact);
  }

  @Override
  public long blocks(TableId id) throws SQLException {
    return session
        .first(
            "SELECT COALESCE(max(pg_relation_size(leaf.relid)), 0)"
                + " / current_setting('block_size')::int8"
                + " FROM (SELECT to_regclass(?) AS relid"
                + " UNION ALL SELECT relid FROM pg_partition_tree(to_regclass(?)) WHERE isleaf)"
                + " leaf",
            rows -> rows.getLong(1),
            PostgresDialect.quoted(id),
            PostgresDialect.quoted(id))
        .orElse(0L);
  }

  @Override
  public long rowsWithoutWatermark(TableId id, WatermarkColumn column) throws SQLException {
    return session
        .first(
            "SELECT count(*) FROM "
                + from(id)
                + " WHERE "
                + PostgresDialect.quoted(column.name())
                + " IS NULL",
            rows -> rows.getLong(1))
        .orElseThrow();
  }

  @Override
  public long rowsAbove(TableId id, WatermarkColumn column, WatermarkValue bound)
      throws SQLException {
    WatermarkForm form = new WatermarkForm(column.kind(), WatermarkForm.Width.LONG);
    return session
        .first(
            "SELECT count(*) FROM "
                + from(id)
                + " WHERE "
                + PostgresDialect.quoted(column.name())
                + " > ?",
            rows -> rows.getLong(1),
            form.parameter(bound, WatermarkForm.Rounding.DOWN))
        .orElseThrow();
  }

  /** What stands behind FROM; a table that others inherit from is read without them. */
  static String from(TableId id, Kind kind) {
    return (kind == Kind.TABLE ? "ONLY " : "") + PostgresDialect.quoted(id);
  }

  /** Digits behind the point of the database's currency. */
  int moneyScale() throws SQLException {
    return session.first("SELECT scale(0::money::numeric)", rows -> rows.getInt(1)).orElseThrow();
  }

  private String from(TableId id) throws SQLException {
    return from(id, relations(id).stream().findFirst().map(Relation::kind).orElse(Kind.VIEW));
  }

  private List<Relation> relations(TableId id) throws SQLException {
    return session.list(RELATIONS + BY_NAME, PostgresCatalog::relation, id.schema(), id.table());
  }

  private static Relation relation(ResultSet rows) throws SQLException {
    Kind kind =
        switch (rows.getString(4)) {
          case "r" -> Kind.TABLE;
          case "p" -> Kind.PARTITIONED_TABLE;
          case "f" -> Kind.FOREIGN_TABLE;
          default -> Kind.VIEW;
        };
    TableId id = new TableId(rows.getString(2), rows.getString(3));
    return new Relation(rows.getLong(1), id, kind, rows.getLong(5));
  }

  private List<SourceTable> described(List<Relation> relations) throws SQLException {
    if (relations.isEmpty()) {
      return List.of();
    }
    String oids =
        relations.stream()
            .map(relation -> Long.toString(relation.oid()))
            .collect(Collectors.joining(",", "{", "}"));
    Map<Long, List<SourceColumn>> columns = new HashMap<>();
    session.list(
        COLUMNS,
        rows ->
            columns.computeIfAbsent(rows.getLong(1), oid -> new ArrayList<>()).add(column(rows)),
        oids);
    Map<Long, Key> keys = new HashMap<>();
    session.list(
        KEYS,
        rows -> {
          List<String> names = List.of((String[]) rows.getArray(3).getArray());
          return keys.putIfAbsent(rows.getLong(1), new Key(rows.getBoolean(2), names)) == null;
        },
        oids);
    Key none = new Key(false, List.of());
    List<SourceTable> tables = new ArrayList<>();
    for (Relation relation : relations) {
      Key key = keys.getOrDefault(relation.oid(), none);
      tables.add(
          new SourceTable(
              relation.id(),
              relation.kind(),
              columns.getOrDefault(relation.oid(), List.of()),
              key.primary() ? key.columns() : List.of(),
              key.columns(),
              relation.estimatedRows()));
    }
    return tables;
  }

  private static SourceColumn column(ResultSet rows) throws SQLException {
    return new SourceColumn(
        rows.getString(2),
        rows.getInt(3),
        rows.getString(4),
        rows.getBoolean(5) ? Nullability.NOT_NULL : Nullability.NULLABLE);
  }
}
