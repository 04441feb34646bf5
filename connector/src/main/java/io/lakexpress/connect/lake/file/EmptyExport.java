package io.lakexpress.connect.lake.file;

import io.lakexpress.connect.SchemaText;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/** A full export that ended without a row, as its closing record tells. */
record EmptyExport(String jobId, Schema rows) {
  private static final String JOB_ID = "job_id";
  private static final String ROW_SCHEMA = "row_schema";

  /**
   * What a record of the runs topic tells; empty if it is not about such an export.
   *
   * @throws IllegalArgumentException if it names a schema that cannot be read
   */
  static Optional<EmptyExport> of(Schema schema, Object value) {
    if (value instanceof Struct record
        && schema.field(JOB_ID) != null
        && schema.field(ROW_SCHEMA) != null
        && record.get(JOB_ID) instanceof String jobId
        && record.get(ROW_SCHEMA) instanceof String rows) {
      return Optional.of(new EmptyExport(jobId, SchemaText.parse(rows)));
    }
    return Optional.empty();
  }
}
