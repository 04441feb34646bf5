package io.lakexpress.connect.source.jdbc.tds;

/** A column of a result set. */
public record TdsColumn(String name, TdsType type) {
  public static TdsColumn of(String name, TdsType type) {
    return new TdsColumn(name, type);
  }
}
