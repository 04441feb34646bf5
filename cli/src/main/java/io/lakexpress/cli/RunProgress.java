package io.lakexpress.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.standalone.ConnectRest;
import io.lakexpress.standalone.ConnectRestException;
import io.lakexpress.standalone.StackException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Follows a run in the LakeXpress DB until it has landed, and tells what changes. */
final class RunProgress {
  private static final int NOT_FOUND = 404;
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  private final LakexpressDb db;
  private final ConnectRest rest;
  private final List<String> connectors;
  private final PrintWriter out;

  RunProgress(LakexpressDb db, ConnectRest rest, List<String> connectors, PrintWriter out) {
    this.db = db;
    this.rest = rest;
    this.connectors = connectors;
    this.out = out;
  }

  /**
   * Waits for the first run after {@code previousNumber} to land; throws when it fails or takes too
   * long.
   */
  Run awaitLanded(String syncId, long previousNumber, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    Map<String, Status> seen = new LinkedHashMap<>();
    while (true) {
      Run run = db.runs().latestRun(syncId).orElse(null);
      if (run != null && run.number() > previousNumber) {
        print(run, seen);
        if (run.status() == Status.FAILED) {
          throw new StackException("Run " + run.number() + " failed: " + run.error());
        }
        if (run.status() == Status.LANDED || run.status() == Status.PUBLISHED) {
          return run;
        }
      }
      requireRunning();
      if (System.nanoTime() - deadline > 0) {
        throw new StackException(
            "Run " + (previousNumber + 1) + " has not landed after " + patience.toSeconds() + " s");
      }
      pause();
    }
  }

  private void print(Run run, Map<String, Status> seen) {
    if (seen.put("", run.status()) == null) {
      out.printf("  run %d opened at %s%n", run.number(), run.startedAt());
    }
    for (Job job : db.runs().jobs(run.runId())) {
      Status before = seen.put(job.jobId(), job.status());
      if (job.status() != before && job.status() != Status.RUNNING) {
        out.printf(
            "  %-9s  %-34s %,10d rows  %s%n",
            job.status().text(), job.table(), Math.max(job.rows(), 0), describe(job));
      }
    }
    out.flush();
  }

  private static String describe(Job job) {
    if (job.failure().isPresent()) {
      return job.failure().get();
    }
    return job.incremental().isEmpty()
        ? "full export"
        : job.lower().map(lower -> "above " + lower + " ").orElse("")
            + "up to "
            + job.upper().orElse("-");
  }

  private void requireRunning() {
    for (String connector : connectors) {
      JsonNode status = status(connector);
      String failed = status.path("connector").path("trace").asText("");
      for (JsonNode task : status.path("tasks")) {
        failed += task.path("trace").asText("");
      }
      if (!failed.isEmpty()) {
        throw new StackException(
            "Connector " + connector + " failed: " + failed.lines().findFirst().orElse(""));
      }
    }
  }

  /** A connector that was just created has no status yet. */
  private JsonNode status(String connector) {
    try {
      return rest.status(connector);
    } catch (ConnectRestException e) {
      if (e.status() == NOT_FOUND) {
        return MissingNode.getInstance();
      }
      throw e;
    }
  }

  /** Lets a moment pass before the next look. */
  static void pause() {
    try {
      Thread.sleep(LOOK_EVERY.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("Interrupted while following the run", e);
    }
  }
}
