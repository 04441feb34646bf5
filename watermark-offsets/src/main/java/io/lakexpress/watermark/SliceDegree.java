package io.lakexpress.watermark;

/**
 * Into how many slices a large table is cut, as users write it: a number of slices, 0 for as many
 * as there are processors, a negative number for so many times fewer.
 */
public final class SliceDegree {
  /** More slices than this cost more than they gain. */
  public static final int LARGEST = 256;

  private SliceDegree() {}

  /**
   * Reads a degree.
   *
   * @throws IllegalArgumentException if it is no whole number from -256 to 256
   */
  public static int parse(String text) {
    try {
      return check(Integer.parseInt(text));
    } catch (NumberFormatException e) {
      throw invalid(text);
    }
  }

  static int check(int degree) {
    if (degree < -LARGEST || degree > LARGEST) {
      throw invalid(Integer.toString(degree));
    }
    return degree;
  }

  private static IllegalArgumentException invalid(String text) {
    return new IllegalArgumentException(
        "Invalid degree '"
            + text
            + "': expected a whole number from -"
            + LARGEST
            + " to "
            + LARGEST);
  }

  /** The number of slices on a machine with so many processors, at least 1. */
  public static int resolve(int degree, int processors) {
    int slices =
        degree > 0 ? degree : degree == 0 ? processors : processors / Math.negateExact(degree);
    return Math.max(1, Math.min(LARGEST, slices));
  }
}
