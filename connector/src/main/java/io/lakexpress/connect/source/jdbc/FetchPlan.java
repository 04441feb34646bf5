package io.lakexpress.connect.source.jdbc;

/**
 * How many rows to fetch at once, so that a fetch stays below a number of rows and about below a
 * number of bytes. What the catalogue says about a table's width tells nothing of compressed
 * values, so it begins with one row, grows at most eightfold from fetch to fetch, and goes by the
 * largest row seen lately, since wide rows tend to come together.
 */
final class FetchPlan {
  private static final long GROWTH = 8;

  private final int maxRows;
  private final long maxBytes;
  private int size = 1;
  private int left = 1;
  private long largestNow = 1;
  private long largestBefore = 1;

  FetchPlan(int maxRows, long maxBytes) {
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
  }

  /** Rows of the next fetch. */
  int size() {
    return size;
  }

  /** Notes a row; true if it was the last of its fetch, so that the next size is decided. */
  boolean note(long bytes) {
    largestNow = Math.max(largestNow, bytes);
    left--;
    if (left > 0) {
      return false;
    }
    long largest = Math.max(largestNow, largestBefore / 2);
    size = (int) Math.max(1, Math.min(maxRows, Math.min(GROWTH * size, maxBytes / largest)));
    left = size;
    largestBefore = largest;
    largestNow = 1;
    return true;
  }
}
