package io.lakexpress.lxdb;

import java.time.Instant;
import java.util.List;

/** Notable events of a sync, as people read them in {@code export_log}. Thread-safe. */
public interface EventLog {
  /** One event; run and job id may be empty. */
  record Event(
      Instant at, String level, String syncId, String runId, String jobId, String message) {}

  void write(String level, String syncId, String runId, String jobId, String message);

  /** Newest first. */
  List<Event> events(String syncId, int max);
}
