package io.lakexpress.connect.lake.parquet;

import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;

/**
 * Compresses the pages of one file. What it returns is valid until the next call: Parquet copies a
 * page before it compresses another. Owned by one thread.
 */
interface PageCompressor extends BytesInputCompressor, AutoCloseable {
  @Override
  void release();

  @Override
  default void close() {
    release();
  }
}
