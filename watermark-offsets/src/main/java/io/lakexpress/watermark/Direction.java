package io.lakexpress.watermark;

/** Which bound of a window belongs to it. */
public enum Direction {
  /** {@code (d_old, d_new]}: the upper bound is included. */
  INCLUSIVE("i"),
  /** {@code [d_old, d_new)}: the upper bound is excluded; with dates only closed days are read. */
  EXCLUSIVE("e");

  private final String text;

  Direction(String text) {
    this.text = text;
  }

  /** The letter as written in a spec. */
  public String text() {
    return text;
  }
}
