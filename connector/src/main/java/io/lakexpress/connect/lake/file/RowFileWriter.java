package io.lakexpress.connect.lake.file;

import org.apache.kafka.connect.data.Struct;

/** Writes rows of one schema into one file. Owned by one thread. */
public interface RowFileWriter {
  /**
   * Appends a row.
   *
   * @throws UnwritableRowException if the row cannot be represented, naming the field; nothing of
   *     the row was written and the file goes on
   * @throws StorageException if the store did not take the bytes; the file can then only be
   *     discarded
   */
  void write(Struct row);

  /** The size of the file if it were finished now, as well as it is known. */
  long estimatedBytes();

  /** Heap bytes held by rows and pages that have not gone to the output. */
  long bufferedBytes();

  /** Writes what is held and the footer. The output is neither staged nor closed. */
  void finish();

  /** Gives up the file and frees what it holds; writes nothing. Idempotent. */
  void discard();
}
