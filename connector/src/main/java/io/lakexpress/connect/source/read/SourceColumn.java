package io.lakexpress.connect.source.read;

/**
 * A column as the catalogue describes it.
 *
 * @param type the database's own name of the type, with precision, for example {@code
 *     numeric(12,2)}
 */
public record SourceColumn(String name, int ordinal, String type, Nullability nullability) {
  /** Whether a column may hold NULL. */
  public enum Nullability {
    NOT_NULL,
    NULLABLE
  }
}
