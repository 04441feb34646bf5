package io.lakexpress.connect.source.jdbc;

import java.util.Set;

/**
 * A column of a key: the exact text that a cursor keeps of it, and how the database takes that text
 * back for a comparison in the column's own type, order and collation.
 */
record SqlServerKeyColumn(SqlServerType type) {
  /** Types whose value in the select list the driver reads as that text. */
  private static final Set<String> READS_AS_TEXT =
      Set.of(
          "tinyint",
          "smallint",
          "int",
          "bigint",
          "char",
          "varchar",
          "nchar",
          "nvarchar",
          "uniqueidentifier");

  boolean readsAsText() {
    return READS_AS_TEXT.contains(type.name());
  }

  /** The text as an item of the select list. */
  String text(String sql) {
    return switch (type.name()) {
      case "date" -> convert("varchar(10)", sql, 23);
      case "time" -> convert("varchar(16)", sql, 121);
      case "datetime", "smalldatetime", "datetime2", "datetimeoffset" ->
          convert("varchar(33)", sql, 126);
      // All 17 digits, which name one value.
      case "real", "float" -> convert("varchar(32)", sql, 3);
      case "money", "smallmoney" -> convert("varchar(32)", sql, 2);
      case "binary", "varbinary" -> convert("varchar(4000)", sql, 2);
      case "timestamp" -> "CONVERT(varchar(16), CAST(" + sql + " AS binary(8)), 2)";
      case "hierarchyid" -> sql + ".ToString()";
      default -> "CONVERT(varchar(64), " + sql + ")";
    };
  }

  /** What stands in a statement for a value of the column. */
  String placeholder() {
    return switch (type.name()) {
      case "binary", "varbinary" -> "CONVERT(" + type.declared() + ", ?, 2)";
      case "timestamp" -> "CONVERT(binary(8), ?, 2)";
      // Without the column's collation the text would go through the database's code page.
      case "char", "varchar" ->
          "CAST(? COLLATE " + type.collation() + " AS " + type.declared() + ")";
      default -> "CAST(? AS " + type.declared() + ")";
    };
  }

  /** What to bind for the text. */
  Object parameter(String text) {
    return switch (type.name()) {
      case "real", "float" -> Double.valueOf(text);
      default -> text;
    };
  }

  private static String convert(String type, String sql, int style) {
    return "CONVERT(" + type + ", " + sql + ", " + style + ")";
  }
}
