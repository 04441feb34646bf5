package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.offset.Cursor;
import io.lakexpress.offset.TableOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Reads the rows of one job into batches and hands them over, each record with its exact resume
 * point. Used once; between two batches the rows of other jobs may be read.
 */
final class RowPump implements AutoCloseable {
  private static final String JOB_HEADER = "lakexpress.job";

  /** What a batch led to. */
  enum Step {
    /** There may be more rows. */
    MORE,
    /** There are no more rows. */
    ENDED,
    /** Nobody polled for long, so the cursor was closed. */
    PAUSED
  }

  /** Asked before each batch is handed over; throws if the job is no longer ours. */
  interface Claimed {
    void check(Job job);
  }

  private final ReaderSettings.Records settings;
  private final HandOver handOver;
  private final TableOffsets offsets;
  private final Claimed claimed;
  private final Job job;
  private final String topic;
  private final Map<String, Object> partition;
  private final BiFunction<Long, Cursor, TableOffset> position;

  private final Runnable whenPaused;
  private final TableMetrics metrics;

  private Schema schema;
  private RowCursor cursor;
  private List<SourceRecord> batch = new ArrayList<>();
  private TableOffset last;
  private long bytes;
  private long rows;
  private long infinite;

  /**
   * A pump.
   *
   * @param position the offset of the n-th row of the job
   * @param rows handed over of this job before
   * @param whenPaused closes all cursors of the task, this one too
   */
  RowPump(
      ReaderSettings.Records settings,
      HandOver handOver,
      TableOffsets offsets,
      Claimed claimed,
      Job job,
      String topic,
      BiFunction<Long, Cursor, TableOffset> position,
      long rows,
      Runnable whenPaused,
      TableMetrics metrics) {
    this.metrics = metrics;
    this.settings = settings;
    this.handOver = handOver;
    this.offsets = offsets;
    this.claimed = claimed;
    this.job = job;
    this.topic = topic;
    this.partition = offsets.partition(job.table(), job.slice());
    this.position = position;
    this.rows = rows;
    this.whenPaused = whenPaused;
  }

  /** Begins to read. */
  void open(SourceDatabase source, ReadRequest request) {
    long begun = System.nanoTime();
    cursor = source.read(request);
    schema = cursor.valueSchema();
    metrics.read(0, 0, System.nanoTime() - begun);
  }

  /** Reads one batch and hands it over; after an exception the pump must be closed. */
  Step advance() {
    if (cursor == null) {
      return Step.PAUSED;
    }
    long begun = System.nanoTime();
    while (cursor.next()) {
      add();
      if (batch.size() >= settings.batchMaxRows() || bytes >= settings.batchMaxBytes()) {
        handOver(begun);
        return cursor == null ? Step.PAUSED : Step.MORE;
      }
    }
    infinite = cursor.infiniteValues();
    close();
    if (!batch.isEmpty()) {
      handOver(begun);
    }
    return Step.ENDED;
  }

  /** Lets go of the cursor and its transaction; what was not handed over is read again. */
  @Override
  public void close() {
    RowCursor open = cursor;
    cursor = null;
    if (open != null) {
      open.close();
    }
  }

  long rows() {
    return rows;
  }

  /** The schema of rows that there are none of; empty if there are any. */
  Optional<Schema> columnsWithoutRows() {
    return rows == 0 ? Optional.ofNullable(schema) : Optional.empty();
  }

  long infiniteValues() {
    return infinite;
  }

  private void add() {
    long size = cursor.estimatedBytes();
    if (size > settings.maxBytes()) {
      throw tooLarge(size);
    }
    rows++;
    bytes += size;
    last = position.apply(rows, cursor.position());
    boolean isKeyed =
        settings.key() == ReaderSettings.RecordKey.PRIMARY_KEY && cursor.keySchema() != null;
    Schema keySchema = isKeyed ? cursor.keySchema() : null;
    batch.add(
        new SourceRecord(
            partition,
            last.toMap(),
            topic,
            null,
            keySchema,
            isKeyed ? cursor.key() : null,
            cursor.valueSchema(),
            cursor.value(),
            null,
            new ConnectHeaders().addString(JOB_HEADER, job.jobId())));
  }

  private TableFailure tooLarge(long size) {
    String row;
    if (cursor.key() != null) {
      row = "key " + cursor.key();
    } else if (cursor.position() != null) {
      row = "watermark " + cursor.position().value();
    } else {
      row = "number " + (rows + 1) + " of the export";
    }
    return new TableFailure(
        "Cannot hand over the row of table "
            + job.table()
            + " with "
            + row
            + ": it has about "
            + size
            + " bytes, more than record.max.bytes "
            + settings.maxBytes()
            + "; raise it together with producer.override.max.request.size and the topic's"
            + " max.message.bytes");
  }

  private void handOver(long begun) {
    long read = System.nanoTime() - begun;
    claimed.check(job);
    handOver.put(batch, bytes, whenPaused);
    offsets.handedOver(job.table(), job.slice(), last);
    metrics.read(batch.size(), bytes, read);
    batch = new ArrayList<>();
    bytes = 0;
  }
}
