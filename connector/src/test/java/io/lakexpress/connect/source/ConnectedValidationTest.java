package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.lxdb.jdbc.DatabaseTarget;
import io.lakexpress.lxdb.jdbc.LakexpressDatabases;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Validation against a real PostgreSQL that asks for passwords. */
class ConnectedValidationTest {
  private static final String PASSWORD = "hunter2-right";
  private static final String WRONG_PASSWORD = "hunter2-wrong";

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() throws IOException, SQLException {
    postgres = EmbeddedPostgres.builder().setServerConfig("timezone", "UTC").start();
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET password_encryption = 'scram-sha-256'");
      statement.execute("CREATE ROLE reader LOGIN PASSWORD '" + PASSWORD + "'");
      statement.execute("CREATE ROLE keeper LOGIN SUPERUSER PASSWORD '" + PASSWORD + "'");
      statement.execute("CREATE SCHEMA sales");
      statement.execute("CREATE TABLE sales.orders (id bigint PRIMARY KEY, day date, note text)");
      statement.execute("CREATE TABLE sales.secret (id bigint PRIMARY KEY, day date)");
      statement.execute("GRANT USAGE ON SCHEMA sales TO reader");
      statement.execute("GRANT SELECT ON sales.orders TO reader");
      statement.execute("CREATE TABLE sales.partial (id bigint PRIMARY KEY, day date, note text)");
      statement.execute("GRANT SELECT (id) ON sales.partial TO reader");
      statement.execute("CREATE TABLE sales.held (id bigint PRIMARY KEY, at timestamptz)");
      statement.execute("CREATE TABLE sales.parted (id bigint, day date) PARTITION BY RANGE (day)");
      statement.execute(
          "CREATE TABLE sales.part PARTITION OF sales.parted"
              + " FOR VALUES FROM ('2024-01-01') TO ('2030-01-01')");
      statement.execute("GRANT SELECT ON sales.held, sales.parted TO reader");
      requirePasswords(statement);
    }
  }

  /** The embedded server trusts everybody; the roles of this test are to prove who they are. */
  private static void requirePasswords(Statement statement) throws SQLException {
    statement.execute("CREATE TEMP TABLE hba (line text)");
    statement.execute(
        "INSERT INTO hba VALUES ('host all reader,keeper all scram-sha-256'),"
            + " ('host all all all trust'), ('local all all trust')");
    statement.execute(
        "DO $$ BEGIN EXECUTE format('COPY hba TO %L', current_setting('hba_file')); END $$");
    statement.execute("SELECT pg_reload_conf()");
  }

  @AfterAll
  static void stop() throws IOException {
    postgres.close();
  }

  private static Map<String, String> with(String... keysAndValues) {
    String url = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres";
    Map<String, String> properties = new HashMap<>();
    properties.put("sync.id", "shop");
    properties.put("lxdb.url", url);
    properties.put("lxdb.user", "keeper");
    properties.put("lxdb.password", PASSWORD);
    properties.put("source.url", url);
    properties.put("source.user", "reader");
    properties.put("source.password", PASSWORD);
    properties.put("table.include", "orders");
    properties.put("incremental.tables", "sales.orders:day:date:e");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return properties;
  }

  private static Map<String, List<String>> problems(String... keysAndValues) {
    Map<String, List<String>> problems = new HashMap<>();
    for (ConfigValue value :
        new LakeXpressSourceConnector().validate(with(keysAndValues)).configValues()) {
      assertThat(value.toString()).doesNotContain(PASSWORD).doesNotContain(WRONG_PASSWORD);
      if (!value.errorMessages().isEmpty()) {
        problems.put(value.name(), value.errorMessages());
      }
    }
    return problems;
  }

  @Test
  void configurationThatFitsHasNoProblems() {
    assertThat(problems()).isEmpty();
  }

  @Test
  void wrongPasswordsAreReportedOnTheirKeys() {
    Map<String, List<String>> problems =
        problems("source.password", WRONG_PASSWORD, "lxdb.password", WRONG_PASSWORD);

    assertThat(problems).containsOnlyKeys("source.password", "lxdb.url");
    assertThat(problems.get("source.password"))
        .singleElement()
        .asString()
        .contains("password authentication failed for user \"reader\"");
    assertThat(problems.get("lxdb.url"))
        .singleElement()
        .asString()
        .contains("password authentication failed for user \"keeper\"");
  }

  @Test
  void serversThatDoNotListenAreReported() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    String url = "jdbc:postgresql://localhost:" + free + "/postgres";

    Map<String, List<String>> problems = problems("source.url", url, "lxdb.url", url);

    assertThat(problems).containsOnlyKeys("source.url", "lxdb.url");
    assertThat(problems.get("source.url")).singleElement().asString().contains("refused");
  }

  @Test
  void unknownDatabaseIsReported() {
    String url = "jdbc:postgresql://localhost:" + postgres.getPort() + "/shopp";

    assertThat(problems("source.url", url))
        .containsOnlyKeys("source.url")
        .extractingByKey("source.url")
        .asString()
        .contains("database \"shopp\" does not exist");
  }

  @Test
  void unknownTableIsReportedWithTheNearest() {
    assertThat(problems("incremental.tables", "sales.order:day:date"))
        .isEqualTo(
            Map.of(
                "incremental.tables",
                List.of("Cannot find table sales.order: nearest are orders")));
  }

  @Test
  void tableThatMayNotBeReadIsReportedTogetherWithTheOthersProblems() {
    Map<String, List<String>> problems =
        problems(
            "table.include", "orders,secret",
            "incremental.tables", "sales.orders:note:date, sales.secret:day:date:e",
            "error.action", "explode");

    assertThat(problems).containsOnlyKeys("incremental.tables", "error.action");
    assertThat(problems.get("incremental.tables"))
        .anyMatch(message -> message.contains("by column note of type text"))
        .anyMatch(message -> message.contains("Cannot read table sales.secret: "));
  }

  @Test
  void columnsThatMayNotBeReadAreNamed() {
    assertThat(
            problems("table.include", "partial", "incremental.tables", "sales.partial:day:date:e"))
        .isEqualTo(
            Map.of(
                "incremental.tables",
                List.of(
                    "Cannot read table sales.partial: no right to SELECT column day, note, though"
                        + " others of the table may be read; grant USAGE on schema \"sales\" and"
                        + " SELECT on \"sales\".\"partial\" to \"reader\"")));
  }

  @Test
  void serversThatDoNotAnswerAreReportedInTime() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket silent = new ServerSocket(0, 5, loopback);
        ServerSocket full = new ServerSocket(0, 1, loopback)) {
      // Nobody accepts: once the queue is full the kernel answers no further knock.
      for (int i = 0; i < 4; i++) {
        waiting.add(knock(full));
      }
      long start = System.nanoTime();

      Map<String, List<String>> problems =
          problems(
              "source.url", "jdbc:postgresql://localhost:" + silent.getLocalPort() + "/postgres",
              "lxdb.url", "jdbc:postgresql://127.0.0.1:" + full.getLocalPort() + "/postgres");

      assertInTime(start);
      assertThat(problems).containsOnlyKeys("source.url", "lxdb.url");
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  private static Socket knock(ServerSocket server) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(server.getLocalSocketAddress(), 200);
    } catch (SocketTimeoutException e) {
      // That is the state the test wants.
      assertThat(socket.isConnected()).isFalse();
    }
    return socket;
  }

  /** The whole of it must stay within twenty seconds. */
  private static void assertInTime(long start) {
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void lockedTablesKeepNobodyFromCheckingTheOthers() throws SQLException {
    assertThat(problems()).isEmpty();
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE sales.held, sales.part IN ACCESS EXCLUSIVE MODE");
      long start = System.nanoTime();

      Map<String, List<String>> problems =
          problems(
              "table.include", "orders,secret,held,parted",
              "incremental.tables",
                  "sales.held:at:timestamp, sales.parted:day:date:e, sales.orders:dya:date");

      assertInTime(start);
      assertThat(problems)
          .isEqualTo(
              Map.of(
                  "incremental.tables",
                  List.of("Cannot find column dya of table sales.orders: nearest are day"),
                  "table.include",
                  List.of(
                      "Cannot read table sales.secret: permission denied for table secret; grant"
                          + " USAGE on schema \"sales\" and SELECT on \"sales\".\"secret\" to"
                          + " \"reader\"")));
    }
  }

  @Test
  void slowLakexpressDbIsReportedInTimeBesideTheProblemsOfTheSource() throws SQLException {
    assertThat(problems()).isEmpty();
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE sales.held IN ACCESS EXCLUSIVE MODE");
      statement.execute(
          "LOCK TABLE lakexpress_schema_history, incremental_watermarks, sync_configurations"
              + " IN ACCESS EXCLUSIVE MODE");
      long start = System.nanoTime();

      Map<String, List<String>> problems =
          problems(
              "table.include", "orders,held",
              "incremental.tables", "sales.order:day:date, sales.held:at:timestamp");

      assertInTime(start);
      assertThat(problems).containsOnlyKeys("lxdb.url", "incremental.tables");
      assertThat(problems.get("incremental.tables"))
          .containsExactly("Cannot find table sales.order: nearest are orders");
    }
  }

  /** The LakeXpress DB knows the table's watermark from its runs. */
  @Test
  void specThatDoesNotFitTheKnownWatermarkIsReported() {
    assertThat(problems("sync.id", "known")).isEmpty();
    Map<String, String> config = with();
    try (LakexpressDb lakexpressDb =
        LakexpressDatabases.open(
            new DatabaseTarget(config.get("lxdb.url"), "keeper", PASSWORD, Map.of()))) {
      TableId orders = TableId.parse("sales.orders");
      lakexpressDb.syncs().save("known", "", "{}");
      lakexpressDb
          .syncs()
          .storePlan(
              "known",
              List.of(new PlannedUnit(orders, Slice.WHOLE, "sales.orders:day:date:e!append", 1)));
      lakexpressDb
          .watermarks()
          .set(
              "known",
              new WatermarkMove(orders, "day", "date", "2026-12-01"),
              WatermarkCause.ADOPTED);

      assertThat(problems("sync.id", "known")).isEmpty();
      assertThat(
              problems("sync.id", "known", "incremental.tables", "sales.orders:id:integer")
                  .get("incremental.tables"))
          .singleElement()
          .asString()
          .contains("its watermark 2026-12-01 is of column day");
      assertThat(
              problems("sync.id", "known", "incremental.tables", "sales.orders:day:date:i")
                  .get("incremental.tables"))
          .singleElement()
          .asString()
          .contains("2026-12-01 would never be read")
          .contains("just below it, 2026-11-30 as it stands");
      lakexpressDb.watermarks().clear("known", orders, WatermarkCause.OFFSETS_API);
      assertThat(problems("sync.id", "known", "incremental.tables", "sales.orders:id:integer"))
          .isEmpty();
    }
  }
}
