package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults that users of comparable tools met, on a real PostgreSQL; the JVM's zone is Tokyo's. */
class PostgresFaultsTest {
  private static final TableId T = new TableId("public", "t");

  @TempDir Path folder;
  private final TimeZone machineZone = TimeZone.getDefault();
  private PostgresTask task;

  @BeforeEach
  void tokyo() {
    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
  }

  @AfterEach
  void stop() {
    task.close();
    TimeZone.setDefault(machineZone);
  }

  private PostgresTask task(String table, String... statements) {
    task = new PostgresTask(folder, "public." + table + ":updated_at:timestamp");
    task.postgres.run(statements);
    return task;
  }

  private static List<Integer> ids(List<Struct> rows) {
    return rows.stream().map(row -> row.getInt32("id")).toList();
  }

  private static long micros(String localTime) {
    return ChronoUnit.MICROS.between(
        Instant.EPOCH, LocalDateTime.parse(localTime).toInstant(ZoneOffset.UTC));
  }

  /** Case S4: a restart inside rows of one watermark goes on behind the last delivered row. */
  @Test
  void restartInsideATieGoesOnAtTheNextKey() {
    task(
        "tie",
        "CREATE TABLE tie(id int PRIMARY KEY, updated_at timestamp(0))",
        "INSERT INTO tie SELECT g,'2024-05-01 10:00:00' FROM generate_series(1,10) g");

    restartAfterFourRows();

    assertThat(ids(task.rows())).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assertThat(task.jobs()).hasSize(1);
  }

  /** Case S4: the same without a key, where the rows' hashes and a count stand in for it. */
  @Test
  void restartInsideATieWithoutAKeyGoesOnToo() {
    task(
        "tie",
        "CREATE TABLE tie(id int, updated_at timestamp(0))",
        "INSERT INTO tie SELECT 1 + g / 4,'2024-05-01 10:00:00' FROM generate_series(0,9) g");

    restartAfterFourRows();

    assertThat(ids(task.rows())).containsExactlyInAnyOrder(1, 1, 1, 1, 2, 2, 2, 2, 3, 3);
    assertThat(task.jobs()).hasSize(1);
  }

  /** Another key orders the rows otherwise, so behind the last one there is no going on. */
  @Test
  void anotherKeyInsideAWindowBeginsItAnew() {
    task(
        "tie",
        "CREATE TABLE tie(id int PRIMARY KEY, code int NOT NULL, updated_at timestamp(0))",
        "INSERT INTO tie SELECT g, 11 - g, '2024-05-01 10:00:00' FROM generate_series(1,10) g");
    deliverFourRows();

    task.stop();
    task.postgres.run(
        "ALTER TABLE tie DROP CONSTRAINT tie_pkey", "ALTER TABLE tie ADD PRIMARY KEY (code)");
    task.start();
    task.firstRun();

    assertThat(task.jobs()).hasSize(2);
    assertThat(ids(task.rows()).subList(4, 14)).containsExactly(10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
  }

  private void restartAfterFourRows() {
    deliverFourRows();
    task.restart();
    task.firstRun();
  }

  private void deliverFourRows() {
    task.batchRows = 4;
    task.start();
    task.until(() -> !task.topic.isEmpty());
    assertThat(task.rows()).as("delivered before the restart").hasSize(4);
  }

  /** Case S6: the connection drops while a batch is read. */
  @Test
  void aConnectionLostInsideABatchCostsNoRowAndDoublesNone() {
    task(
        "ev",
        "CREATE TABLE ev(id bigserial PRIMARY KEY, updated_at timestamptz NOT NULL, v text)",
        "INSERT INTO ev(updated_at, v) SELECT '2024-05-01 10:00Z', 'x'"
            + " FROM generate_series(1,50000)");
    task.start();
    task.until(() -> task.topic.size() >= 3000);
    task.postgres.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    assertThat(task.topic).as("sent when the connection dropped").hasSizeLessThan(50_000);

    task.firstRun();

    assertThat(task.reads()).as("statements that read the table").isGreaterThan(1);
    assertThat(task.rows().stream().map(row -> row.getInt64("id").intValue()).toList())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 50_000).boxed().toList());
    assertThat(task.jobs()).hasSize(1);
  }

  /** Case S7: digits below a millisecond decide which window a row is in. */
  @Test
  void microsecondsSeparateWindowsAndArriveWhole() {
    task(
        "t",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp(6))",
        "INSERT INTO t VALUES (1,'2024-05-01 00:00:00.123456'),(2,'2024-05-01 00:00:00.123457')");

    task.windowsEndAt("2024-05-01T00:00:00.123456Z").start().firstRun();
    assertThat(ids(task.rows())).containsExactly(1);
    assertThat(task.rows().get(0).getInt64("updated_at"))
        .isEqualTo(micros("2024-05-01T00:00:00.123456"));
    assertThatTheWatermarkIs("2024-05-01T00:00:00.123456");

    assertThat(PostgresTask.rows(task.run())).as("the same end again").isEmpty();
    assertThatTheWatermarkIs("2024-05-01T00:00:00.123456");

    List<SourceRecord> third = task.windowsEndAt("2024-05-01T00:00:00.123457Z").run();
    assertThat(ids(PostgresTask.rows(third))).containsExactly(2);
    assertThat(PostgresTask.rows(third).get(0).getInt64("updated_at"))
        .isEqualTo(micros("2024-05-01T00:00:00.123457"));
    assertThatTheWatermarkIs("2024-05-01T00:00:00.123457");
  }

  private void assertThatTheWatermarkIs(String value) {
    assertThat(task.offsetValue(T)).as("in the offset").isEqualTo(value);
    assertThat(task.mirroredValue(T)).as("in the LakeXpress DB").isEqualTo(value);
  }

  /** Case S11: rows at or before 1970 are rows. */
  @Test
  void rowsAtAndBefore1970ComeWithTheFirstSync() {
    task(
        "t",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp(6))",
        "INSERT INTO t VALUES (1,'1970-01-01'),(2,'1969-12-31 23:59:59.5'),(3,'2024-01-01')");

    task.start().firstRun();

    assertThat(ids(task.rows())).containsExactly(2, 1, 3);
    assertThat(task.rows())
        .extracting(row -> row.getInt64("updated_at"))
        .containsExactly(-500_000L, 0L, micros("2024-01-01T00:00:00"));
  }

  /** Case S14: a date is the same day in every zone. */
  @Test
  void dateIsTheSameDayWhateverTheZones() {
    task(
        "b",
        "CREATE TABLE b(id int PRIMARY KEY, d date, updated_at timestamp)",
        "INSERT INTO b VALUES (1,'2024-03-01','2024-03-01 00:30')");
    task.postgres.run(
        "ALTER DATABASE " + task.postgres.name() + " SET timezone = 'America/New_York'");
    task.zone = ZoneId.of("America/New_York");

    task.start().firstRun();

    Struct row = task.rows().get(0);
    assertThat(row.get("d"))
        .isEqualTo(Date.from(LocalDate.of(2024, 3, 1).atStartOfDay(ZoneOffset.UTC).toInstant()))
        .isEqualTo(Date.from(Instant.EPOCH.plus(19_783, ChronoUnit.DAYS)));
    assertThat(row.getInt64("updated_at")).isEqualTo(micros("2024-03-01T00:30:00"));
  }
}
