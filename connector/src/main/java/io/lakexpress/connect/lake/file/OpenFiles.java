package io.lakexpress.connect.lake.file;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * The open files of a task at one moment.
 *
 * @param heldBytes heap that they hold
 * @param oldest when the oldest of them was opened; null if none is open
 */
record OpenFiles(long count, long heldBytes, Instant oldest) {
  static final OpenFiles NONE = new OpenFiles(0, 0, null);

  static OpenFiles of(Stream<OpenFile> files) {
    return files.reduce(NONE, OpenFiles::and, (one, other) -> one);
  }

  private OpenFiles and(OpenFile file) {
    boolean older = oldest == null || file.openedAt().isBefore(oldest);
    return new OpenFiles(count + 1, heldBytes + file.heldBytes(), older ? file.openedAt() : oldest);
  }

  long oldestSeconds(Instant now) {
    return oldest == null ? 0 : Math.max(0, Duration.between(oldest, now).toSeconds());
  }
}
