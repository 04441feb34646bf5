package io.lakexpress.connect.lake.file;

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
}
