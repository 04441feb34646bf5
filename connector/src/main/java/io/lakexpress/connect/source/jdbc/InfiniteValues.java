package io.lakexpress.connect.source.jdbc;

/** Counts the infinite dates and times that a cursor hands over. Used by one thread. */
final class InfiniteValues {
  private long count;

  /** Counts one; gives back what stands for it. */
  <T> T counted(T value) {
    count++;
    return value;
  }

  long count() {
    return count;
  }
}
