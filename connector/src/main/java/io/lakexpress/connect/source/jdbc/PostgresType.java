package io.lakexpress.connect.source.jdbc;

/**
 * A column's type as the catalogue describes it, domains resolved to what they are made of.
 *
 * @param column the column's name
 * @param declared the type as declared
 * @param notNull whether the column never holds NULL
 * @param schema where the type lives
 * @param name of the type, or of the element's type for an array
 * @param modifier of the type, or of the element's type; -1 without
 * @param dimensions 0 for anything but an array
 * @param delimiter between the elements of an array
 */
record PostgresType(
    String column,
    String declared,
    boolean notNull,
    String schema,
    String name,
    int modifier,
    int dimensions,
    char delimiter) {
  private static final int HEADER = 4;

  boolean isArray() {
    return dimensions > 0;
  }

  boolean isBuiltIn() {
    return schema.equals("pg_catalog");
  }

  /** Whether a numeric has a precision. */
  boolean hasPrecision() {
    return modifier >= HEADER;
  }

  /** Digits of a numeric with a precision that a decimal of its {@link #scale} needs. */
  int precision() {
    int declaredPrecision = ((modifier - HEADER) >> 16) & 0xffff;
    return Math.max(declaredPrecision + Math.max(0, -declaredScale()), scale());
  }

  /** Digits behind the point of a numeric with a precision; a negative scale counts as 0. */
  int scale() {
    return Math.max(0, declaredScale());
  }

  private int declaredScale() {
    return (((modifier - HEADER) & 0x7ff) ^ 1024) - 1024;
  }
}
