package io.lakexpress.lxdb;

import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.SliceRule;
import io.lakexpress.watermark.TableId;
import java.time.Instant;
import java.util.Optional;

/**
 * One table (or slice) in one run, one attempt.
 *
 * @param jobId of the form {@code j-<letters and digits>}
 * @param incremental the text of the table spec, or empty for a full export
 * @param lowerBound see {@link NewJob}
 * @param upperBound see {@link NewJob}
 * @param attempt 1 for the first; a new attempt is a new job of the same run, table and slice
 * @param owner who reads it now, or null
 * @param rows rows announced by the closing record; -1 until delivered
 * @param refusedRows rows that went to the dead letter queue instead of a file
 * @param error what failed; null unless failed
 * @param replacedBy the job id of the next attempt; null for the latest
 * @param deliveredAt the LakeXpress DB's clock; null until delivered
 * @param sliceRule see {@link NewJob}
 * @param snapshot the database's name of the snapshot that the slices of this attempt share; null
 *     if they share none, or not yet
 */
public record Job(
    String jobId,
    String runId,
    long runNumber,
    Instant runStartedAt,
    String syncId,
    TableId table,
    Slice slice,
    JobMode mode,
    String incremental,
    String lowerBound,
    String upperBound,
    int attempt,
    String owner,
    Status status,
    long rows,
    long refusedRows,
    String error,
    String replacedBy,
    Instant deliveredAt,
    SliceRule sliceRule,
    String snapshot) {

  /** A job of a whole table. */
  public Job(
      String jobId,
      String runId,
      long runNumber,
      Instant runStartedAt,
      String syncId,
      TableId table,
      Slice slice,
      JobMode mode,
      String incremental,
      String lowerBound,
      String upperBound,
      int attempt,
      String owner,
      Status status,
      long rows,
      long refusedRows,
      String error,
      String replacedBy,
      Instant deliveredAt) {
    this(
        jobId,
        runId,
        runNumber,
        runStartedAt,
        syncId,
        table,
        slice,
        mode,
        incremental,
        lowerBound,
        upperBound,
        attempt,
        owner,
        status,
        rows,
        refusedRows,
        error,
        replacedBy,
        deliveredAt,
        null,
        null);
  }

  public Optional<String> lower() {
    return Optional.ofNullable(lowerBound);
  }

  public Optional<String> upper() {
    return Optional.ofNullable(upperBound);
  }

  public Optional<String> failure() {
    return Optional.ofNullable(error);
  }

  public Optional<SliceRule> rule() {
    return Optional.ofNullable(sliceRule);
  }

  public Optional<String> sharedSnapshot() {
    return Optional.ofNullable(snapshot);
  }

  public boolean isReplaced() {
    return replacedBy != null;
  }
}
