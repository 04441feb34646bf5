package io.lakexpress.connect.lake.file;

import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what becomes of one record: a row of a file, passed over, refused, or the end. */
final class RowIntake {
  /** The schema name of records that carry source offsets instead of rows. */
  static final String RUN_SCHEMA = "io.lakexpress.Run";

  private static final String CONVERTERS =
      "set value.converter to one that carries schemas, for example"
          + " org.apache.kafka.connect.json.JsonConverter with value.converter.schemas.enable=true";

  private static final Logger LOG = LoggerFactory.getLogger(RowIntake.class);

  private final JobCatalogue jobs;
  private final Announcements announcements;
  private final RefusedRows refusedRows;
  private final NullValues nullValues;
  private final WriterCounters counters;

  RowIntake(
      JobCatalogue jobs,
      Announcements announcements,
      RefusedRows refusedRows,
      NullValues nullValues,
      WriterCounters counters) {
    this.jobs = jobs;
    this.announcements = announcements;
    this.refusedRows = refusedRows;
    this.nullValues = nullValues;
    this.counters = counters;
  }

  void take(LakeRecord record, PartitionWriter writer) {
    Schema schema = record.schema();
    if (schema != null && RUN_SCHEMA.equals(schema.name())) {
      announcements.read(schema, record.value());
      takeEmptyExport(record, writer);
      return;
    }
    if (record.value() == null) {
      takeNull(record, writer);
    } else if (schema != null && record.value() instanceof Struct row) {
      takeRow(record, row, writer);
    } else {
      throw new UnusableRecordException(
          "Cannot write record "
              + record.place()
              + ": its value "
              + (schema == null ? "has no schema" : "is " + schema.type() + ", not STRUCT")
              + "; "
              + CONVERTERS,
          null);
    }
  }

  /** An export without rows shows as a file without rows, so that readers know its columns. */
  private void takeEmptyExport(LakeRecord record, PartitionWriter writer) {
    Optional<EmptyExport> export = EmptyExport.of(record.schema(), record.value());
    Optional<FileTarget> target = export.flatMap(empty -> jobs.target(empty.jobId()));
    if (target.isEmpty()) {
      return;
    }
    try {
      writer.beginWithoutRows(target.get(), export.get().rows(), record.offset());
    } catch (UnwritableRowException reason) {
      LOG.warn(
          "Table {} is empty and shows no file: {}", target.get().table(), reason.getMessage());
    }
  }

  private void takeRow(LakeRecord record, Struct row, PartitionWriter writer) {
    Optional<FileTarget> target =
        record.jobId() == null
            ? Optional.of(FileTarget.of(record.topicPartition()))
            : jobs.target(record.jobId());
    if (target.isEmpty()) {
      counters.passedOver.increment();
      return;
    }
    try {
      writer.write(target.get(), record.schema(), row, record.offset());
    } catch (UnwritableRowException reason) {
      Future<?> safe =
          refusedRows
              .refuse(record, reason)
              .orElseThrow(
                  () ->
                      new UnusableRecordException(
                          "Cannot write record "
                              + record.place()
                              + ": "
                              + reason.getMessage()
                              + " (a dead letter queue would take such rows:"
                              + " errors.deadletterqueue.topic.name)",
                          reason));
      counters.refusedRows.increment();
      writer.refused().add(record.jobId(), safe);
    }
  }

  private void takeNull(LakeRecord record, PartitionWriter writer) {
    switch (nullValues) {
      case IGNORE -> counters.nullValues.increment();
      case FAIL -> throw withoutValue(record);
      case DLQ -> {
        UnusableRecordException reason = withoutValue(record);
        Future<?> safe = refusedRows.refuse(record, reason).orElseThrow(() -> reason);
        counters.refusedRows.increment();
        writer.refused().add(null, safe);
      }
    }
  }

  private static UnusableRecordException withoutValue(LakeRecord record) {
    return new UnusableRecordException(
        "Cannot write record "
            + record.place()
            + ": it has no value; behavior.on.null.values=ignore passes over such records, dlq"
            + " sends them to the dead letter queue",
        null);
  }
}
