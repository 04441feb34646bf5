package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.SliceSpec;
import io.lakexpress.watermark.TableSpec;
import java.time.Duration;
import java.util.List;

/**
 * Everything the reader of one task needs to know, as values.
 *
 * @param selection which tables the sync takes; its {@code named} is filled from the specs, and so
 *     are its schemas if it names none
 * @param specs the incremental tables; every other selected table is exported in full
 */
public record ReaderSettings(
    Identity identity,
    Runs runs,
    TableSelection selection,
    List<TableSpec> specs,
    Records records,
    Timing timing,
    Slicing slicing) {
  public ReaderSettings {
    specs = List.copyOf(specs);
  }

  /** Settings by which no table is sliced. */
  public ReaderSettings(
      Identity identity,
      Runs runs,
      TableSelection selection,
      List<TableSpec> specs,
      Records records,
      Timing timing) {
    this(identity, runs, selection, specs, records, timing, Slicing.off());
  }

  /**
   * Who reads.
   *
   * @param taskIndex counted from 0
   */
  public record Identity(
      String syncId, String connector, int taskIndex, int taskCount, Delivery delivery) {
    /** How this task signs its claims; the same after a restart. */
    public String owner() {
      return connector + "/" + taskIndex;
    }

    /** Whether it is this task that speaks for all of its connector. */
    boolean isFirst() {
      return taskIndex == 0;
    }
  }

  /** When runs start, how they are bounded, what becomes of failures. */
  public record Runs(
      SyncMode mode,
      Schedule schedule,
      Duration safetyLag,
      ZoneRule zones,
      NullPolicy nullPolicy,
      ErrorAction errorAction,
      Duration retention) {}

  /** How rows become records. */
  public record Records(
      String topicPrefix, RecordKey key, int batchMaxRows, long batchMaxBytes, long maxBytes) {}

  /**
   * How large tables are sliced.
   *
   * @param degree slices of a large table, at least 1
   * @param processors what degrees of overrides are resolved with, the same for all tasks
   * @param threshold estimated rows from which on a table is large
   */
  public record Slicing(int degree, int processors, long threshold, List<SliceSpec> overrides) {
    public Slicing {
      overrides = List.copyOf(overrides);
    }

    /** One slice for every table. */
    public static Slicing off() {
      return new Slicing(1, 1, Long.MAX_VALUE, List.of());
    }
  }

  /** Whether Connect writes offsets together with the rows. */
  public enum Delivery {
    EXACTLY_ONCE,
    AT_LEAST_ONCE
  }

  /** What starts a run. */
  public enum SyncMode {
    CONTINUOUS,
    ON_DEMAND
  }

  /** What becomes of rows without a watermark. */
  public enum NullPolicy {
    SKIP,
    FIRST_SYNC,
    FAIL
  }

  /** What happens when a table fails for good. */
  public enum ErrorAction {
    CONTINUE,
    SKIP,
    FAIL
  }

  /** What the key of a row's record is. */
  public enum RecordKey {
    PRIMARY_KEY,
    NONE
  }
}
