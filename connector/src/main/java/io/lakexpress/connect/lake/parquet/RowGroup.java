package io.lakexpress.connect.lake.parquet;

import java.io.IOException;
import org.apache.kafka.connect.data.Struct;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;

/**
 * The rows of one row group while they are on the heap. Its size is measured again whenever the
 * values written since could have changed it noticeably, so that a huge row counts at once and a
 * small one costs nothing.
 */
final class RowGroup {
  private static final long FIRST_MEASURE = 16 << 10;
  private static final long MAX_UNMEASURED = 1 << 20;

  /** What Parquet allocates for a column before its first value and does not count itself. */
  private static final long EMPTY_COLUMN_BYTES = 20 << 10;

  /** What a dictionary holds for an entry beside its bytes: table slots, the value object. */
  private static final long DICTIONARY_ENTRY_BYTES = 44;

  private final StructWriter row;
  private final ColumnChunkPageWriteStore pages;
  private final ColumnWriteStore columns;
  private final int leaves;
  private final int pageRows;
  private long rows;
  private long encodedBytes;
  private long heapBytes;
  private long dictionaryBytes;
  private long measuredBytes;
  private long unmeasuredBytes;

  RowGroup(
      StructWriter row,
      MessageType schema,
      ParquetProperties properties,
      PageCompressor pageCompressor) {
    this.row = row;
    this.pages =
        ColumnChunkPageWriteStore.builder()
            .withCompressorProvider(column -> pageCompressor)
            .withSchema(schema)
            .withAllocator(properties.getAllocator())
            .withColumnIndexTruncateLength(properties.getColumnIndexTruncateLength())
            .withPageWriteChecksumEnabled(properties.getPageWriteChecksumEnabled())
            .build();
    this.columns = properties.newColumnWriteStore(schema, pages, pages);
    this.leaves = schema.getColumns().size();
    this.pageRows = properties.getPageRowCountLimit();
    this.heapBytes = EMPTY_COLUMN_BYTES * leaves;
    row.begin(columns, schema);
  }

  /** Appends a checked row. */
  void write(Struct value) {
    unmeasuredBytes += row.writePresent(value, 0);
    columns.endRecord();
    rows++;
    if (unmeasuredBytes >= Math.min(MAX_UNMEASURED, Math.max(FIRST_MEASURE, encodedBytes / 8))) {
      measure();
    }
  }

  /** Bytes the group would take in the file, pages that are not full yet uncompressed. */
  long encodedBytes() {
    return encodedBytes + unmeasuredBytes;
  }

  long heapBytes() {
    return heapBytes + unmeasuredBytes;
  }

  void writeTo(ParquetFileWriter file) throws IOException {
    file.startBlock(rows);
    columns.flush();
    pages.flushToFileWriter(file);
    file.endBlock();
  }

  void free() {
    columns.close();
    pages.close();
  }

  private void measure() {
    measuredBytes += unmeasuredBytes;
    unmeasuredBytes = 0;
    encodedBytes = columns.getBufferedSize();
    long allocated = columns.getAllocatedSize();
    if (rows <= pageRows) {
      dictionaryBytes = dictionaryBytes(allocated);
    }
    heapBytes = EMPTY_COLUMN_BYTES * leaves + dictionaryBytes + Math.max(allocated, encodedBytes);
  }

  /**
   * Parquet counts an index per value and the bytes of the distinct values, but not the tables that
   * find them, which can take several times as much. It tries a dictionary for each column until
   * the first page is full; the tables stay as large as they were then.
   */
  private long dictionaryBytes(long allocated) {
    long values = rows * leaves;
    long distinctBytes = Math.max(0, allocated - Integer.BYTES * values);
    long distinctValues = Math.min(values, distinctBytes * values / Math.max(1, measuredBytes));
    return DICTIONARY_ENTRY_BYTES * distinctValues;
  }
}
