package io.lakexpress.connect.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.jdbc.DatabaseTarget;
import io.lakexpress.lxdb.jdbc.LakexpressDatabases;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics of other source connectors, as their records are, written as real Parquet. */
class ForeignTopicsTest {
  private static final Schema CUSTOMER =
      SchemaBuilder.struct()
          .name("shop.public.customers.Value")
          .optional()
          .field("id", Schema.INT32_SCHEMA)
          .field("name", Schema.OPTIONAL_STRING_SCHEMA)
          .build();
  private static final Schema ENVELOPE =
      SchemaBuilder.struct()
          .name("shop.public.customers.Envelope")
          .version(1)
          .field("before", CUSTOMER)
          .field("after", CUSTOMER)
          .field(
              "source",
              SchemaBuilder.struct()
                  .name("io.debezium.connector.postgresql.Source")
                  .field("connector", Schema.STRING_SCHEMA)
                  .field("lsn", Schema.OPTIONAL_INT64_SCHEMA)
                  .build())
          .field("op", Schema.STRING_SCHEMA)
          .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
          .build();

  @TempDir Path folder;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final RecordedTaskContext context = new RecordedTaskContext();
  private final Map<String, String> config = new HashMap<>();
  private final Map<String, Long> offsets = new HashMap<>();

  @BeforeEach
  void sync() {
    DatabaseTarget target = SqliteLakeSinkTest.database(folder);
    LakexpressDb book = LakexpressDatabases.open(target);
    open.add(book);
    book.syncs().save("others", "", "{}");
    config.put("name", "lake");
    config.put("topics.regex", ".*");
    config.put("sync.id", "others");
    config.put("lxdb.url", target.url());
    config.put("lake.url", folder.resolve("lake").toUri().toString());
    config.put("roll.interval.ms", "200");
    LakeXpressSinkConnector connector = new LakeXpressSinkConnector();
    connector.initialize(new RecordedConnectorContext());
    open.add(connector::stop);
    connector.start(config);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private LakeXpressSinkTask task(TopicPartition... partitions) {
    LakeXpressSinkTask task = new LakeXpressSinkTask();
    task.initialize(context);
    open.add(task::stop);
    task.start(config);
    task.open(List.of(partitions));
    return task;
  }

  private SinkRecord record(String topic, String renamed, Schema schema, Object value) {
    long offset = offsets.merge(topic, 1L, Long::sum) - 1;
    return new SinkRecord(
        renamed,
        5,
        Schema.STRING_SCHEMA,
        "key",
        schema,
        value,
        99 - offset,
        null,
        TimestampType.NO_TIMESTAMP_TYPE,
        List.of(),
        topic,
        0,
        offset);
  }

  private static Struct customer(int id, String name) {
    return new Struct(CUSTOMER).put("id", id).put("name", name);
  }

  private static Struct change(String op, Struct before, Struct after) {
    Struct source = new Struct(ENVELOPE.field("source").schema());
    return new Struct(ENVELOPE)
        .put("before", before)
        .put("after", after)
        .put("source", source.put("connector", "postgresql").put("lsn", 77L))
        .put("op", op)
        .put("ts_ms", 1L);
  }

  private void untilShown(LakeXpressSinkTask task, String query, String... rows) {
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              task.put(List.of());
              assertThat(rows(query)).containsExactly(rows);
            });
  }

  /** The rows of a query in which {@code lake} stands for the lake. */
  private List<String> rows(String query) {
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      String text = query.replace("lake:", folder.resolve("lake") + "/");
      try (ResultSet result = statement.executeQuery(text)) {
        List<String> rows = new ArrayList<>();
        while (result.next()) {
          rows.add(result.getString(1));
        }
        return rows;
      }
    } catch (SQLException none) {
      return List.of(none.getMessage());
    }
  }

  @Test
  void changeEventsOfDebeziumLandWithTheirTombstonesPassedOver() {
    String topic = "shop.public.customers";
    LakeXpressSinkTask task = task(new TopicPartition(topic, 0));
    task.put(
        List.of(
            record(topic, topic, ENVELOPE, change("c", null, customer(1, "Ann"))),
            record(topic, topic, ENVELOPE, change("u", customer(1, "Ann"), customer(1, "Anna"))),
            record(topic, topic, ENVELOPE, change("d", customer(1, "Anna"), null)),
            record(topic, topic, null, null)));

    untilShown(
        task,
        "SELECT op || ':' || coalesce(\"before\".name, '-') || ':' || coalesce(\"after\".name, '-')"
            + " || ':' || source.lsn FROM read_parquet('lake:shop.public/customers/*.parquet')",
        "c:-:Ann:77",
        "u:Ann:Anna:77",
        "d:Anna:-:77");
    assertThat(task.preCommit(Map.of()).get(new TopicPartition(topic, 0)).offset()).isEqualTo(4);
  }

  @Test
  void rowsOfAJdbcSourceLandUnderDefault() {
    String topic = "jdbc-orders";
    Schema schema =
        SchemaBuilder.struct()
            .name("orders")
            .field("id", Schema.INT64_SCHEMA)
            .field("price", Decimal.builder(2).optional().build())
            .field("created", Timestamp.builder().optional().build())
            .build();
    Struct row =
        new Struct(schema)
            .put("id", 1L)
            .put("price", new BigDecimal("12.50"))
            .put("created", java.util.Date.from(Instant.parse("2026-12-01T10:00:00.123Z")));
    LakeXpressSinkTask task = task(new TopicPartition(topic, 0));
    task.put(List.of(record(topic, topic, schema, row)));

    untilShown(
        task,
        "SELECT id || ' ' || price || ' ' || (created AT TIME ZONE 'UTC')"
            + " FROM read_parquet('lake:default/jdbc-orders/*.parquet')",
        "1 12.50 2026-12-01 10:00:00.123");
  }

  /** A transform routes two topics onto one name, partition and offset: each has its own place. */
  @Test
  void topicsThatATransformRenamedKeepTheirOwnNamesAndOffsets() {
    TopicPartition east = new TopicPartition("db.east.orders", 0);
    TopicPartition west = new TopicPartition("db.west.orders", 0);
    LakeXpressSinkTask task = task(east, west);
    task.put(
        List.of(
            record(east.topic(), "all", CUSTOMER, customer(1, "e")),
            record(west.topic(), "all", CUSTOMER, customer(2, "w"))));

    untilShown(task, "SELECT id FROM read_parquet('lake:db.east/orders/*.parquet')", "1");
    untilShown(task, "SELECT id FROM read_parquet('lake:db.west/orders/*.parquet')", "2");
    untilShown(
        task,
        "SELECT replace(file, '"
            + folder.resolve("lake")
            + "/', '') FROM glob('lake:**/*.parquet')"
            + " ORDER BY 1",
        "db.east/orders/part-0-0-000000000000.parquet",
        "db.west/orders/part-0-0-000000000000.parquet");
    assertThat(task.preCommit(Map.of())).containsOnlyKeys(east, west);
  }

  /** What no file can hold goes to Connect's own reporter, with the reason, and moves on. */
  @Test
  void rowsThatNoFileCanHoldGoToTheErrantRecordReporter() {
    String topic = "shop.mixed";
    Schema twice =
        SchemaBuilder.struct()
            .field("id", Schema.INT32_SCHEMA)
            .field("price", Decimal.schema(2))
            .build();
    context.reportsErrors = true;
    LakeXpressSinkTask task = task(new TopicPartition(topic, 0));
    Struct tooWide =
        new Struct(twice).put("id", 1).put("price", new BigDecimal("9".repeat(60) + ".00"));
    Struct fits = new Struct(twice).put("id", 2).put("price", new BigDecimal("1.00"));
    task.put(List.of(record(topic, topic, twice, tooWide), record(topic, topic, twice, fits)));

    untilShown(task, "SELECT id FROM read_parquet('lake:shop/mixed/*.parquet')", "2");
    assertThat(context.reported).hasSize(1);
    assertThat(context.reported.get(0).originalKafkaOffset()).isZero();
    assertThat(context.reasons.get(0)).hasMessageContaining("price");
    assertThat(task.preCommit(Map.of()).get(new TopicPartition(topic, 0)).offset()).isEqualTo(2);
  }

  @Test
  void recordWithoutASchemaEndsTheTaskNamingTheConverter() {
    String topic = "raw";
    LakeXpressSinkTask task = task(new TopicPartition(topic, 0));
    assertThatThrownBy(() -> task.put(List.of(record(topic, topic, null, Map.of("id", 1)))))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("raw-0@0")
        .hasMessageContaining("value.converter");
  }
}
