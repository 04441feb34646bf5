package io.lakexpress.connect.lake.parquet;

import io.lakexpress.connect.lake.file.RowFileWriter;
import io.lakexpress.connect.lake.file.StorageException;
import io.lakexpress.connect.lake.file.UnwritableRowException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * Walks every path of a Parquet writer; run inside a class loader of its own, so that a class that
 * is missing there shows. Answers the written files.
 */
public final class WritingWithoutHadoop implements Callable<List<Path>> {
  static final int ROWS = 20_000;
  private static final int ROW_GROUP_BYTES = 128 << 10;
  private static final Schema SCHEMA =
      SchemaBuilder.struct()
          .field("id", Schema.INT64_SCHEMA)
          .field("name", Schema.OPTIONAL_STRING_SCHEMA)
          .field("price", Decimal.builder(2).optional().build())
          .field("uuid", SchemaBuilder.string().name("io.debezium.data.Uuid").build())
          .field("ratio", Schema.FLOAT64_SCHEMA)
          .field("list", SchemaBuilder.array(Schema.OPTIONAL_INT32_SCHEMA).build())
          .field("map", SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.BOOLEAN_SCHEMA).build())
          .build();

  private final Path folder;

  public WritingWithoutHadoop(Path folder) {
    this.folder = folder;
  }

  @Override
  public List<Path> call() throws IOException {
    List<Path> files = new ArrayList<>();
    for (ParquetCompression codec : ParquetCompression.values()) {
      files.add(finished(codec));
      discarded(codec);
      failed(codec);
    }
    return files;
  }

  private Path finished(ParquetCompression codec) throws IOException {
    MemoryOutput output = new MemoryOutput();
    RowFileWriter writer = format(codec).open(SCHEMA, output);
    for (int i = 0; i < ROWS; i++) {
      writer.write(row(i, "1.00"));
    }
    try {
      writer.write(row(ROWS, "1.0"));
      throw new IllegalStateException("A wrong scale was written");
    } catch (UnwritableRowException expected) {
      writer.finish();
    }
    return output.saveIn(folder);
  }

  private static void discarded(ParquetCompression codec) {
    RowFileWriter writer = format(codec).open(SCHEMA, new MemoryOutput());
    writer.write(row(1, "1.00"));
    writer.discard();
  }

  private static void failed(ParquetCompression codec) {
    MemoryOutput output = new MemoryOutput();
    RowFileWriter writer = format(codec).open(SCHEMA, output);
    output.failAt(output.position());
    try {
      for (int i = 0; i < ROWS; i++) {
        writer.write(row(i, "1.00"));
      }
      writer.finish();
      throw new IllegalStateException("A failing store was written to");
    } catch (StorageException expected) {
      writer.discard();
    }
  }

  private static ParquetRowFormat format(ParquetCompression codec) {
    return new ParquetRowFormat(codec, ROW_GROUP_BYTES, "1.2.3");
  }

  private static Struct row(int i, String price) {
    return new Struct(SCHEMA)
        .put("id", (long) i)
        .put("name", i % 3 == 0 ? null : "name " + i)
        .put("price", new BigDecimal(price))
        .put("uuid", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6")
        .put("ratio", i / 7.0)
        .put("list", Arrays.asList(i, null))
        .put("map", Map.of("even", i % 2 == 0));
  }
}
