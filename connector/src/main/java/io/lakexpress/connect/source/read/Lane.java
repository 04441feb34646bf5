package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobStart.Claim;
import io.lakexpress.lxdb.Job;
import java.time.Duration;
import java.util.Optional;

/**
 * One job in hand, with a connection of its own, so that its cursor stays open while the tables of
 * other lanes have their turns. Owned by the reader's thread.
 */
final class Lane {
  private final SourceDatabase source;
  private final JobReader reader;
  private boolean busy;
  private int tries;
  private int unanswered;
  private boolean progressed;
  private String failure;
  private long notBefore;

  Lane(SourceDatabase source, JobReader reader) {
    this.source = source;
    this.reader = reader;
  }

  SourceDatabase source() {
    return source;
  }

  JobReader reader() {
    return reader;
  }

  boolean isBusy() {
    return busy;
  }

  void begin(Job job, Claim claim) {
    reader.begin(job, claim);
    busy = true;
    tries = 0;
    unanswered = 0;
    progressed = false;
    failure = null;
    notBefore = System.nanoTime();
  }

  void end() {
    busy = false;
    reader.end();
  }

  /** Notes that rows were handed over since the last failure. */
  void progressed() {
    progressed = true;
  }

  /** Counts a failure: how often the job was tried since it last came on. */
  int failedTry() {
    tries = progressed ? 1 : tries + 1;
    progressed = false;
    return tries;
  }

  /** Counts how often in a row the LakeXpress DB did not answer. */
  int unanswered() {
    return ++unanswered;
  }

  /**
   * The LakeXpress DB is not missed any more.
   *
   * @return whether it was
   */
  boolean answered() {
    boolean wasMissed = unanswered > 0;
    unanswered = 0;
    return wasMissed;
  }

  /** The job failed, which the LakeXpress DB is still to be told. */
  void fail(String reason) {
    failure = reason;
    reader.end();
  }

  Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  void waitFor(Duration time) {
    notBefore = System.nanoTime() + time.toNanos();
  }

  /** How long until the lane may have its next turn; not positive if it may now. */
  Duration untilReady() {
    return Duration.ofNanos(notBefore - System.nanoTime());
  }
}
