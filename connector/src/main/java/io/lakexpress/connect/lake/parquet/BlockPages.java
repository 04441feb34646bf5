package io.lakexpress.connect.lake.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Compresses each page as one block, in buffers that are used again. */
final class BlockPages implements PageCompressor {
  private final CompressionCodecName name;
  private final BlockCodec codec;
  private final Plain plain = new Plain();
  private byte[] compressed = new byte[0];

  BlockPages(CompressionCodecName name, BlockCodec codec) {
    this.name = name;
    this.codec = codec;
  }

  @Override
  public BytesInput compress(BytesInput page) throws IOException {
    plain.reset();
    page.writeAllTo(plain);
    int bound = codec.bound(plain.size());
    if (compressed.length < bound) {
      compressed = new byte[bound];
    }
    return BytesInput.from(compressed, 0, codec.compress(plain.bytes(), plain.size(), compressed));
  }

  @Override
  public CompressionCodecName getCodecName() {
    return name;
  }

  @Override
  public void release() {
    codec.free();
  }

  /** Lets its bytes be read without a copy. */
  private static final class Plain extends ByteArrayOutputStream {
    byte[] bytes() {
      return buf;
    }
  }
}
