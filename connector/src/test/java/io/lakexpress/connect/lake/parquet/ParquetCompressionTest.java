package io.lakexpress.connect.lake.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ParquetCompressionTest {
  @ParameterizedTest
  @CsvSource({
    "zstd, ZSTD",
    "Zstd, ZSTD",
    "Snappy, SNAPPY",
    "GZIP, GZIP",
    "Gzip, GZIP",
    "Lz4, LZ4_RAW",
    "lz4_raw, LZ4_RAW",
    "None, NONE"
  })
  void seedNamesAndOwnNamesAreParsedInAnyCase(String text, ParquetCompression codec) {
    assertThat(ParquetCompression.parse(text)).isEqualTo(codec);
  }

  @ParameterizedTest
  @EnumSource
  void textFormParsesBack(ParquetCompression codec) {
    assertThat(ParquetCompression.parse(codec.text())).isEqualTo(codec);
  }

  /** K40: what does not load is refused before the first record. */
  @Test
  void unknownCodecIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> ParquetCompression.parse("brotli"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid compression 'brotli': expected zstd, snappy, gzip, lz4_raw or none");
  }

  @Test
  void everyCodecLoadsHere() {
    assertThat(ParquetCompression.available()).containsExactly(ParquetCompression.values());
  }
}
