package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;

/** How a job is named where people read about it. */
final class JobText {
  private JobText() {}

  /** With table, run and window as the job has them. */
  static String of(Job job) {
    return of(job, job.lowerBound(), job.upperBound());
  }

  /**
   * With table, run and window.
   *
   * @param lower canonical text; null for a window that is open below
   * @param upper canonical text; null for a job without a bound
   */
  static String of(Job job, String lower, String upper) {
    return "Job "
        + job.jobId()
        + " of table "
        + job.table()
        + " in run "
        + job.runNumber()
        + " ("
        + job.runId()
        + "), "
        + work(job, lower, upper);
  }

  private static String work(Job job, String lower, String upper) {
    return switch (job.mode()) {
      case FULL -> "full export";
      case FIRST_SYNC, INCREMENTAL ->
          upper == null
              ? "without a bound"
              : "window from " + (lower == null ? "the beginning" : lower) + " to " + upper;
    };
  }
}
