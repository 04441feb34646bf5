package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form of a table spec, on a real PostgreSQL. */
class PostgresSpecFormsTest {
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

  private List<Integer> firstIds() {
    task.start().firstRun();
    return PostgresTask.ids(task.topic);
  }

  private List<Integer> idsOfARun() {
    return PostgresTask.ids(task.run());
  }

  private static Set<String> topics(List<SourceRecord> sent) {
    return sent.stream()
        .map(SourceRecord::topic)
        .filter(topic -> !topic.endsWith(".runs"))
        .collect(Collectors.toSet());
  }

  @Test
  void exclusiveWindowsBeginWithTheirLowerBoundAndEndBeforeTheirUpperOne() {
    task(
        "public.t:updated_at:timestamp:e",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
        "INSERT INTO t VALUES (1,'2024-05-01 11:59:59.999999'),(2,'2024-05-01 12:00:00'),"
            + "(3,'2024-05-01 13:00:00')");

    task.boundedBy("2024-05-01T12:00:00Z");
    assertThat(firstIds()).containsExactly(1);
    assertThat(task.offsetValue(new TableId("public", "t"))).isEqualTo("2024-05-01T12:00:00");
    assertThat(idsOfARun()).isEmpty();
    task.boundedBy("2024-05-01T13:00:00Z");
    assertThat(idsOfARun()).containsExactly(2);
    task.boundedBy("2024-05-01T13:00:00.000001Z");
    assertThat(idsOfARun()).containsExactly(3);
  }

  @Test
  void startValueIsLeftOutWithDirectionI() {
    task(
        "public.t:updated_at:timestamp:i@2024-05-01 10:00:00",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
        "INSERT INTO t VALUES (1,'2024-05-01 09:00:00'),(2,'2024-05-01 10:00:00'),"
            + "(3,'2024-05-01 10:00:00.000001')");

    assertThat(firstIds()).containsExactly(3);
    Job job = task.latestJobs().get("t");
    assertThat(job.mode()).isEqualTo(JobMode.FIRST_SYNC);
    assertThat(job.lowerBound()).isEqualTo("2024-05-01T10:00:00");
  }

  @Test
  void startValueIsReadWithDirectionE() {
    task(
        "public.t:updated_at:datetime:e@2024-05-01T12:00:00+02:00",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamptz)",
        "INSERT INTO t VALUES (1,'2024-05-01 09:59:59.999999Z'),(2,'2024-05-01 10:00:00Z')");

    assertThat(firstIds()).containsExactly(2);
    assertThat(task.latestJobs().get("t").lowerBound()).isEqualTo("2024-05-01T10:00:00Z");
  }

  @Test
  void strategyIsCarriedToTheJob() {
    task(
        "public.t:updated_at:timestamp:e@2024-01-01 00:00:00!upsert",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)");

    task.start().firstRun();

    assertThat(task.latestJobs().get("t").incremental())
        .isEqualTo("public.t:updated_at:timestamp:e@2024-01-01 00:00:00!upsert");
  }

  @ParameterizedTest
  @ValueSource(strings = {"int2", "int4", "int8", "numeric(12,0)", "numeric(30)"})
  void wholeNumbersGoByTheLargestOneThatIsThere(String type) {
    task(
        "public.t:id:integer",
        "CREATE TABLE t (id " + type + " PRIMARY KEY, v text)",
        "INSERT INTO t VALUES (-5,'a'),(1,'b'),(3,'c')");

    task.start().firstRun();
    assertThat(PostgresTask.rows(task.topic)).extracting(row -> row.get("v")).hasSize(3);
    assertThat(task.offsetValue(new TableId("public", "t"))).isEqualTo("3");
    assertThat(PostgresTask.rows(task.run())).isEmpty();

    task.postgres.run("INSERT INTO t VALUES (4,'d'),(7,'e')");
    assertThat(PostgresTask.rows(task.run()))
        .extracting(row -> row.get("v"))
        .containsExactly("d", "e");
  }

  @Test
  void wholeNumbersWithStartAndDirectionELeaveTheLargestToTheNextRun() {
    task(
        "public.t:id:int:e@2",
        "CREATE TABLE t (id int PRIMARY KEY)",
        "INSERT INTO t VALUES (1),(2),(3)");

    assertThat(firstIds()).containsExactly(2);
    task.postgres.run("INSERT INTO t VALUES (4)");
    assertThat(idsOfARun()).containsExactly(3);
  }

  /** Case S15: a DATE tracked by closed days sends every row of such a day once. */
  @Test
  void datesByClosedDaysAreNeitherLostNorDoubled() {
    task(
        "public.dd:d:date:e",
        "CREATE TABLE dd(id int PRIMARY KEY, d date NOT NULL)",
        "INSERT INTO dd VALUES (1,'2025-01-01')");

    task.boundedBy("2025-01-02T12:00:00Z");
    assertThat(firstIds()).containsExactly(1);

    task.postgres.run("INSERT INTO dd VALUES (2,'2025-01-01'),(3,'2025-01-02')");
    assertThat(idsOfARun()).as("the day is still open").isEmpty();

    task.boundedBy("2025-01-03T12:00:00Z");
    assertThat(idsOfARun()).as("2 came into a closed day").containsExactly(3);
    assertThat(idsOfARun()).isEmpty();
  }

  @Test
  void datesWithDirectionIIncludeTheRunningDay() {
    task(
        "public.dd:d:date",
        "CREATE TABLE dd(id int PRIMARY KEY, d date NOT NULL)",
        "INSERT INTO dd VALUES (1,'2025-01-01'),(2,'2025-01-02'),(3,'2025-01-03')");

    task.boundedBy("2025-01-02T12:00:00Z");
    assertThat(firstIds()).containsExactly(1, 2);
    task.boundedBy("2025-01-03T12:00:00Z");
    assertThat(idsOfARun()).containsExactly(3);
  }

  @Test
  void quotedAndMixedCaseNamesAreFound() {
    task(
        "\"My Shop\".\"Order, Lines\":\"Updated:At\":timestamp,PUBLIC.customers:MODIFIED:timestamp",
        "CREATE SCHEMA \"My Shop\"",
        "CREATE TABLE \"My Shop\".\"Order, Lines\" (id int PRIMARY KEY, \"Updated:At\" timestamp)",
        "INSERT INTO \"My Shop\".\"Order, Lines\" VALUES (1,'2024-01-01')",
        "CREATE TABLE \"Customers\" (id int PRIMARY KEY, \"Modified\" timestamp)",
        "INSERT INTO \"Customers\" VALUES (2,'2024-01-01')");
    task.schemas = List.of();

    assertThat(firstIds()).containsExactlyInAnyOrder(1, 2);
    assertThat(topics(task.topic))
        .containsExactlyInAnyOrder("My_Shop.Order__Lines", "public.Customers");
    assertThat(task.offset(new TableId("My Shop", "Order, Lines"))).isNotNull();
    task.restart();
    assertThat(idsOfARun()).isEmpty();
  }

  /** Case S21: one table name in two schemas. */
  @Test
  void oneTableNameInTwoSchemasHasTwoTopicsAndTwoOffsets() {
    task(
        "a.t:updated_at:timestamp,b.t:updated_at:timestamp",
        "CREATE SCHEMA a",
        "CREATE SCHEMA b",
        "CREATE TABLE a.t(id int, updated_at timestamp)",
        "CREATE TABLE b.t(id int, updated_at timestamp)",
        "INSERT INTO a.t VALUES (1,'2024-01-01'),(2,'2024-01-02')",
        "INSERT INTO b.t VALUES (3,'2024-01-03')");
    task.schemas = List.of();

    task.start().firstRun();

    Map<String, List<Integer>> sent =
        task.topic.stream()
            .filter(record -> !record.topic().endsWith(".runs"))
            .collect(
                Collectors.groupingBy(
                    SourceRecord::topic,
                    Collectors.flatMapping(
                        record -> PostgresTask.ids(List.of(record)).stream(),
                        Collectors.toList())));
    assertThat(sent).isEqualTo(Map.of("a.t", List.of(1, 2), "b.t", List.of(3)));
    assertThat(task.offset(new TableId("a", "t"))).containsEntry("rows", 2L);
    assertThat(task.offset(new TableId("b", "t"))).containsEntry("rows", 1L);
  }

  /** Case S21: two tables on one topic are refused by name, the others go on. */
  @Test
  void twoTablesOnOneTopicAreRefusedByName() {
    task(
        "",
        "CREATE TABLE \"a b\"(id int)",
        "CREATE TABLE a_b(id int)",
        "CREATE TABLE c(id int)",
        "INSERT INTO c VALUES (3)");

    assertThat(firstIds()).containsExactly(3);
    assertThat(task.latestJobs().get("a_b").error()).contains("public.a b", "public.a_b");
    assertThat(task.latestJobs().get("a b").error()).contains("public.a b", "public.a_b");
    assertThat(
            new LakeXpressSourceConnector()
                .validate(task.properties()).configValues().stream()
                    .filter(value -> value.name().equals("topic.prefix"))
                    .findFirst()
                    .orElseThrow()
                    .errorMessages())
        .singleElement()
        .asString()
        .contains("public.a b", "public.a_b");
  }

  /** Case S24: each table has its own column, all end at one instant, each in its own type. */
  @Test
  void eachTableHasItsOwnColumnAndAllEndAtOneInstant() {
    task(
        "public.a:created_at:timestamp,public.b:modified:timestamp:e",
        "CREATE TABLE a(id int, created_at timestamp(3))",
        "CREATE TABLE b(id int, modified timestamptz)",
        "CREATE TABLE c(id int, code text)",
        "INSERT INTO a VALUES (1,'2024-05-01 09:00'),(11,'2024-05-01 10:00:00')",
        "INSERT INTO b VALUES (2,'2024-05-01 09:00Z'),(12,'2024-05-01 10:00:00Z')",
        "INSERT INTO c VALUES (3,'x')");
    task.boundedBy("2024-05-01T10:00:00Z");

    assertThat(firstIds()).containsExactlyInAnyOrder(1, 2, 3);
    Map<String, Job> jobs = task.latestJobs();
    assertThat(jobs.get("a").upperBound()).isEqualTo("2024-05-01T09:59:59.999");
    assertThat(jobs.get("b").upperBound()).isEqualTo("2024-05-01T10:00:00Z");
    assertThat(jobs.get("c").mode()).isEqualTo(JobMode.FULL);
    assertThat(jobs.values()).extracting(Job::status).containsOnly(Status.DELIVERED);

    task.boundedBy("2024-05-01T11:00:00Z");
    assertThat(idsOfARun()).as("c comes in full again").containsExactlyInAnyOrder(11, 12, 3);
  }

  @Test
  void aViewIsReadOnlyWhenItIsNamedExactly() {
    task(
        "public.v:updated_at:timestamp",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
        "CREATE VIEW v AS SELECT * FROM t",
        "CREATE VIEW w AS SELECT * FROM t",
        "CREATE VIEW x1 AS SELECT * FROM t",
        "INSERT INTO t VALUES (1,'2024-05-01'),(2,'2024-05-02')");
    task.include = List.of("v", "w", "x%");

    task.start().firstRun();
    assertThat(topics(task.topic)).containsExactlyInAnyOrder("public.v", "public.w");
    assertThat(task.latestJobs().get("v").mode()).isEqualTo(JobMode.FIRST_SYNC);
    assertThat(task.latestJobs().get("w").mode()).isEqualTo(JobMode.FULL);

    task.postgres.run("INSERT INTO t VALUES (3,'2025-01-02')");
    task.boundedBy("2025-01-03T00:00:00Z");
    List<SourceRecord> second = task.run();
    assertThat(second)
        .filteredOn(record -> record.topic().equals("public.v"))
        .extracting(record -> PostgresTask.ids(List.of(record)))
        .containsExactly(List.of(3));
  }

  @Test
  void aMaterializedViewAndAForeignTableAreReadByTheirWatermarks() {
    task(
        "public.m:updated_at:timestamp,public.f:updated_at:timestamp",
        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
        "INSERT INTO t VALUES (1,'2024-05-01'),(2,'2024-05-02')",
        "CREATE MATERIALIZED VIEW m AS SELECT id + 10 AS id, updated_at FROM t",
        "CREATE EXTENSION postgres_fdw");
    String[] server = task.postgres.url().split("[:/]+");
    task.postgres.run(
        "CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'localhost', port '"
            + server[3]
            + "', dbname '"
            + task.postgres.name()
            + "')",
        "CREATE USER MAPPING FOR CURRENT_USER SERVER far OPTIONS (user 'postgres',"
            + " password_required 'false')",
        "CREATE FOREIGN TABLE f (id int, updated_at timestamp) SERVER far OPTIONS (table_name"
            + " 't')");
    task.include = List.of("m", "f");

    assertThat(firstIds()).containsExactlyInAnyOrder(1, 2, 11, 12);

    task.postgres.run("INSERT INTO t VALUES (3,'2025-01-02')", "REFRESH MATERIALIZED VIEW m");
    task.boundedBy("2025-01-03T00:00:00Z");
    assertThat(idsOfARun()).containsExactlyInAnyOrder(3, 13);
  }
}
