package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.Status;
import java.util.List;
import java.util.Optional;

/** What the LakeXpress DB knows of the other slices of a job's table. */
final class Siblings {
  private static final String CONSEQUENCE = "Cannot read the slices of table ";

  private final Patience patience;
  private final LakexpressDb db;

  Siblings(Patience patience, LakexpressDb db) {
    this.patience = patience;
    this.db = db;
  }

  /** All slices of the job's table in a run, in their latest attempts. */
  private List<Job> of(String runId, Job job) {
    return patience.ask(() -> db.runs().jobs(runId)).stream()
        .filter(one -> one.table().equals(job.table()))
        .toList();
  }

  /** The latest attempt at the job's slice in another run. */
  Optional<Job> ofSlice(String runId, Job job) {
    return of(runId, job).stream().filter(one -> one.slice().equals(job.slice())).findFirst();
  }

  /** Rows of the delivered slices besides the job. */
  long rowsOfOthers(Job job) {
    if (job.slice().isWhole()) {
      return 0;
    }
    return of(job.runId(), job).stream()
        .filter(one -> !one.slice().equals(job.slice()) && one.deliveredAt() != null)
        .mapToLong(Job::rows)
        .sum();
  }

  /**
   * All slices of the first one's run, once all but itself are delivered.
   *
   * @param waiting the job of the open run for which somebody waits
   * @throws JobReader.Postponed while one is not
   * @throws TableFailure if one of the open run will not be
   */
  List<Job> allDelivered(Job first, Job waiting) {
    List<Job> all = of(first.runId(), first);
    List<Job> open =
        all.stream()
            .filter(one -> !one.slice().equals(first.slice()) && one.deliveredAt() == null)
            .toList();
    if (open.isEmpty() && all.size() == first.slice().count()) {
      return all;
    }
    throw awaited(
        waiting,
        (all.size() - open.size() - 1) + " of its other " + (all.size() - 1) + " slices are read");
  }

  /**
   * What to throw while others are waited for.
   *
   * @throws TableFailure if one of them failed in the open run, so that nothing comes
   */
  JobReader.Postponed awaited(Job waiting, String reason) {
    for (Job one : of(waiting.runId(), waiting)) {
      boolean isOther = !one.slice().equals(waiting.slice());
      if (one.status() == Status.FAILED && isOther && !isConsequence(one)) {
        throw new TableFailure(
            CONSEQUENCE
                + waiting.table()
                + " whole in this run, since slice "
                + one.slice()
                + " failed: "
                + one.failure().orElse("for an unknown reason"));
      }
    }
    return new JobReader.Postponed("slice " + waiting.slice() + ": " + reason);
  }

  /** Whether it failed only as others had: what is told is what came first. */
  private static boolean isConsequence(Job job) {
    return job.failure().orElse("").startsWith(CONSEQUENCE);
  }
}
