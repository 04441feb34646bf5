package io.lakexpress.connect.lake.parquet;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** How the pages of a Parquet file are compressed. */
public enum ParquetCompression {
  ZSTD("zstd", "zstd"),
  SNAPPY("snappy", "snappy"),
  GZIP("gzip", "gzip"),
  LZ4_RAW("lz4_raw", "lz4"),
  NONE("none", "none");

  private final String text;
  private final String seedName;

  ParquetCompression(String text, String seedName) {
    this.text = text;
    this.seedName = seedName;
  }

  /**
   * Parses a name in any case: {@code zstd}, {@code snappy}, {@code gzip}, {@code lz4_raw} or
   * {@code lz4}, {@code none}.
   *
   * @throws IllegalArgumentException naming the accepted values
   */
  public static ParquetCompression parse(String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(codec -> codec.text.equals(lower) || codec.seedName.equals(lower))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Invalid compression '"
                        + text
                        + "': expected zstd, snappy, gzip, lz4_raw or none"));
  }

  /** The codecs whose libraries load on this machine. */
  public static List<ParquetCompression> available() {
    return Arrays.stream(values()).filter(ParquetCompression::isAvailable).toList();
  }

  /** Whether the codec's library loads on this machine, native part included. */
  public boolean isAvailable() {
    try (PageCompressor compressor = compressor()) {
      return compressor.compress(BytesInput.from(new byte[] {1, 2, 3})).size() > 0;
    } catch (LinkageError | IOException | RuntimeException failure) {
      return false;
    }
  }

  /** The name in configuration and documentation. */
  public String text() {
    return text;
  }

  /** A compressor for the pages of one file; its owner closes it. */
  PageCompressor compressor() {
    return switch (this) {
      case ZSTD -> new BlockPages(CompressionCodecName.ZSTD, new BlockCodec.ZstdBlocks());
      case SNAPPY -> new BlockPages(CompressionCodecName.SNAPPY, new BlockCodec.SnappyBlocks());
      case GZIP -> new GzipPages();
      case LZ4_RAW -> new BlockPages(CompressionCodecName.LZ4_RAW, new BlockCodec.Lz4Blocks());
      case NONE -> new PlainPages();
    };
  }
}
