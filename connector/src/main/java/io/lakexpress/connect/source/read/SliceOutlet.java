package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.Slice;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands over the records of the runs topic that sliced tables need besides. */
final class SliceOutlet {
  private static final Logger LOG = LoggerFactory.getLogger(SliceOutlet.class);

  /** About as large as such a record is. */
  private static final long BYTES = 512;

  private final HandOver handOver;
  private final TableOffsets offsets;
  private final Clock clock;
  private final String topic;
  private final ZoneRule zones;

  SliceOutlet(ReaderParts parts, String topic) {
    this.handOver = parts.handOver();
    this.offsets = parts.offsets();
    this.clock = parts.clock();
    this.topic = topic;
    this.zones = parts.settings().runs().zones();
  }

  /** Opens a table's window, so that the offsets of its slices count from now on. */
  void opened(Job first, String lower, String upper) {
    TableOffset offset = TableOffset.open(lower, first.runId(), first.jobId(), 0, upper, null);
    Struct value =
        RunRecords.ofTable(RunRecords.Kind.OPENED, first, lower, upper, 0, clock.instant());
    put(List.of(record(first, Slice.WHOLE, offset, value)));
    offsets.handedOver(first.table(), offset);
    LOG.info(
        "Window of table {} is open in {} slices, up to {}",
        first.table(),
        first.slice().count(),
        upper);
  }

  /** Closes a slice of a window. */
  void closed(Job job, String lower, String upper, long rows) {
    Struct value = closing(job, lower, upper, rows);
    close(
        TableOffset.closed(lower, job.runId(), job.jobId(), rows),
        value,
        new ClosingRecord.Delivery(job, lower, upper, rows, null, null));
  }

  /**
   * Closes a slice of a full export.
   *
   * @param columns of its rows, if there are none; else null
   */
  void exported(Job job, long rows, Schema columns) {
    String at = clock.instant().toString();
    Struct value = closing(job, null, null, rows);
    close(
        TableOffset.exported(job.runId(), job.jobId(), rows, at),
        // One file shows an empty table, not one of each slice.
        isFirst(job) ? RunRecords.withColumns(value, columns) : value,
        new ClosingRecord.Delivery(job, null, null, rows, null, null));
  }

  private Struct closing(Job job, String lower, String upper, long rows) {
    return RunRecords.of(RunRecords.Kind.SLICE_CLOSED, job, lower, upper, rows, clock.instant());
  }

  private void close(TableOffset offset, Struct value, ClosingRecord.Delivery delivery) {
    Job job = delivery.job();
    // The first slice is delivered by its table's closing record, so that no run ends before that.
    put(
        List.of(
            isFirst(job)
                ? record(job, job.slice(), offset, value)
                : closing(job, job.slice(), offset, value, delivery)));
    offsets.handedOver(job.table(), job.slice(), offset);
    LOG.info(
        "Job {} of slice {} of table {} is handed over: {} rows",
        job.jobId(),
        job.slice(),
        job.table(),
        delivery.rows());
  }

  static boolean isFirst(Job job) {
    return job.slice().index() == 1;
  }

  /**
   * Closes a window all of whose slices are delivered but the first, and removes their offsets.
   *
   * @param slices all jobs of the window, the first slice's too
   */
  void windowClosed(
      Job first, Tracking tracking, String lower, String upper, long firstRows, List<Job> slices) {
    long rows = rows(first, firstRows, slices);
    TableOffset offset = TableOffset.closed(upper, first.runId(), first.jobId(), rows);
    closeTable(first, offset, lower, upper, rows, firstRows, tracking.move(upper), slices);
  }

  /** Closes a full export all of whose slices are delivered but the first. */
  void exportClosed(Job first, long firstRows, List<Job> slices) {
    long rows = rows(first, firstRows, slices);
    String at = clock.instant().toString();
    TableOffset offset = TableOffset.exported(first.runId(), first.jobId(), rows, at);
    closeTable(first, offset, null, null, rows, firstRows, null, slices);
  }

  private static long rows(Job first, long firstRows, List<Job> slices) {
    return firstRows
        + slices.stream()
            .filter(slice -> !slice.jobId().equals(first.jobId()))
            .mapToLong(Job::rows)
            .sum();
  }

  private void closeTable(
      Job first,
      TableOffset offset,
      String lower,
      String upper,
      long rows,
      long firstRows,
      WatermarkMove move,
      List<Job> slices) {
    Instant now = clock.instant();
    List<SourceRecord> records = new ArrayList<>();
    records.add(
        closing(
            first,
            Slice.WHOLE,
            offset,
            RunRecords.ofTable(RunRecords.Kind.CLOSED, first, lower, upper, rows, now),
            new ClosingRecord.Delivery(
                first, lower, upper, firstRows, move, completeTo(first, upper))));
    for (Job slice : slices) {
      records.add(removal(slice, now));
    }
    put(records);
    offsets.handedOver(first.table(), offset);
    slices.forEach(slice -> offsets.removed(slice.table(), slice.slice()));
    LOG.info("Table {} is handed over in {} slices: {} rows", first.table(), slices.size(), rows);
  }

  /** Removes the offset of a slice that does not count any more. */
  void removed(Job slice) {
    put(List.of(removal(slice, clock.instant())));
    offsets.removed(slice.table(), slice.slice());
  }

  private SourceRecord removal(Job slice, Instant now) {
    long rows = Math.max(0, slice.rows());
    return record(
        slice,
        slice.slice(),
        null,
        RunRecords.of(
            RunRecords.Kind.SLICE_REMOVED,
            slice,
            slice.lowerBound(),
            slice.upperBound(),
            rows,
            now));
  }

  private ClosingRecord closing(
      Job job, Slice slice, TableOffset offset, Struct value, ClosingRecord.Delivery delivery) {
    return new ClosingRecord(
        offsets.partition(job.table(), slice),
        offset.toMap(),
        topic,
        job.table().toString(),
        value,
        delivery);
  }

  private Instant completeTo(Job job, String upper) {
    return Freshness.of(job, upper, zones).orElse(job.runStartedAt());
  }

  private SourceRecord record(Job job, Slice slice, TableOffset offset, Struct value) {
    return new SourceRecord(
        offsets.partition(job.table(), slice),
        offset == null ? null : offset.toMap(),
        topic,
        Schema.STRING_SCHEMA,
        job.table().toString(),
        value.schema(),
        value);
  }

  private void put(List<SourceRecord> records) {
    handOver.put(records, BYTES * records.size(), () -> {});
  }
}
