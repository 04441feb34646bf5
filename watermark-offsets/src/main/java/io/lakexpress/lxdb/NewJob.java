package io.lakexpress.lxdb;

import java.util.Optional;

/**
 * A job to be created when a run opens.
 *
 * @param lowerBound canonical text of {@code d_old}; null for a full export or a first sync without
 *     start
 * @param upperBound canonical text of {@code d_new}; null for a full export, and for an incremental
 *     table that has no bound yet (an empty integer table): such a job delivers no row
 */
public record NewJob(PlannedUnit unit, JobMode mode, String lowerBound, String upperBound) {
  public Optional<String> lower() {
    return Optional.ofNullable(lowerBound);
  }

  public Optional<String> upper() {
    return Optional.ofNullable(upperBound);
  }
}
