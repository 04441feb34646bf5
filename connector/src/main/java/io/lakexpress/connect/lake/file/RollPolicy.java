package io.lakexpress.connect.lake.file;

import java.time.Duration;

/**
 * When a file is large or old enough to be closed.
 *
 * @param rows the most rows of a file; {@link #UNLIMITED} for no limit
 * @param bytes the size at which a file is closed
 * @param age the time since the file's first row, by the wall clock
 */
public record RollPolicy(long rows, long bytes, Duration age) {
  /** No limit on the number of rows. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  public RollPolicy {
    if (rows < 1 || bytes < 1 || age.isNegative() || age.isZero()) {
      throw new IllegalArgumentException(
          "Invalid roll policy of "
              + rows
              + " rows, "
              + bytes
              + " bytes, "
              + age
              + ": expected positive limits");
    }
  }

  /** Whether a file of this many rows and bytes is full. */
  public boolean isFull(long fileRows, long fileBytes) {
    return fileRows >= rows || fileBytes >= bytes;
  }

  /** Whether a file whose first row came this long ago is due. */
  public boolean isDue(Duration sinceFirstRow) {
    return sinceFirstRow.compareTo(age) >= 0;
  }
}
