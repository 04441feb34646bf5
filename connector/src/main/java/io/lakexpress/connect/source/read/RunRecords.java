package io.lakexpress.connect.source.read;

import io.lakexpress.connect.SchemaText;
import io.lakexpress.lxdb.Job;
import io.lakexpress.watermark.Slice;
import java.time.Instant;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** What the runs topic tells: records that carry an offset where no row does. */
public final class RunRecords {
  /** The name sinks tell the runs topic by. */
  public static final String SCHEMA_NAME = "io.lakexpress.Run";

  /** What happened. */
  enum Kind {
    ADOPTED("adopted"),
    OPENED("opened"),
    SLICE_CLOSED("slice-closed"),
    SLICE_REMOVED("slice-removed"),
    CLOSED("closed");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  static final Schema SCHEMA =
      SchemaBuilder.struct()
          .name(SCHEMA_NAME)
          .version(2)
          .field("kind", Schema.STRING_SCHEMA)
          .field("sync_id", Schema.STRING_SCHEMA)
          .field("run_id", Schema.STRING_SCHEMA)
          .field("run_number", Schema.INT64_SCHEMA)
          .field("run_started_at", Schema.STRING_SCHEMA)
          .field("schema", Schema.STRING_SCHEMA)
          .field("table", Schema.STRING_SCHEMA)
          .field("slice", Schema.STRING_SCHEMA)
          .field("job_id", Schema.STRING_SCHEMA)
          .field("mode", Schema.STRING_SCHEMA)
          .field("lower_bound", Schema.OPTIONAL_STRING_SCHEMA)
          .field("upper_bound", Schema.OPTIONAL_STRING_SCHEMA)
          .field("rows", Schema.INT64_SCHEMA)
          .field("at", Schema.STRING_SCHEMA)
          .field("row_schema", Schema.OPTIONAL_STRING_SCHEMA)
          .build();

  private RunRecords() {}

  /**
   * The closing record of an export without rows tells their columns, so that a sink can show a
   * table that is empty.
   *
   * @param columns null if there are rows
   */
  static Struct withColumns(Struct closing, Schema columns) {
    return closing.put("row_schema", columns == null ? null : SchemaText.of(columns));
  }

  /**
   * One record.
   *
   * @param lower canonical text, or null
   * @param upper canonical text, or null
   */
  static Struct of(Kind kind, Job job, String lower, String upper, long rows, Instant at) {
    return of(kind, job, job.slice(), lower, upper, rows, at);
  }

  /** One record about the whole table of a job, whatever slice the job itself reads. */
  static Struct ofTable(Kind kind, Job job, String lower, String upper, long rows, Instant at) {
    return of(kind, job, Slice.WHOLE, lower, upper, rows, at);
  }

  private static Struct of(
      Kind kind, Job job, Slice slice, String lower, String upper, long rows, Instant at) {
    return new Struct(SCHEMA)
        .put("kind", kind.text)
        .put("sync_id", job.syncId())
        .put("run_id", job.runId())
        .put("run_number", job.runNumber())
        .put("run_started_at", job.runStartedAt().toString())
        .put("schema", job.table().schema())
        .put("table", job.table().table())
        .put("slice", slice.toString())
        .put("job_id", job.jobId())
        .put("mode", job.mode().text())
        .put("lower_bound", lower)
        .put("upper_bound", upper)
        .put("rows", rows)
        .put("at", at.toString());
  }
}
