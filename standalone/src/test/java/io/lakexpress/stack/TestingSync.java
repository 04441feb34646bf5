package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.jdbc.DatabaseTarget;
import io.lakexpress.lxdb.jdbc.LakexpressDatabases;
import io.lakexpress.standalone.ConnectRest;
import io.lakexpress.standalone.ConnectRestException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** One sync of a test: its databases, its two connectors, its lake, and what became of it. */
final class TestingSync implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private final String id;
  private final TestingPostgres postgres;
  private final TestingKafka kafka;
  private final Path lake;
  private final Map<String, String> source = new LinkedHashMap<>();
  private final Map<String, String> sink = new LinkedHashMap<>();
  private final LakexpressDb db;
  private ConnectRest rest;

  TestingSync(
      String id, TestingPostgres postgres, TestingKafka kafka, ConnectRest rest, Path lake) {
    this.id = id;
    this.postgres = postgres;
    this.kafka = kafka;
    this.rest = rest;
    this.lake = lake;
    postgres.createDatabase("src_" + id);
    postgres.createDatabase("lx_" + id);
    this.db =
        LakexpressDatabases.open(
            new DatabaseTarget(
                postgres.url("lx_" + id), postgres.user(), postgres.password(), Map.of()));
    describeSource();
    describeSink();
  }

  private void describeSource() {
    source.put("connector.class", "io.lakexpress.connect.source.LakeXpressSourceConnector");
    source.put("tasks.max", "2");
    source.put("sync.id", id);
    source.put("source.url", postgres.url("src_" + id));
    source.put("source.user", postgres.user());
    source.put("source.password", postgres.password());
    source.put("source.schema.name", "public");
    putLakexpressDb(source);
    source.put("sync.mode", "on-demand");
    source.put("topic.prefix", id + ".");
    source.put("exactly.once.support", "required");
    source.put("topic.creation.default.replication.factor", "1");
    source.put("topic.creation.default.partitions", "2");
  }

  private void describeSink() {
    sink.put("connector.class", "io.lakexpress.connect.lake.LakeXpressSinkConnector");
    sink.put("tasks.max", "2");
    sink.put("topics.regex", id + "\\..*");
    sink.put("sync.id", id);
    putLakexpressDb(sink);
    sink.put("lake.url", lake.toUri().toString());
    sink.put("consumer.override.isolation.level", "read_committed");
    sink.put("consumer.override.auto.offset.reset", "earliest");
  }

  private void putLakexpressDb(Map<String, String> config) {
    config.put("lxdb.url", postgres.url("lx_" + id));
    config.put("lxdb.user", postgres.user());
    config.put("lxdb.password", postgres.password());
  }

  /** Runs SQL on the source database. */
  TestingSync sql(String sql) {
    postgres.execute("src_" + id, sql);
    return this;
  }

  TestingSync source(String key, String value) {
    source.put(key, value);
    return this;
  }

  TestingSync sourceWithout(String key) {
    source.remove(key);
    return this;
  }

  TestingSync sink(String key, String value) {
    sink.put(key, value);
    return this;
  }

  Map<String, String> sourceConfig() {
    return new LinkedHashMap<>(source);
  }

  Map<String, String> sinkConfig() {
    return new LinkedHashMap<>(sink);
  }

  TestingSync startSource() {
    rest.configure(sourceName(), source);
    return this;
  }

  TestingSync startSink() {
    rest.configure(sinkName(), sink);
    return this;
  }

  TestingSync start() {
    return startSource().startSink();
  }

  /** Talks to another worker from now on. */
  void on(ConnectRest other) {
    rest = other;
  }

  String id() {
    return id;
  }

  String sourceName() {
    return id + "-source";
  }

  String sinkName() {
    return id + "-lake";
  }

  ConnectRest rest() {
    return rest;
  }

  LakexpressDb db() {
    return db;
  }

  Path lake() {
    return lake;
  }

  /** Asks for a run and waits until it has come to the status. */
  Run run(Status status) {
    long before = lastNumber();
    db.syncs().requestRun(id, "requested");
    return awaitRun(before + 1, status);
  }

  /** Asks for a run and waits until it has landed. */
  Run run() {
    return run(Status.LANDED);
  }

  long lastNumber() {
    return db.runs().latestRun(id).map(Run::number).orElse(0L);
  }

  /**
   * Waits until the run of this number, or a later one, has the status; fails at once if it failed
   * instead.
   */
  Run awaitRun(long number, Status status) {
    Awaitility.await("run " + number + " of " + id + " " + status)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              Optional<Run> run = db.runs().latestRun(id).filter(r -> r.number() >= number);
              if (run.isPresent() && run.get().status() != status) {
                failIfOver(run.get(), status);
              }
              return run.isPresent() && run.get().status() == status;
            });
    return db.runs().latestRun(id).orElseThrow();
  }

  private void failIfOver(Run run, Status wanted) {
    if (run.status() == Status.FAILED && wanted != Status.FAILED) {
      throw new AssertionError(
          "Run " + run.number() + " failed: " + run.error() + "\n" + trouble());
    }
    String trouble = trouble();
    if (!trouble.isEmpty() && wanted != Status.FAILED) {
      throw new AssertionError(trouble);
    }
  }

  /** Waits until no run is open or asked for, and everything that was delivered has landed. */
  void awaitQuiet() {
    Awaitility.await("all runs of " + id + " are over and landed")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(300))
        .until(() -> isIdle() && unlanded().isEmpty());
  }

  /** Whether no run is open and none is asked for. */
  boolean isIdle() {
    return db.runs().openRun(id).isEmpty() && db.syncs().requestedRun(id).isEmpty();
  }

  private List<Job> unlanded() {
    return db.runs().runs(id, 10_000).stream()
        .flatMap(run -> db.runs().jobs(run.runId()).stream())
        .filter(job -> job.status() == Status.DELIVERED)
        .toList();
  }

  /** Traces of failed connectors and tasks. */
  String trouble() {
    StringBuilder trouble = new StringBuilder();
    for (String name : List.of(sourceName(), sinkName())) {
      JsonNode status = status(name);
      trouble.append(status.path("connector").path("trace").asText(""));
      status.path("tasks").forEach(task -> trouble.append(task.path("trace").asText("")));
    }
    return trouble.toString();
  }

  /** The status of a connector, or an empty one while it has none yet. */
  private JsonNode status(String name) {
    try {
      return rest.status(name);
    } catch (ConnectRestException notYet) {
      return MissingNode.getInstance();
    }
  }

  Job job(Run run, String table) {
    return db.runs().jobs(run.runId()).stream()
        .filter(job -> job.table().table().equals(table))
        .findFirst()
        .orElseThrow(() -> new AssertionError("Run " + run.number() + " has no job for " + table));
  }

  /** The committed records of a table's topic. */
  List<TestingKafka.Row> topic(String table) {
    return kafka.rows(id + ".public." + table.replaceAll("[^A-Za-z0-9._-]", "_"));
  }

  String topicName(String table) {
    return id + ".public." + table;
  }

  /** The closing records of a table: which job ended, with how many rows. */
  List<JsonNode> closings(String table) {
    return kafka.rows(id + "." + id + ".runs").stream()
        .map(TestingKafka.Row::value)
        .filter(value -> value.path("kind").asText().equals("closed"))
        .filter(value -> value.path("table").asText().equals(table))
        .toList();
  }

  /** What all topics of its tables begin with. */
  String topicPrefix() {
    return id + ".public.";
  }

  /** The offset of a table as Connect's REST interface shows it. */
  JsonNode offset(String table) {
    for (JsonNode offset : rest.offsets(sourceName()).path("offsets")) {
      if (offset.path("partition").path("table").asText().equals("public." + table)
          && !offset.path("partition").has("slice")) {
        return offset.path("offset");
      }
    }
    throw new AssertionError("No offset for " + table + " in " + rest.offsets(sourceName()));
  }

  /**
   * One value of a query over a table's visible files, read by DuckDB; {@code lake} in it is the
   * table.
   */
  String lake(String table, String query) {
    String files = lake.resolve("public").resolve(table) + "/*.parquet";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(query.replace("lake", "read_parquet('" + files + "')"))) {
      assertThat(result.next()).isTrue();
      return result.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A connection to the source database. */
  Connection connect() throws SQLException {
    return postgres.connect("src_" + id);
  }

  /**
   * Ends the connectors' connections on the server's side.
   *
   * @param database {@code src_} or {@code lx_}
   * @return how many there were
   */
  long killConnections(String database) throws SQLException {
    try (Connection connection = postgres.connect("postgres")) {
      return lines(
              connection,
              """
              SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = '%s%s' AND application_name LIKE 'lakexpress%%'
              """
                  .formatted(database, id))
          .size();
    }
  }

  /** One value of a query on the source database. */
  String database(String query) {
    try (Connection connection = postgres.connect("src_" + id);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      assertThat(result.next()).isTrue();
      return result.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All rows of a query of one column over a table's visible files, as text. */
  List<String> lakeLines(String table, String query) {
    String files = lake.resolve("public").resolve(table) + "/*.parquet";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      return lines(connection, query.replace("lake", "read_parquet('" + files + "')"));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All rows of a query of one column on the source database, as text. */
  List<String> databaseLines(String query) {
    try (Connection connection = postgres.connect("src_" + id)) {
      return lines(connection, query);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> lines(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      List<String> lines = new ArrayList<>();
      while (result.next()) {
        lines.add(result.getString(1));
      }
      return lines;
    }
  }

  long lakeRows(String table) {
    return Files.isDirectory(lake.resolve("public").resolve(table)) && !visible(table).isEmpty()
        ? Long.parseLong(lake(table, "SELECT count(*) FROM lake"))
        : 0;
  }

  /** Names of a table's visible files. */
  List<String> visible(String table) {
    return names(table).stream().filter(name -> name.endsWith(".parquet")).toList();
  }

  /** Names of everything in a table's folder, hidden files too. */
  List<String> names(String table) {
    Path folder = lake.resolve("public").resolve(table);
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** How often each job's rows stand in a topic. */
  Map<String, Long> rowsByJob(String table) {
    return topic(table).stream()
        .collect(Collectors.groupingBy(TestingKafka.Row::job, TreeMap::new, Collectors.counting()));
  }

  @Override
  public void close() {
    List<String> names = new ArrayList<>();
    rest.connectors().forEach(name -> names.add(name.asText()));
    for (String name : List.of(sourceName(), sinkName())) {
      if (names.contains(name)) {
        rest.delete(name);
      }
    }
    db.close();
  }
}
