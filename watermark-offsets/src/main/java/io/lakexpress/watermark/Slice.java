package io.lakexpress.watermark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A share of one window or export: slice {@code index} of {@code count}, counted from 1. Its text
 * form is {@code 1/4}; a table that is not sliced is {@code 1/1}, see {@link #WHOLE}.
 */
public record Slice(int index, int count) implements Comparable<Slice> {
  /** The whole table in one piece. */
  public static final Slice WHOLE = new Slice(1, 1);

  private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,9})/([1-9][0-9]{0,9})");

  public Slice {
    if (count < 1 || index < 1 || index > count) {
      throw new IllegalArgumentException(
          "Invalid slice " + index + "/" + count + ": expected 1/n to n/n");
    }
  }

  /** Reads the text form back. */
  public static Slice parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw invalid(text);
    }
    try {
      return new Slice(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    } catch (NumberFormatException e) {
      throw invalid(text);
    }
  }

  private static IllegalArgumentException invalid(String text) {
    return new IllegalArgumentException("Invalid slice '" + text + "': expected for example 1/4");
  }

  public boolean isWhole() {
    return count == 1;
  }

  @Override
  public int compareTo(Slice other) {
    return count != other.count
        ? Integer.compare(count, other.count)
        : Integer.compare(index, other.index);
  }

  @Override
  public String toString() {
    return index + "/" + count;
  }
}
