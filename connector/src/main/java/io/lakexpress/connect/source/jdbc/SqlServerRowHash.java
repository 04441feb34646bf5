package io.lakexpress.connect.source.jdbc;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The SQL of a hash over all columns of a row, by which the rows of a table without a key are
 * ordered. It is made of the bytes in which the database keeps the values, not of texts, so nothing
 * depends on styles, languages or collations, and rows with one hash are the same to the last bit.
 * Each column adds one byte for NULL, else one byte and its own hash, so no two rows run together.
 */
final class SqlServerRowHash {
  private SqlServerRowHash() {}

  /**
   * The hash, 32 bytes.
   *
   * @param sql names a column in the statement
   */
  static String of(List<SqlServerType> types, UnaryOperator<String> sql) {
    return types.stream()
        .map(type -> column(type, sql.apply(type.column())))
        .collect(
            Collectors.joining(" + ", "HASHBYTES('SHA2_256', CAST(0x AS varbinary(max)) + ", ")"));
  }

  private static String column(SqlServerType type, String sql) {
    return "CASE WHEN "
        + sql
        + " IS NULL THEN 0x00 ELSE 0x01 + HASHBYTES('SHA2_256', "
        + bytes(type, sql)
        + ") END";
  }

  private static String bytes(SqlServerType type, String sql) {
    return switch (type.name()) {
      case "text" -> "CAST(CAST(" + sql + " AS varchar(max)) AS varbinary(max))";
      case "ntext", "xml", "json", "vector" ->
          "CAST(CAST(" + sql + " AS nvarchar(max)) AS varbinary(max))";
      // Values of different types may have the same bytes.
      case "sql_variant" ->
          "CAST(CAST("
              + sql
              + " AS varbinary(8000)) AS varbinary(max)) + CAST(SQL_VARIANT_PROPERTY("
              + sql
              + ", 'BaseType') AS varbinary(256))";
      default -> "CAST(" + sql + " AS varbinary(max))";
    };
  }
}
