package io.lakexpress.connect.lake.file;

import java.util.List;
import org.apache.kafka.connect.data.Schema;

/**
 * A file format that holds rows: resolves a schema once, then writes rows without asking.
 * Thread-safe.
 */
public interface RowFileFormat {
  /**
   * Begins a file of rows of this schema. Nothing else is written to the output until the first
   * row.
   *
   * @throws UnwritableRowException if the schema has a type that the format cannot hold, naming the
   *     field
   */
  RowFileWriter open(Schema schema, FileOutput output);

  /**
   * What each field of a row becomes in a file, in the format's own words and in the order of the
   * fields.
   *
   * @throws UnwritableRowException as {@link #open}
   */
  List<String> columnTypes(Schema schema);

  /**
   * Whether rows of {@code next} belong into a file opened with {@code open}: both have the same
   * columns in the same order with the same types, whatever their versions, documentation and
   * default values.
   */
  boolean accepts(Schema open, Schema next);
}
