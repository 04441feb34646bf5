package io.lakexpress.connect.lake.file;

import java.util.concurrent.atomic.LongAdder;

/** What a writer did since it began. Written by its task, read by anybody. */
public final class WriterCounters {
  final LongAdder rows = new LongAdder();
  final LongAdder nullValues = new LongAdder();
  final LongAdder refusedRows = new LongAdder();
  final LongAdder passedOver = new LongAdder();
  final LongAdder files = new LongAdder();
  final LongAdder earlyRolls = new LongAdder();

  WriterCounters() {}

  /** Rows written into files, also into files that were discarded later. */
  public long rows() {
    return rows.sum();
  }

  /** Records without a value that were ignored. */
  public long nullValues() {
    return nullValues.sum();
  }

  /** Rows handed to the dead letter queue. */
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
