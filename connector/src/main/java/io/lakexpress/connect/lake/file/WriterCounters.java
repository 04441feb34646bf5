package io.lakexpress.connect.lake.file;

import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;

/** What a writer did since it began. Written by its task, read by anybody. */
public final class WriterCounters {
  final LongAdder rows = new LongAdder();
  final LongAdder nullValues = new LongAdder();
  final LongAdder refusedRows = new LongAdder();
  final LongAdder passedOver = new LongAdder();
  private final LongAdder files = new LongAdder();
  final LongAdder earlyRolls = new LongAdder();
  final LongAdder retries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder parts = new LongAdder();
  private volatile OpenFiles open = OpenFiles.NONE;

  WriterCounters() {}

  /** A file is in the ledger. */
  void entered(long fileBytes, long fileParts) {
    files.increment();
    bytes.add(fileBytes);
    parts.add(fileParts);
  }

  void nowOpen(OpenFiles now) {
    open = now;
  }

  WriterFigures at(Instant now) {
    OpenFiles present = open;
    return new WriterFigures(
        present.count(),
        present.heldBytes(),
        present.oldestSeconds(now),
        rows(),
        files(),
        bytes.sum(),
        parts.sum(),
        retries.sum(),
        earlyRolls(),
        refusedRows(),
        nullValues(),
        passedOver());
  }

  /** Rows written into files, also into files that were discarded later. */
  public long rows() {
    return rows.sum();
  }

  /** Records without a value that were ignored. */
  public long nullValues() {
    return nullValues.sum();
  }

  /** Records handed to the dead letter queue. */
  public long refusedRows() {
    return refusedRows.sum();
  }

  /** Rows that belong to no job which could still land here. */
  public long passedOver() {
    return passedOver.sum();
  }

  /** Files entered in the ledger. */
  public long files() {
    return files.sum();
  }

  /** Rolls that only the memory budget asked for. */
  public long earlyRolls() {
    return earlyRolls.sum();
  }
}
