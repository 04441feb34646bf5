package io.lakexpress.connect.lake.parquet;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

final class PlainPages implements PageCompressor {
  @Override
  public BytesInput compress(BytesInput page) {
    return page;
  }

  @Override
  public CompressionCodecName getCodecName() {
    return CompressionCodecName.UNCOMPRESSED;
  }

  @Override
  public void release() {}
}
