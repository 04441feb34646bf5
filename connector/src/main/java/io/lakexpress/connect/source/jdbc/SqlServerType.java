package io.lakexpress.connect.source.jdbc;

import java.util.Set;

/**
 * A column's type as the catalogue describes it, alias types resolved to the system's own.
 *
 * @param name the system's name of the type; {@link #CLR} for a type that users have made of .NET
 * @param maxLength in bytes; -1 for the large types
 * @param scale digits behind the point, of a number or of a second
 * @param collation of a text; null for everything else
 */
record SqlServerType(
    String column,
    int ordinal,
    String name,
    int maxLength,
    int precision,
    int scale,
    String collation,
    boolean notNull) {
  /** What types made of .NET are called here. */
  static final String CLR = "clr";

  private static final Set<String> BY_CHARACTERS = Set.of("nchar", "nvarchar");
  private static final Set<String> BY_BYTES = Set.of("char", "varchar", "binary", "varbinary");
  private static final Set<String> BY_FRACTION = Set.of("time", "datetime2", "datetimeoffset");

  /** The type as one declares it, which also is what values are cast to. */
  String declared() {
    if (name.equals("timestamp")) {
      return "rowversion";
    }
    if (BY_CHARACTERS.contains(name)) {
      return name + (maxLength < 0 ? "(max)" : "(" + maxLength / 2 + ")");
    }
    if (BY_BYTES.contains(name)) {
      return name + (maxLength < 0 ? "(max)" : "(" + maxLength + ")");
    }
    if (BY_FRACTION.contains(name)) {
      return name + "(" + scale + ")";
    }
    if (name.equals("decimal") || name.equals("numeric")) {
      return name + "(" + precision + "," + scale + ")";
    }
    return name;
  }

  /** Whether a column of it can be part of a key that rows are ordered by. */
  boolean canOrder() {
    return !name.equals("sql_variant") && !name.equals(CLR);
  }
}
