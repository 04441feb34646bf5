package io.lakexpress.connect.lake.parquet;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Opens pages for parquet-java, whose own way to them needs Hadoop. */
final class ZstdPages implements CompressionCodecFactory {
  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    throw new UnsupportedOperationException("Cannot compress " + codec + ": made for reading");
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    if (codec != CompressionCodecName.ZSTD) {
      throw new IllegalArgumentException("Invalid codec " + codec + ": expected ZSTD");
    }
    return new Decompressor();
  }

  @Override
  public void release() {}

  private static final class Decompressor implements BytesInputDecompressor {
    @Override
    public BytesInput decompress(BytesInput bytes, int length) throws IOException {
      byte[] compressed = bytes.toInputStream().readAllBytes();
      return BytesInput.from(Zstd.decompress(compressed, length));
    }

    @Override
    public void decompress(ByteBuffer in, int inLength, ByteBuffer out, int outLength) {
      byte[] compressed = new byte[inLength];
      in.get(compressed);
      out.put(Zstd.decompress(compressed, outLength));
    }

    @Override
    public void release() {}
  }
}
