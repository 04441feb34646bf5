package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.jdbc.ReadSettings.DecimalHandling;
import io.lakexpress.connect.source.jdbc.ReadSettings.FieldNames;
import io.lakexpress.connect.source.jdbc.ReadSettings.RecordKey;
import io.lakexpress.connect.source.jdbc.ReadSettings.TimePrecision;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.RowCursor;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The driver itself watches here: it fails if it ever holds more than maxResultBuffer bytes. */
class PostgresMemoryTest {
  private final TestingSource database = new TestingSource();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aLargeTableStreams() {
    database.run(
        "CREATE TABLE big AS SELECT g AS id, repeat('x', 1000) AS v"
            + " FROM generate_series(1, 100000) g");

    assertThat(count(1 << 20, "4M", "big")).isEqualTo(100_000);
  }

  @Test
  void wideRowsAreFetchedOneByOne() {
    database.run(
        "CREATE TABLE wide AS SELECT g AS id,"
            + " CASE WHEN g > 200 THEN repeat('x', 8000000) ELSE 'x' END AS v"
            + " FROM generate_series(1, 220) g ORDER BY g DESC",
        "ANALYZE wide");

    assertThat(count(1 << 20, "20M", "wide")).isEqualTo(220);
  }

  private long count(long fetchBytes, String maxResultBuffer, String table) {
    ReadSettings settings =
        new ReadSettings(
            10_000,
            fetchBytes,
            TimePrecision.MICROS,
            DecimalHandling.PRECISE,
            FieldNames.AS_IS,
            RecordKey.PRIMARY_KEY);
    JdbcSource source = database.open(settings, Map.of("maxResultBuffer", maxResultBuffer));
    long rows = 0;
    try (RowCursor cursor = source.read(ReadRequest.full(database.table(table)))) {
      while (cursor.next()) {
        rows++;
        assertThat(cursor.estimatedBytes()).isPositive();
      }
    }
    return rows;
  }
}
