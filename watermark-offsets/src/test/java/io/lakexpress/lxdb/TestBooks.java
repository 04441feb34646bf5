package io.lakexpress.lxdb;

import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Words the contracts share. */
public final class TestBooks {
  public static final Duration LIVE = Duration.ofMinutes(5);

  /** A lease that is dead as soon as it is given. */
  public static final Duration DEAD = Duration.ZERO;

  public static final TableId ORDERS = new TableId("shop", "orders");
  public static final TableId ITEMS = new TableId("shop", "order_items");
  public static final Instant STARTED = Instant.parse("2026-12-01T03:30:00.123456Z");

  private TestBooks() {}

  /** A sync id that no other test uses. */
  public static String newSync() {
    return "sync-" + UUID.randomUUID().toString().substring(0, 12);
  }

  public static PlannedUnit incremental(TableId table, long estimatedRows) {
    return new PlannedUnit(table, Slice.WHOLE, table + ":updated_at:timestamp", estimatedRows);
  }

  public static PlannedUnit full(TableId table, long estimatedRows) {
    return new PlannedUnit(table, Slice.WHOLE, "", estimatedRows);
  }

  public static NewJob window(TableId table, String lower, String upper) {
    JobMode mode = lower == null ? JobMode.FIRST_SYNC : JobMode.INCREMENTAL;
    return new NewJob(incremental(table, 10), mode, lower, upper);
  }

  public static NewJob slice(TableId table, int index, int count, String lower, String upper) {
    return new NewJob(
        new PlannedUnit(table, new Slice(index, count), table + ":updated_at:timestamp", 10),
        lower == null ? JobMode.FIRST_SYNC : JobMode.INCREMENTAL,
        lower,
        upper);
  }

  public static NewJob export(TableId table) {
    return new NewJob(full(table, 10), JobMode.FULL, null, null);
  }

  public static NewRun newRun(String sync, NewJob... jobs) {
    return new NewRun(sync, "schedule", STARTED, STARTED, "", Arrays.asList(jobs));
  }

  public static WatermarkMove move(TableId table, String value) {
    return new WatermarkMove(table, "updated_at", "timestamp", value);
  }

  /** The only job of a table in a run. */
  public static Job jobOf(LakexpressDb db, Run run, TableId table) {
    List<Job> jobs =
        db.runs().jobs(run.runId()).stream().filter(job -> job.table().equals(table)).toList();
    if (jobs.size() != 1) {
      throw new IllegalStateException("Expected one job of " + table + ", found " + jobs);
    }
    return jobs.get(0);
  }
}
