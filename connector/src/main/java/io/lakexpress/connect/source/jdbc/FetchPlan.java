package io.lakexpress.connect.source.jdbc;

/**
 * How many rows to fetch at once, so that a fetch stays below a number of rows and about below a
 * number of bytes: it begins small, grows at most fourfold from fetch to fetch, and goes by the
 * largest row seen lately, since wide rows tend to come together.
 */
final class FetchPlan {
  private static final int FIRST = 500;

  private final int maxRows;
  private final long maxBytes;
  private int size;
  private int left;
  private long largestNow = 1;
  private long largestBefore = 1;

  /**
   * @param estimatedRowBytes 0 if nothing is known
   */
  FetchPlan(int maxRows, long maxBytes, long estimatedRowBytes) {
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
    this.size =
        estimatedRowBytes <= 0 ? 1 : clamp(Math.min(FIRST, maxBytes / (2 * estimatedRowBytes)));
    this.left = size;
  }

  /** Rows of the next fetch. */
  int size() {
    return size;
  }

  /** Notes a row; true if the size of the next fetch has just been decided anew. */
  boolean note(long bytes) {
    largestNow = Math.max(largestNow, bytes);
    left--;
    if (left > 0) {
      return false;
    }
    long largest = Math.max(largestNow, largestBefore / 2);
    size = clamp(Math.min(4L * size, maxBytes / largest));
    left = size;
    largestBefore = largest;
    largestNow = 1;
    return true;
  }

  private int clamp(long rows) {
    return (int) Math.max(1, Math.min(maxRows, rows));
  }
}
