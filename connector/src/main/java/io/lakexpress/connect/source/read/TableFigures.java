package io.lakexpress.connect.source.read;

import java.util.Comparator;
import java.util.List;

/**
 * What is to be said about a table at one moment. Counts begin with the task.
 *
 * @param watermark canonical text of what is delivered; empty while there is none
 * @param lagSeconds how far what is delivered lies behind now; -1 while that is not known
 * @param rows handed over
 * @param jobs delivered
 * @param bytes handed over, as estimated for the batches
 * @param readMillis spent on queries, on fetching and on making records; not on waiting for Kafka
 * @param nullRows rows without a watermark, as counted by the last window
 * @param heldBackSeconds how much the guard against late commits lowered the last bound
 * @param lastError what failed last; empty once the table is delivered again
 * @param changedAt orders figures of several tasks: larger is later
 */
public record TableFigures(
    String watermark,
    long lagSeconds,
    long rows,
    long jobs,
    long bytes,
    long readMillis,
    long nullRows,
    long heldBackSeconds,
    long retries,
    TableState state,
    String lastError,
    long changedAt) {

  /** What is known of a table that nobody reads. */
  public static final TableFigures NONE =
      new TableFigures("", -1, 0, 0, 0, 0, 0, 0, 0, TableState.IDLE, "", Long.MIN_VALUE);

  /** Only the counts, as of a task that is gone. */
  public TableFigures counts() {
    return new TableFigures(
        "", -1, rows, jobs, bytes, readMillis, 0, 0, retries, TableState.IDLE, "", Long.MIN_VALUE);
  }

  /**
   * Several tasks' figures of one table as one: counts are added up, everything else is the word of
   * the task that had to do with it last. It is being read if anybody reads it.
   */
  public static TableFigures together(List<TableFigures> all) {
    TableFigures latest =
        all.stream().max(Comparator.comparingLong(TableFigures::changedAt)).orElse(NONE);
    boolean isRead = all.stream().anyMatch(one -> one.state() == TableState.READING);
    return new TableFigures(
        latest.watermark(),
        latest.lagSeconds(),
        all.stream().mapToLong(TableFigures::rows).sum(),
        all.stream().mapToLong(TableFigures::jobs).sum(),
        all.stream().mapToLong(TableFigures::bytes).sum(),
        all.stream().mapToLong(TableFigures::readMillis).sum(),
        latest.nullRows(),
        latest.heldBackSeconds(),
        all.stream().mapToLong(TableFigures::retries).sum(),
        isRead ? TableState.READING : latest.state(),
        latest.lastError(),
        latest.changedAt());
  }
}
