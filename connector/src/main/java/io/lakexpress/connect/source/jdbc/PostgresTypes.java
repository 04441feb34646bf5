package io.lakexpress.connect.source.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** How the types of a table's columns are looked up. */
final class PostgresTypes {
  /**
   * One row per column; domains are followed down to what they are made of. NOT NULL counts only
   * where the database sees to it: not for domains (an outer join puts NULL there all the same),
   * nor for foreign tables.
   */
  static final String OF_TABLE =
      """
      SELECT a.attname, format_type(a.atttypid, a.atttypmod),
             a.attnotnull AND c.relkind <> 'f',
             vn.nspname, v.typname, value.typmod,
             CASE WHEN is_array.yes THEN GREATEST(a.attndims, t.typndims, 1) ELSE 0 END,
             v.typdelim
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN pg_type t ON t.oid = a.atttypid
       CROSS JOIN LATERAL (
               WITH RECURSIVE chain(oid, typmod, depth) AS (
                 SELECT a.atttypid, a.atttypmod, 0
                  UNION ALL
                 SELECT d.typbasetype, d.typtypmod, chain.depth + 1
                   FROM chain JOIN pg_type d ON d.oid = chain.oid AND d.typtype = 'd')
               SELECT oid, typmod FROM chain ORDER BY depth DESC LIMIT 1) base
        JOIN pg_type b ON b.oid = base.oid
       CROSS JOIN LATERAL (SELECT b.typoutput = 'array_out'::regproc AS yes) is_array
       CROSS JOIN LATERAL (
               WITH RECURSIVE chain(oid, typmod, depth) AS (
                 SELECT CASE WHEN is_array.yes THEN b.typelem ELSE b.oid END, base.typmod, 0
                  UNION ALL
                 SELECT d.typbasetype, d.typtypmod, chain.depth + 1
                   FROM chain JOIN pg_type d ON d.oid = chain.oid AND d.typtype = 'd')
               SELECT oid, typmod FROM chain ORDER BY depth DESC LIMIT 1) value
        JOIN pg_type v ON v.oid = value.oid
        JOIN pg_namespace vn ON vn.oid = v.typnamespace
       WHERE n.nspname = ? AND c.relname = ?
       ORDER BY a.attnum
      """;

  private PostgresTypes() {}

  static PostgresType read(ResultSet rows) throws SQLException {
    return new PostgresType(
        rows.getString(1),
        rows.getString(2),
        rows.getBoolean(3),
        rows.getString(4),
        rows.getString(5),
        rows.getInt(6),
        rows.getInt(7),
        rows.getString(8).charAt(0));
  }
}
