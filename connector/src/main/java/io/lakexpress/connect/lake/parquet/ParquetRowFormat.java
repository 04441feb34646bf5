package io.lakexpress.connect.lake.parquet;

import io.lakexpress.connect.lake.file.FileOutput;
import io.lakexpress.connect.lake.file.RowFileFormat;
import io.lakexpress.connect.lake.file.RowFileWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.connect.data.Schema;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/**
 * Parquet files of Connect rows, written straight from {@code Struct}. Every column keeps the
 * meaning of its Connect type or the row is refused; {@code docs/types.md} lists what becomes what.
 *
 * <p>Thread-safe; the writers are not.
 */
public final class ParquetRowFormat implements RowFileFormat {
  private static final long MIN_ROW_GROUP_BYTES = 64 << 10;
  private static final int PAGE_BYTES = 1 << 20;
  private static final int PAGE_ROWS = 20_000;
  private static final int MAX_ROWS_BETWEEN_PAGE_CHECKS = 1_000;

  private final ParquetCompression compression;
  private final SchemaResolver resolver;
  private final long rowGroupBytes;
  private final ParquetProperties properties;

  /** A format with timestamps as {@link TimestampEncoding#INT64}. */
  public ParquetRowFormat(
      ParquetCompression compression, long rowGroupBytes, String productVersion) {
    this(compression, TimestampEncoding.INT64, rowGroupBytes, productVersion);
  }

  /**
   * @param rowGroupBytes the size at which a row group goes to the output
   * @param productVersion kept in every file as {@code lakexpress.version}
   */
  public ParquetRowFormat(
      ParquetCompression compression,
      TimestampEncoding timestamps,
      long rowGroupBytes,
      String productVersion) {
    if (rowGroupBytes < MIN_ROW_GROUP_BYTES) {
      throw new IllegalArgumentException(
          "Invalid row group size " + rowGroupBytes + ": expected at least 65536 bytes");
    }
    this.compression = Objects.requireNonNull(compression, "compression");
    this.resolver = new SchemaResolver(timestamps);
    this.rowGroupBytes = rowGroupBytes;
    this.properties =
        ParquetProperties.builder()
            .withPageSize((int) Math.min(PAGE_BYTES, rowGroupBytes))
            .withPageRowCountLimit(PAGE_ROWS)
            .withMinRowCountForPageSizeCheck(1)
            .withMaxRowCountForPageSizeCheck(MAX_ROWS_BETWEEN_PAGE_CHECKS)
            .withExtraMetaData(Map.of("lakexpress.version", productVersion))
            .build();
  }

  @Override
  public RowFileWriter open(Schema schema, FileOutput output) {
    PageCompressor compressor = compression.compressor();
    try {
      return new ParquetRowWriter(resolver, schema, output, properties, compressor, rowGroupBytes);
    } catch (RuntimeException failure) {
      compressor.release();
      throw failure;
    }
  }

  @Override
  public List<String> columnTypes(Schema schema) {
    return resolver.row(schema).message().getFields().stream()
        .map(ParquetRowFormat::typeName)
        .toList();
  }

  /** As in {@code DECIMAL(12,2) INT64}: what it means, then how it is stored. */
  private static String typeName(Type type) {
    LogicalTypeAnnotation meaning = type.getLogicalTypeAnnotation();
    if (!type.isPrimitive()) {
      return meaning == null ? "GROUP" : meaning.toString();
    }
    PrimitiveType stored = type.asPrimitiveType();
    String form =
        stored.getPrimitiveTypeName() == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
            ? stored.getPrimitiveTypeName() + "(" + stored.getTypeLength() + ")"
            : stored.getPrimitiveTypeName().toString();
    return meaning == null ? form : meaning + " " + form;
  }

  @Override
  public boolean accepts(Schema open, Schema next) {
    return resolver.sameColumns(open, next);
  }
}
