package io.lakexpress.connect.lake.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.file.RowFileWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers skip row groups by their smallest and largest values: they must be those of the type. */
final class ParquetStatisticsTest {
  private static final int ROWS = 30_000;
  private static final Schema ROW =
      SchemaBuilder.struct()
          .field("small", decimal("9"))
          .field("middle", decimal("18"))
          .field("large", decimal("30"))
          .field("key", SchemaBuilder.string().name("io.debezium.data.Uuid").build())
          .field("text", Schema.STRING_SCHEMA)
          .field("day", SchemaBuilder.int32().name("io.debezium.time.Date").build())
          .field("moment", SchemaBuilder.int64().name("io.lakexpress.time.MicroInstant").build())
          .field("ratio", Schema.FLOAT64_SCHEMA)
          .build();

  @TempDir Path folder;

  private static Schema decimal(String precision) {
    return Decimal.builder(2).parameter("connect.decimal.precision", precision).build();
  }

  @Test
  void noReaderSkipsARowThatItAskedFor() throws Exception {
    MemoryOutput output = new MemoryOutput();
    RowFileWriter writer =
        new ParquetRowFormat(ParquetCompression.ZSTD, 1 << 17, "1").open(ROW, output);
    Random random = new Random(7);
    for (int i = 0; i < ROWS; i++) {
      writer.write(row(i - ROWS / 2, random));
    }
    writer.finish();
    Path file = output.saveIn(folder);
    try (ParquetReadBack readBack = new ParquetReadBack()) {
      assertThat(
              Integer.parseInt(
                  readBack
                      .column(file, "SELECT count(DISTINCT row_group_id) FROM parquet_metadata(%s)")
                      .get(0)))
          .isGreaterThan(5);
      for (String condition :
          List.of(
              "small < -140.00",
              "small > 149.00",
              "middle < -149.90",
              "middle > 149.90",
              "large < -149.95",
              "large BETWEEN -0.05 AND 0.05",
              "key < '08000000-0000-0000-0000-000000000000'",
              "key > 'f8000000-0000-0000-0000-000000000000'",
              "text > 'ý'",
              "text < '-14'",
              "day < DATE '1969-12-01'",
              "moment < TIMESTAMPTZ '1969-12-31 23:59:59.990Z'",
              "ratio < -1400",
              "ratio = 0",
              "isnan(ratio)",
              "ratio > 1e300")) {
        String count = "SELECT count(*) FROM %s WHERE ";
        // Behind a function nothing can be skipped.
        String whole = "SELECT sum(CASE WHEN " + condition + " THEN 1 ELSE 0 END)::BIGINT FROM %s";
        List<String> found = readBack.column(file, count + condition);
        assertThat(found).as(condition).isEqualTo(readBack.column(file, whole));
        assertThat(found).as(condition).isNotEqualTo(List.of("0"));
      }
    }
  }

  private static Struct row(int i, Random random) {
    BigDecimal amount = new BigDecimal(BigInteger.valueOf(i), 2);
    return new Struct(ROW)
        .put("small", amount)
        .put("middle", amount)
        .put("large", amount)
        .put("key", new UUID(random.nextLong(), random.nextLong()).toString())
        .put("text", i == 77 ? "ÿ" : Integer.toString(i))
        .put("day", i)
        .put("moment", (long) i)
        .put("ratio", i == 99 ? Double.NaN : i == 100 ? 1e308 : i == 0 ? -0.0 : i / 10.0);
  }
}
