package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Job;
import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watermark columns without zone, whose values are the clock on some wall. */
class PostgresZonesTest {
  @TempDir Path folder;
  private PostgresTask task;

  @AfterEach
  void stop() {
    task.close();
  }

  private PostgresTask task(String spec, String... statements) {
    task = new PostgresTask(folder, spec);
    task.postgres.run(statements);
    return task;
  }

  /**
   * On 2024-11-03 New York's clocks went from 02:00 back to 01:00 at 06:00Z, so every time between
   * them came twice.
   */
  @Test
  void anHourThatComesTwiceLosesAndDoublesNothing() {
    task(
        "public.t:updated_at:timestamp",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
        "INSERT INTO t VALUES (1,'2024-11-03 00:59:59.999999'),(2,'2024-11-03 01:15')");
    task.zone = ZoneId.of("America/New_York");

    task.boundedBy("2024-11-03T05:30:00Z").start().firstRun();
    assertThat(PostgresTask.ids(task.topic)).as("01:30, the first time").containsExactly(1);

    task.postgres.run("INSERT INTO t VALUES (3,'2024-11-03 01:45'),(4,'2024-11-03 01:05')");
    task.boundedBy("2024-11-03T06:10:00Z");
    assertThat(PostgresTask.ids(task.run())).as("01:10, the second time").containsExactly(4);

    task.postgres.run("INSERT INTO t VALUES (5,'2024-11-03 01:12'),(6,'2024-11-03 02:00')");
    task.boundedBy("2024-11-03T07:00:00Z");
    assertThat(PostgresTask.ids(task.run())).as("02:00").containsExactly(5, 2, 3);

    task.boundedBy("2024-11-03T07:01:00Z");
    assertThat(PostgresTask.ids(task.run())).containsExactly(6);
  }

  @Test
  void aTableMayHaveAZoneOfItsOwn() {
    task(
        "public.a:updated_at:timestamp,public.b:updated_at:timestamp,public.c:updated_at:timestamp",
        "CREATE TABLE a (id int PRIMARY KEY, updated_at timestamp)",
        "CREATE TABLE b (id int PRIMARY KEY, updated_at timestamp)",
        "CREATE TABLE c (id int PRIMARY KEY, updated_at timestamptz)",
        "INSERT INTO a VALUES (1,'2024-05-01 13:00')",
        "INSERT INTO b VALUES (2,'2024-05-01 13:00')",
        "INSERT INTO c VALUES (3,'2024-05-01 13:00+09:00')");
    task.zones = Map.of(new TableId("public", "b"), ZoneId.of("Asia/Tokyo"));

    task.boundedBy("2024-05-01T05:00:00Z").start().firstRun();

    assertThat(PostgresTask.ids(task.topic)).containsExactlyInAnyOrder(2, 3);
    Map<String, Job> jobs = task.latestJobs();
    assertThat(List.of(jobs.get("a"), jobs.get("b"), jobs.get("c")))
        .extracting(Job::upperBound)
        .containsExactly(
            "2024-05-01T04:59:59.999999",
            "2024-05-01T13:59:59.999999",
            "2024-05-01T04:59:59.999999Z");
    assertThat(PostgresTask.rows(task.topic))
        .filteredOn(row -> row.getInt32("id") == 2)
        .extracting(row -> row.getInt64("updated_at"))
        .as("the reading of the clock, whatever its zone")
        .containsExactly(1_714_568_400_000_000L);
  }

  @Test
  void aDayIsClosedWhereTheTableIs() {
    task(
        "public.dd:d:date:e",
        "CREATE TABLE dd (id int PRIMARY KEY, d date)",
        "INSERT INTO dd VALUES (1,'2024-05-01'),(2,'2024-05-02')");
    task.zone = ZoneId.of("Asia/Tokyo");

    task.boundedBy("2024-05-01T14:59:59Z").start().firstRun();
    assertThat(PostgresTask.ids(task.topic)).as("23:59:59 in Tokyo").isEmpty();

    task.boundedBy("2024-05-01T15:00:00Z");
    assertThat(PostgresTask.ids(task.run())).containsExactly(1);
  }

  @Test
  void aStartValueIsReadInTheZone() {
    task(
        "public.t:updated_at:timestamp@2024-05-01T00:00:00Z",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
        "INSERT INTO t VALUES (1,'2024-05-01 08:59'),(2,'2024-05-01 09:01')");
    task.zone = ZoneId.of("Asia/Tokyo");

    task.start().firstRun();

    assertThat(PostgresTask.ids(task.topic)).containsExactly(2);
    assertThat(task.latestJobs().get("t").lowerBound()).isEqualTo("2024-05-01T09:00:00");
  }
}
