package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.offset.TableOffset;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands over the records of the runs topic, each as a batch of its own. */
final class RecordOutlet {
  private static final Logger LOG = LoggerFactory.getLogger(RecordOutlet.class);

  /** About as large as such a record is. */
  private static final long BYTES = 512;

  private final HandOver handOver;
  private final TableOffsets offsets;
  private final Clock clock;
  private final String topic;
  private final ZoneRule zones;

  RecordOutlet(ReaderParts parts, String topic) {
    this.handOver = parts.handOver();
    this.offsets = parts.offsets();
    this.clock = parts.clock();
    this.topic = topic;
    this.zones = parts.settings().runs().zones();
  }

  /** Writes an adopted watermark into the offsets at once. */
  void adopted(Job job, String watermark) {
    TableOffset offset = TableOffset.adopted(watermark);
    Struct value =
        RunRecords.of(RunRecords.Kind.ADOPTED, job, watermark, watermark, 0, clock.instant());
    put(
        job,
        offset,
        new SourceRecord(
            offsets.partition(job.table()),
            offset.toMap(),
            topic,
            Schema.STRING_SCHEMA,
            job.table().toString(),
            value.schema(),
            value));
    LOG.info("Table {} adopts watermark {} of the LakeXpress DB", job.table(), watermark);
  }

  /**
   * Closes a window.
   *
   * @param lower canonical text, or null
   * @param upper canonical text; null for a job without a bound, which moves no watermark
   */
  void closed(Job job, Tracking tracking, String lower, String upper, long rows) {
    String watermark = upper == null ? lower : upper;
    TableOffset offset = TableOffset.closed(watermark, job.runId(), job.jobId(), rows);
    WatermarkMove move = upper == null ? null : tracking.move(upper);
    Struct value = closing(job, lower, upper, rows);
    close(
        offset,
        value,
        new ClosingRecord.Delivery(job, lower, upper, rows, move, completeTo(job, upper)));
  }

  /**
   * Closes a full export.
   *
   * @param columns of its rows, if there are none; else null
   */
  void exported(Job job, long rows, Schema columns) {
    Instant at = clock.instant();
    TableOffset offset = TableOffset.exported(job.runId(), job.jobId(), rows, at.toString());
    Struct value = RunRecords.withColumns(closing(job, null, null, rows), columns);
    close(
        offset,
        value,
        new ClosingRecord.Delivery(job, null, null, rows, null, completeTo(job, null)));
  }

  private Struct closing(Job job, String lower, String upper, long rows) {
    return RunRecords.of(RunRecords.Kind.CLOSED, job, lower, upper, rows, clock.instant());
  }

  private void close(TableOffset offset, Struct value, ClosingRecord.Delivery delivery) {
    Job job = delivery.job();
    put(
        job,
        offset,
        new ClosingRecord(
            offsets.partition(job.table()),
            offset.toMap(),
            topic,
            job.table().toString(),
            value,
            delivery));
    LOG.debug(
        "{}: handed over with {} rows",
        JobText.of(job, delivery.lower(), delivery.upper()),
        delivery.rows());
  }

  /** A job without a bound brings its table no further. */
  private Instant completeTo(Job job, String upper) {
    return job.mode() != JobMode.FULL && upper == null
        ? null
        : Freshness.of(job, upper, zones).orElse(job.runStartedAt());
  }

  private void put(Job job, TableOffset offset, SourceRecord record) {
    handOver.put(List.of(record), BYTES, () -> {});
    offsets.handedOver(job.table(), offset);
  }
}
