package io.lakexpress.connect.source.read;

import java.util.Comparator;
import java.util.List;

/**
 * What is to be said about a sync's source at one moment.
 *
 * @param runNumber of the latest run seen; 0 before the first
 * @param runState {@code open}, {@code delivered} or {@code failed}; empty before the first
 * @param heldBackSeconds how much the guard against late commits lowered the bound of that run
 * @param guardNote who held it back; empty if nobody did
 * @param deliveriesWaiting acknowledged jobs that the LakeXpress DB has not taken yet
 * @param lakexpressDbDownSeconds for how long the LakeXpress DB has not answered; 0 if it does
 * @param sourceDownSeconds for how long the source database could not be asked for a run or opened;
 *     0 if it could
 */
public record SyncFigures(
    long runNumber,
    String runState,
    long heldBackSeconds,
    String guardNote,
    long deliveriesWaiting,
    long lakexpressDbDownSeconds,
    long sourceDownSeconds) {

  /** What is known where no task runs. */
  public static final SyncFigures NONE = new SyncFigures(0, "", 0, "", 0, 0, 0);

  /**
   * Several tasks' figures as one: the newest run, all deliveries that wait, the longest outage.
   */
  public static SyncFigures together(List<SyncFigures> all) {
    // A task that saw the run end knows more than one that has not looked again.
    SyncFigures latest =
        all.stream()
            .max(
                Comparator.comparingLong(SyncFigures::runNumber)
                    .thenComparing(one -> !one.runState().equals(SyncMetrics.OPEN)))
            .orElse(NONE);
    return new SyncFigures(
        latest.runNumber(),
        latest.runState(),
        latest.heldBackSeconds(),
        latest.guardNote(),
        all.stream().mapToLong(SyncFigures::deliveriesWaiting).sum(),
        all.stream().mapToLong(SyncFigures::lakexpressDbDownSeconds).max().orElse(0),
        all.stream().mapToLong(SyncFigures::sourceDownSeconds).max().orElse(0));
  }
}
