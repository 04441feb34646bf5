package io.lakexpress.connect.source.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** How the columns of tables are looked up. */
final class SqlServerTypes {
  /**
   * One row per column of the objects whose ids replace {@code $ids}. Hidden columns are those of
   * system-versioned tables, which are read, and the inner ones of graph tables, which cannot be.
   * NOT NULL counts only where the database sees to it: not for views and external tables.
   */
  private static final String OF_OBJECTS =
      """
      SELECT c.object_id, c.name, c.column_id,
             CASE WHEN ut.is_assembly_type = 0 THEN st.name
                  WHEN ut.is_user_defined = 0 THEN ut.name
                  ELSE N'clr' END,
             c.max_length, c.precision, c.scale, c.collation_name,
             CASE WHEN c.is_nullable = 0 AND t.is_external = 0 THEN 1 ELSE 0 END
        FROM sys.columns AS c
        JOIN sys.types AS ut ON ut.user_type_id = c.user_type_id
        LEFT JOIN sys.types AS st ON st.user_type_id = c.system_type_id
        LEFT JOIN sys.tables AS t ON t.object_id = c.object_id
       WHERE c.object_id IN ($ids)
         AND NOT (c.is_hidden = 1 AND c.generated_always_type = 0)
       ORDER BY c.object_id, c.column_id
      """;

  private SqlServerTypes() {}

  /**
   * The statement that lists them.
   *
   * @param objectIds numbers joined by commas
   */
  static String ofObjects(String objectIds) {
    return OF_OBJECTS.replace("$ids", objectIds);
  }

  static SqlServerType read(ResultSet rows) throws SQLException {
    String name = rows.getString(4);
    return new SqlServerType(
        rows.getString(2),
        rows.getInt(3),
        name == null ? SqlServerType.CLR : name,
        rows.getInt(5),
        rows.getInt(6),
        rows.getInt(7),
        rows.getString(8),
        rows.getInt(9) == 1);
  }
}
