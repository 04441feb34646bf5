package io.lakexpress.connect.lake.file;

import java.util.List;

/**
 * What lake writers do at one moment, and have done since they began.
 *
 * @param bufferedBytes heap that open files hold
 * @param oldestOpenFileSeconds age of the oldest open file; 0 if none is open
 * @param rows written into files, also into files that were discarded later
 * @param files entered in the ledger, with their bytes and parts
 * @param retries calls that were put off since a service was down
 * @param earlyRolls rolls that only the memory budget asked for
 * @param refusedRecords handed to the dead letter queue
 * @param nullValues records without a value that were ignored
 * @param passedOver rows that belong to no job which could still land
 */
public record WriterFigures(
    long openFiles,
    long bufferedBytes,
    long oldestOpenFileSeconds,
    long rows,
    long files,
    long bytes,
    long parts,
    long retries,
    long earlyRolls,
    long refusedRecords,
    long nullValues,
    long passedOver) {
  /** Of no writer. */
  public static final WriterFigures NONE = new WriterFigures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** What several writers do together. */
  public static WriterFigures together(List<WriterFigures> all) {
    return all.stream().reduce(NONE, WriterFigures::plus);
  }

  /** What stays once the writer is gone. */
  public WriterFigures counts() {
    return new WriterFigures(
        0,
        0,
        0,
        rows,
        files,
        bytes,
        parts,
        retries,
        earlyRolls,
        refusedRecords,
        nullValues,
        passedOver);
  }

  private WriterFigures plus(WriterFigures other) {
    return new WriterFigures(
        openFiles + other.openFiles,
        bufferedBytes + other.bufferedBytes,
        Math.max(oldestOpenFileSeconds, other.oldestOpenFileSeconds),
        rows + other.rows,
        files + other.files,
        bytes + other.bytes,
        parts + other.parts,
        retries + other.retries,
        earlyRolls + other.earlyRolls,
        refusedRecords + other.refusedRecords,
        nullValues + other.nullValues,
        passedOver + other.passedOver);
  }
}
