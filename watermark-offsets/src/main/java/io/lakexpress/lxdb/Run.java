package io.lakexpress.lxdb;

import java.time.Instant;
import java.util.Optional;

/**
 * One execution of a sync as the LakeXpress DB knows it.
 *
 * @param number counts the runs of the sync from 1; order is by number, never by time
 * @param startedAt the source database's clock
 * @param openedAt the LakeXpress DB's clock when the run was opened; what "due" is measured by
 * @param closedAt when the last job was delivered or failed, or null while it is open
 * @param error what failed, for a failed run; null otherwise
 */
public record Run(
    String runId,
    String syncId,
    long number,
    String cause,
    Instant startedAt,
    Instant openedAt,
    Instant upperBound,
    String guardNote,
    Status status,
    Instant closedAt,
    String error) {

  /** Whether jobs of this run may still be delivering; one run of a sync is open at a time. */
  public boolean isOpen() {
    return closedAt == null;
  }

  public Optional<Instant> closed() {
    return Optional.ofNullable(closedAt);
  }
}
