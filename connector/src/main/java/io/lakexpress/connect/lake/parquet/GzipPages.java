package io.lakexpress.connect.lake.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

final class GzipPages implements PageCompressor {
  @Override
  public BytesInput compress(BytesInput page) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed, 8192)) {
      page.writeAllTo(gzip);
    }
    return BytesInput.from(compressed);
  }

  @Override
  public CompressionCodecName getCodecName() {
    return CompressionCodecName.GZIP;
  }

  @Override
  public void release() {}
}
