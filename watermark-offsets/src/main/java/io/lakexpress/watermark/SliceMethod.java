package io.lakexpress.watermark;

import java.util.Locale;
import java.util.Optional;

/** How a large table is cut into slices. */
public enum SliceMethod {
  /** Not at all. */
  NONE("None"),
  /** By a hash of the key. */
  RANDOM("Random"),
  /** By equal ranges between the smallest and the largest value of a key column. */
  RANGE_ID("RangeId"),
  /** By ranges of a key column that hold equally many rows. */
  NTILE("Ntile"),
  /** By physical blocks, inside one snapshot; full exports only. */
  CTID("Ctid");

  private final String text;

  SliceMethod(String text) {
    this.text = text;
  }

  /** As it is written in specs. */
  public String text() {
    return text;
  }

  /**
   * Reads a method, ignoring case.
   *
   * @throws IllegalArgumentException for a method that is not offered, with what to use instead
   */
  public static SliceMethod parse(String word) {
    for (SliceMethod method : values()) {
      if (method.text.equalsIgnoreCase(word)) {
        return method;
      }
    }
    throw new IllegalArgumentException(
        "Invalid method '"
            + word
            + "': "
            + refusal(word)
                .map(reason -> reason + ", of None, Random, RangeId, Ntile, Ctid")
                .orElse("expected None, Random, RangeId, Ntile or Ctid"));
  }

  private static Optional<String> refusal(String word) {
    return Optional.ofNullable(
        switch (word.toLowerCase(Locale.ROOT)) {
          case "physloc", "rowid" ->
              "other databases' physical addresses change while a table is read outside of one"
                  + " snapshot; expected Random, or Ctid for full exports of PostgreSQL";
          case "datadriven" ->
              "one slice per value has no number that is fixed when a run opens;"
                  + " expected Ntile, which cuts at values of the column";
          case "timepartition" ->
              "folders by period are no part of this lake;"
                  + " expected RangeId or Ntile on a date or time of the key";
          default -> null;
        });
  }
}
