package io.lakexpress.lxdb;

import java.time.Instant;
import java.util.List;

/**
 * A run to be opened, with everything fixed.
 *
 * @param cause why it starts: {@code schedule}, {@code requested}, {@code start}, {@code repair}
 * @param startedAt the source database's clock, taken once
 * @param upperBound the instant {@code d_new} was computed from: run start less lag, or the guard's
 * @param guardNote who held the bound back; empty if nobody did
 */
public record NewRun(
    String syncId,
    String cause,
    Instant startedAt,
    Instant upperBound,
    String guardNote,
    List<NewJob> jobs) {
  public NewRun {
    jobs = List.copyOf(jobs);
  }
}
