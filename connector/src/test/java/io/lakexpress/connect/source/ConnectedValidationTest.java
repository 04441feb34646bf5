package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.ConfigReader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
  void databaseThatDoesNotAnswerIsReportedInTime() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String url = "jdbc:postgresql://localhost:" + silent.getLocalPort() + "/postgres";
      ConfigReader config =
          new ConfigReader(SourceConfig.definition(), with("source.url", url, "lxdb.url", url));
      long start = System.nanoTime();

      new ConnectedValidation(new LakeXpressSourceWiring(), System::nanoTime)
          .run(config, SourceConfig.read(config));

      assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
      assertThat(config.isValid("source.url")).isFalse();
      assertThat(config.isValid("lxdb.url")).isFalse();
    }
  }
}
