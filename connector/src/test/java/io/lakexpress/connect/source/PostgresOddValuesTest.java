package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that comparable tools change, drop or die of, on a real PostgreSQL. */
class PostgresOddValuesTest {
  @TempDir Path folder;
  private PostgresTask task;

  @AfterEach
  void stop() {
    task.close();
  }

  private List<Struct> rows(String table, String... statements) {
    task = new PostgresTask(folder, "public." + table + ":updated_at:timestamp");
    task.postgres.run(statements);
    task.start().firstRun();
    return task.rows();
  }

  /** Case S16: NUMERIC without precision is exact text. */
  @Test
  void numericWithoutPrecisionIsNeverCut() {
    assertThat(
            rows(
                "nu",
                "CREATE TABLE nu(id int PRIMARY KEY, updated_at timestamp, a numeric)",
                "INSERT INTO nu VALUES (1,'2024-01-01',12.5),(2,'2024-01-01',300),"
                    + "(3,'2024-01-01',0.0000000001)"))
        .extracting(row -> row.get("a"))
        .containsExactly("12.5", "300", "0.0000000001");
  }

  /** Case S18: DECIMAL is NUMERIC. */
  @Test
  void decimalAndNumericAreAlikeAndExact() {
    Struct row =
        rows(
                "p",
                "CREATE TABLE p(id int PRIMARY KEY, updated_at timestamp, a numeric(9,0),"
                    + " b decimal(9,0), c numeric(18,6))",
                "INSERT INTO p VALUES (1,'2024-01-01',5,5,123456789012.123456)")
            .get(0);
    assertThat(row.schema().field("a").schema()).isEqualTo(row.schema().field("b").schema());
    assertThat(row.get("a")).isEqualTo(new BigDecimal("5")).isEqualTo(row.get("b"));
    assertThat(row.get("c")).isEqualTo(new BigDecimal("123456789012.123456"));
    assertThat(row.schema().field("c").schema().parameters())
        .containsEntry("scale", "6")
        .containsEntry("connect.decimal.precision", "18");
  }

  /** Case S19: money from 1,000 up. */
  @Test
  void moneyIsAnExactDecimal() {
    assertThat(
            rows(
                "m",
                "CREATE TABLE m(id int PRIMARY KEY, updated_at timestamp, x money)",
                "INSERT INTO m VALUES (1,'2024-01-01','5.00'),(2,'2024-01-01','1234.56')"))
        .extracting(row -> row.get("x"))
        .containsExactly(new BigDecimal("5.00"), new BigDecimal("1234.56"));
  }

  /** Case S32: no field is missing. */
  @Test
  void arraysIntervalsAndAddressesArrive() {
    Struct row =
        rows(
                "x",
                "CREATE TABLE x(id int PRIMARY KEY, updated_at timestamp, a int[], i interval,"
                    + " n inet, h text[])",
                "INSERT INTO x VALUES (1,'2024-01-01','{1,NULL,3}','1 mon 2 days','10.0.0.1','{}')")
            .get(0);
    assertThat(row.get("a")).isEqualTo(Arrays.asList(1, null, 3));
    assertThat(row.get("i")).isEqualTo("1 mon 2 days");
    assertThat(row.get("n")).isEqualTo("10.0.0.1");
    assertThat(row.get("h")).isEqualTo(List.of());
  }

  /** Case S38: rows of one value come once, and the offset does not grow with them. */
  @Test
  void aHundredThousandRowsOfOneValueComeOnce() {
    task = new PostgresTask(folder, "public.tie:updated_at:timestamp");
    task.batchRows = 5000;
    task.fetchRows = 10_000;
    task.postgres.run(
        "CREATE TABLE tie(id int PRIMARY KEY, updated_at timestamp)",
        "INSERT INTO tie SELECT g,'2024-05-01 10:00:00' FROM generate_series(1,100000) g");
    task.start().firstRun();

    assertThat(PostgresTask.ids(task.topic)).hasSize(100_000).doesNotHaveDuplicates();
    assertThat(task.topic).allMatch(record -> record.sourceOffset().toString().length() < 400);
    assertThat(PostgresTask.ids(task.run())).isEmpty();
    assertThat(PostgresTask.ids(task.run())).isEmpty();
  }
}
