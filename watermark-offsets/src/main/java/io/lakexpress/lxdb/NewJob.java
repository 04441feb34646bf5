package io.lakexpress.lxdb;

import io.lakexpress.watermark.SliceRule;
import java.util.Optional;

/**
 * A job to be created when a run opens.
 *
 * @param lowerBound canonical text of {@code d_old}; null for a full export or a first sync without
 *     start
 * @param upperBound canonical text of {@code d_new}; null for a full export, and for an incremental
 *     table that has no bound yet (an empty integer table): such a job delivers no row
 * @param sliceRule which rows belong to the unit's slice; null for a whole table
 */
public record NewJob(
    PlannedUnit unit, JobMode mode, String lowerBound, String upperBound, SliceRule sliceRule) {
  /** A job for a whole table. */
  public NewJob(PlannedUnit unit, JobMode mode, String lowerBound, String upperBound) {
    this(unit, mode, lowerBound, upperBound, null);
  }

  public Optional<String> lower() {
    return Optional.ofNullable(lowerBound);
  }

  public Optional<String> upper() {
    return Optional.ofNullable(upperBound);
  }
}
