package io.lakexpress.connect.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lakexpress.connect.SchemaText;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.NewJob;
import io.lakexpress.lxdb.NewRun;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.jdbc.DatabaseTarget;
import io.lakexpress.lxdb.jdbc.LakexpressDatabases;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connector and task on a real LakeXpress DB, writing real Parquet files. */
abstract class LakeSinkContract {
  private static final TableId ORDERS = new TableId("sales", "order lines");
  private static final TopicPartition TOPIC = new TopicPartition("sales.order_lines", 0);
  private static final TopicPartition RUNS = new TopicPartition("tpch.runs", 0);
  private static final Schema ROW =
      SchemaBuilder.struct()
          .name("sales.order lines.Value")
          .field("id", Schema.INT64_SCHEMA)
          .field("note", Schema.OPTIONAL_STRING_SCHEMA)
          .build();

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  @TempDir Path folder;
  private final List<AutoCloseable> open = new ArrayList<>();
  private DatabaseTarget target;
  private LakexpressDb book;
  private long offset;

  @BeforeEach
  void openBook() {
    target = lakexpressDb(folder);
    book = LakexpressDatabases.open(target);
    open.add(book);
    book.syncs().save("tpch", "", "{}");
    book.syncs().storePlan("tpch", List.of(unit()));
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  /** An empty LakeXpress DB; the folder is the test's own. */
  abstract DatabaseTarget lakexpressDb(Path own);

  private static PlannedUnit unit() {
    return new PlannedUnit(ORDERS, Slice.WHOLE, "", 3);
  }

  private Map<String, String> config(String name) {
    Map<String, String> config = new HashMap<>();
    config.put("name", name);
    config.put("topics", "sales.order_lines");
    config.put("sync.id", "tpch");
    config.put("lxdb.url", target.url());
    config.put("lxdb.user", target.user());
    config.put("lake.url", folder.resolve("lake").toUri().toString());
    return config;
  }

  private LakeXpressSinkConnector connector(String name) {
    LakeXpressSinkConnector connector = new LakeXpressSinkConnector();
    connector.initialize(new RecordedConnectorContext());
    open.add(connector::stop);
    connector.start(config(name));
    return connector;
  }

  private LakeXpressSinkTask task(RecordedTaskContext context, Map<String, String> config) {
    LakeXpressSinkTask task = new LakeXpressSinkTask();
    task.initialize(context);
    open.add(task::stop);
    task.start(config);
    task.open(List.of(TOPIC));
    return task;
  }

  private Job openJob() {
    Instant now = Instant.parse("2026-12-01T10:00:00Z");
    Run run =
        book.runs()
            .open(
                new NewRun(
                    "tpch",
                    "start",
                    now,
                    now,
                    "",
                    List.of(new NewJob(unit(), JobMode.FULL, null, null))));
    return book.runs().claimNext(run.runId(), "task-0", Duration.ofMinutes(1)).orElseThrow();
  }

  private SinkRecord row(String jobId, long id) {
    ConnectHeaders headers = new ConnectHeaders();
    headers.addString(SinkRecords.JOB_HEADER, jobId);
    Struct value = new Struct(ROW).put("id", id).put("note", "n" + id);
    return new SinkRecord(
        "renamed",
        7,
        null,
        null,
        ROW,
        value,
        offset,
        null,
        TimestampType.NO_TIMESTAMP_TYPE,
        headers,
        TOPIC.topic(),
        TOPIC.partition(),
        offset++);
  }

  @Test
  void runLandsAsParquetAlthoughTheTopicWasRenamed() throws SQLException {
    LakeXpressSinkConnector connector = connector("lake");
    assertThat(connector.taskConfigs(2)).hasSize(2);
    LakeXpressSinkTask task = task(new RecordedTaskContext(), connector.taskConfigs(1).get(0));
    Job job = openJob();
    task.put(List.of(row(job.jobId(), 1), row(job.jobId(), 2), row(job.jobId(), 3)));
    book.runs().deliver(job.jobId(), 3, null);
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              task.put(List.of());
              assertThat(book.runs().job(job.jobId()).orElseThrow().status())
                  .isEqualTo(Status.LANDED);
            });
    assertThat(idsInLake()).containsExactly(1L, 2L, 3L);
    assertThat(figure(SinkBeans.ofWriters("tpch"), "Rows")).isEqualTo(3L);
    assertThat(figure(SinkBeans.ofWriters("tpch"), "OpenFiles")).isEqualTo(0L);
    assertThat(figure(SinkBeans.ofFinisher("tpch"), "PublishedFiles")).isEqualTo(1L);
    assertThat((Long) figure(SinkBeans.ofFinisher("tpch"), "PublishLatencyMs"))
        .isBetween(0L, 20_000L);
    assertThat(task.preCommit(Map.of()).get(TOPIC).offset()).isEqualTo(3);
    assertThat(book.runs().latestRun("tpch").orElseThrow().status()).isEqualTo(Status.LANDED);
    assertThat(book.ledger().columns(job.jobId())).hasSize(2);
    task.stop();
    connector.stop();
    assertThat(SERVER.isRegistered(SinkBeans.ofWriters("tpch"))).isFalse();
    assertThat(SERVER.isRegistered(SinkBeans.ofFinisher("tpch"))).isFalse();
  }

  /** Readers of an empty table find its columns, and no row. */
  @Test
  void exportWithoutRowsLandsAsOneParquetFileWithItsColumns() throws SQLException {
    LakeXpressSinkConnector connector = connector("lake");
    LakeXpressSinkTask task = task(new RecordedTaskContext(), connector.taskConfigs(1).get(0));
    task.open(List.of(RUNS));
    Job job = openJob();
    book.runs().deliver(job.jobId(), 0, null);
    Schema run =
        SchemaBuilder.struct()
            .name("io.lakexpress.Run")
            .field("kind", Schema.STRING_SCHEMA)
            .field("job_id", Schema.STRING_SCHEMA)
            .field("row_schema", Schema.OPTIONAL_STRING_SCHEMA)
            .build();
    Struct closed =
        new Struct(run)
            .put("kind", "closed")
            .put("job_id", job.jobId())
            .put("row_schema", SchemaText.of(ROW));
    task.put(List.of(new SinkRecord(RUNS.topic(), 0, null, null, run, closed, 0)));
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              task.put(List.of());
              assertThat(book.runs().job(job.jobId()).orElseThrow().status())
                  .isEqualTo(Status.LANDED);
            });

    assertThat(query("SELECT id FROM %s")).isEmpty();
    assertThat(query("SELECT column_name FROM (DESCRIBE SELECT * FROM %s)"))
        .containsExactly("id", "note");
    assertThat(book.ledger().publishedFiles("tpch", ORDERS))
        .singleElement()
        .satisfies(file -> assertThat(file.rows()).isZero());
    assertThat(task.preCommit(Map.of()).get(RUNS).offset()).isEqualTo(1);
  }

  private static Object figure(ObjectName bean, String attribute) {
    try {
      return SERVER.getAttribute(bean, attribute);
    } catch (JMException e) {
      throw new IllegalStateException("Cannot read " + attribute + " of " + bean, e);
    }
  }

  private List<Long> idsInLake() throws SQLException {
    return query("SELECT id FROM %s ORDER BY id").stream().map(Long::valueOf).toList();
  }

  /** The first column of a query in which {@code %s} stands for the table's files. */
  private List<String> query(String text) throws SQLException {
    List<String> values = new ArrayList<>();
    String files = folder.resolve("lake") + "/sales/order lines/*.parquet";
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        ResultSet rows =
            duckDb
                .createStatement()
                .executeQuery(text.formatted("read_parquet('" + files + "')"))) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  @Test
  void restartedTaskSeeksToTheLedger() {
    Job job = openJob();
    RecordedTaskContext first = new RecordedTaskContext();
    LakeXpressSinkTask task = task(first, config("lake"));
    task.put(List.of(row(job.jobId(), 1)));
    assertThat(first.seeks).isEmpty();
    task.stop();
    RecordedTaskContext second = new RecordedTaskContext();
    LakeXpressSinkTask next = task(second, config("lake"));
    next.put(List.of());
    assertThat(second.seeks).containsEntry(TOPIC, 0L);
  }

  @Test
  void databaseThatIsUnreachableAsksConnectToTryAgain() {
    Map<String, String> config = config("lake");
    config.put("lxdb.url", "jdbc:postgresql://127.0.0.1:1/nowhere");
    config.put("lxdb.jdbc.connectTimeout", "1");
    RecordedTaskContext context = new RecordedTaskContext();
    LakeXpressSinkTask task = task(context, config);
    assertThatThrownBy(() -> task.put(List.of(row("j-1", 1))))
        .isInstanceOf(RetriableException.class);
    assertThat(context.timeout).isPositive();
    assertThat(task.preCommit(Map.of())).isEmpty();
  }

  @Test
  void secondLakeSinkOfTheSyncIsRefused() {
    connector("lake");
    assertThatThrownBy(() -> connector("other"))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("connector 'lake' is its lake sink");
  }

  @Test
  void connectorStartsAlthoughTheDatabaseIsDown() {
    LakeXpressSinkConnector connector = new LakeXpressSinkConnector();
    connector.initialize(new RecordedConnectorContext());
    open.add(connector::stop);
    Map<String, String> config = config("lake");
    config.put("lxdb.url", "jdbc:postgresql://127.0.0.1:1/nowhere");
    connector.start(config);
    assertThat(connector.taskConfigs(1)).hasSize(1);
  }

  @Test
  void offsetsCannotBeAltered() {
    assertThatThrownBy(() -> new LakeXpressSinkConnector().alterOffsets(Map.of(), Map.of()))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("ledger");
  }

  @Test
  void validationNamesAllProblemsAtOnceOnTheirKeys() {
    Map<String, String> config = config("lake");
    config.put("lake.url", "s3://bucket/dir");
    config.put("sub.path", "../up");
    config.put("parquet.compression", "lzo");
    config.put("roll.rows", "0");
    config.put("behavior.on.null.values", "maybe");
    config.put("lxdb.url", "jdbc:postgresql://127.0.0.1:1/nowhere");
    Map<String, List<String>> errors = errors(config);
    assertThat(errors.keySet())
        .containsExactlyInAnyOrder(
            "lake.url",
            "sub.path",
            "parquet.compression",
            "roll.rows",
            "behavior.on.null.values",
            "lxdb.url");
    assertThat(errors.get("parquet.compression").get(0))
        .isEqualTo(
            "Invalid parquet.compression 'lzo': expected zstd, snappy, gzip, lz4_raw or none");
  }

  @Test
  void validationFindsLakeThatCannotBeWritten() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    Map<String, String> config = config("lake");
    config.put("lake.url", file.toUri().toString());
    assertThat(errors(config)).containsOnlyKeys("lake.url");
  }

  @Test
  void validationAcceptsGoodConfigurationAndLeavesNothingInTheLake() {
    assertThat(errors(config("lake"))).isEmpty();
    assertThat(folder.resolve("lake")).isEmptyDirectory();
  }

  private static Map<String, List<String>> errors(Map<String, String> config) {
    Map<String, List<String>> errors = new HashMap<>();
    new LakeXpressSinkConnector()
        .validate(config)
        .configValues()
        .forEach(
            value -> {
              if (!value.errorMessages().isEmpty()) {
                errors.put(value.name(), value.errorMessages());
              }
            });
    return errors;
  }
}
