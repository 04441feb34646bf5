package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger.Staged;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/** A registered file that takes rows until it is staged or discarded. Owned by one thread. */
final class OpenFile {
  private static final long BYTES_BETWEEN_MEASURES = 256 << 10;
  private static final long ROWS_BETWEEN_MEASURES = 1_000;

  private final long fileId;
  private final FileTarget target;
  private final LakePath path;
  private final StagingHandle handle;
  private final StagedFile output;
  private final RowFileWriter writer;
  private final Schema schema;
  private final MemoryBudget.Share memory;
  private final Clock clock;
  private final Instant openedAt;
  private Schema accepted;
  private long lastRowAtMillis;
  private long rows;
  private long lastOffset;
  private long bytes;
  private long heldBytes;
  private long measureAtRow = 1;
  private long parts;
  private boolean isKept;

  OpenFile(
      Registered registered,
      StagedFile output,
      RowFileWriter writer,
      Schema schema,
      MemoryBudget.Share memory,
      Clock clock) {
    this.fileId = registered.fileId();
    this.target = registered.target();
    this.path = registered.path();
    this.handle = registered.handle();
    this.output = output;
    this.writer = writer;
    this.schema = schema;
    this.accepted = schema;
    this.memory = memory;
    this.clock = clock;
    this.openedAt = clock.instant();
    this.lastRowAtMillis = clock.millis();
  }

  /** A file as the ledger knows it before its first byte. */
  record Registered(long fileId, FileTarget target, LakePath path, StagingHandle handle) {}

  /** Whether a row of this target and schema belongs here. */
  boolean takes(FileTarget rowTarget, Schema rowSchema, RowFileFormat format) {
    if (!target.equals(rowTarget)) {
      return false;
    }
    if (rowSchema != accepted) {
      if (!format.accepts(schema, rowSchema)) {
        return false;
      }
      accepted = rowSchema;
    }
    return true;
  }

  void write(Struct row, long offset) {
    writer.write(row);
    lastRowAtMillis = clock.millis();
    rows++;
    lastOffset = offset;
    if (rows >= measureAtRow) {
      measure();
    }
  }

  /** Looks at sizes rarely: soon after large rows, seldom after small ones. */
  private void measure() {
    bytes = writer.estimatedBytes();
    long held = writer.bufferedBytes() + output.bufferedBytes();
    memory.change(held - heldBytes);
    heldBytes = held;
    long rowBytes = Math.max(1, Math.max(bytes, held) / rows);
    long step = Math.min(ROWS_BETWEEN_MEASURES, BYTES_BETWEEN_MEASURES / rowBytes);
    measureAtRow = rows + Math.max(1, Math.min(rows, step));
  }

  /** Makes the file durable, still invisible. Afterwards it can only be entered or discarded. */
  Staged stage() {
    writer.finish();
    bytes = output.position();
    StagingHandle staged = output.stage();
    parts = output.parts();
    release();
    return new Staged(fileId, staged.text(), rows, bytes, lastOffset);
  }

  /** Gives up a file that was not staged. */
  void discard() {
    try {
      writer.discard();
    } finally {
      output.discard();
      release();
    }
  }

  private void release() {
    memory.change(-heldBytes);
    heldBytes = 0;
  }

  /** The file is wanted although it has no rows; the record at this offset says so. */
  void keepWithoutRows(long offset) {
    isKept = true;
    lastOffset = offset;
  }

  /** Whether it is not worth staging. */
  boolean isUseless() {
    return rows == 0 && !isKept;
  }

  boolean isFull(RollPolicy policy) {
    return policy.isFull(rows, bytes);
  }

  /** A file is opened for its first row, so its age counts from that row. */
  boolean isDue(RollPolicy policy) {
    return policy.isDue(Duration.between(openedAt, clock.instant()));
  }

  boolean isQuietFor(Duration time) {
    return clock.millis() - lastRowAtMillis >= time.toMillis();
  }

  long fileId() {
    return fileId;
  }

  /** Null for a topic without jobs. */
  String jobId() {
    return target.jobId();
  }

  LakePath path() {
    return path;
  }

  StagingHandle handle() {
    return handle;
  }

  long rows() {
    return rows;
  }

  long heldBytes() {
    return heldBytes;
  }

  Instant openedAt() {
    return openedAt;
  }

  /** In how many parts it was staged. */
  long parts() {
    return parts;
  }
}
