package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.connect.source.read.SourceException.Kind;
import io.lakexpress.watermark.TableId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresFailuresTest {
  private final TestingSource database = new TestingSource();

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @CsvSource({
    "08006, PASSING",
    "08001, PASSING",
    "57P01, PASSING",
    "57P02, PASSING",
    "57P03, PASSING",
    "57014, PASSING",
    "53300, PASSING",
    "40001, PASSING",
    "40P01, PASSING",
    "55P03, PASSING",
    "25P03, PASSING",
    "53100, PASSING",
    "53400, PASSING",
    "HV00N, PASSING",
    "57P04, LASTING",
    "42P01, LASTING",
    "42501, LASTING",
    "28P01, LASTING",
    "3D000, LASTING",
    "22003, LASTING",
    "25006, LASTING",
    "XX000, LASTING",
    "'', LASTING"
  })
  void kindOf(String sqlState, Kind kind) {
    assertThat(PostgresFailures.kind(sqlState)).isEqualTo(kind);
  }

  @Test
  void aServerThatIsNotThereMayComeBack() {
    try (JdbcSource nowhere =
        JdbcSource.open(
            new SourceTarget("jdbc:postgresql://localhost:1/x", "u", "secret", Map.of(), "s"),
            ReadSettings.defaults())) {
      assertThatThrownBy(nowhere::now)
          .isInstanceOfSatisfying(
              SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PASSING))
          .hasMessageStartingWith("Cannot read the database's clock: Connection to localhost:1")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void aMissingTableLasts() {
    database.run("CREATE TABLE t (id int)");
    ReadRequest request = ReadRequest.full(database.table("t"));
    database.run("DROP TABLE t");

    assertThatThrownBy(() -> database.rows(request))
        .isInstanceOfSatisfying(
            SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LASTING))
        .hasMessage("Cannot read public.t: it does not exist (any more)");
  }

  @Test
  void aTerminatedConnectionPassesAndTheNextCallConnectsAnew() {
    database.run(
        "CREATE TABLE t AS SELECT g AS id, repeat('x', 100) AS v FROM generate_series(1, 50000) g");
    ReadRequest request = ReadRequest.full(database.table("t"));

    try (RowCursor cursor = database.source().read(request)) {
      assertThat(cursor.next()).isTrue();
      database.run(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name = 'lakexpress-test'");
      assertThatThrownBy(
              () -> {
                while (cursor.next()) {
                  assertThat(cursor.value()).isNotNull();
                }
              })
          .isInstanceOfSatisfying(
              SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PASSING))
          .hasMessageStartingWith("Cannot read public.t: ");
    }
    assertThat(database.rows(request)).hasSize(50000);
  }

  @Test
  void aRunningStatementIsCancelledAtOnce() {
    database.run("CREATE VIEW slow AS SELECT 1 AS id, pg_sleep(60)::text AS v");
    TableId slow = new TableId("public", "slow");
    ReadRequest request = ReadRequest.full(database.source().table(slow).orElseThrow());

    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Throwable> reading =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                database.rows(request);
                return null;
              } catch (SourceException e) {
                return e;
              } finally {
                done.set(true);
              }
            });
    Instant asked = Instant.now();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              database.source().cancel();
              return done.get();
            });

    assertThat(reading.join())
        .isInstanceOfSatisfying(
            SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CANCELLED));
    assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(30));
    assertThat(database.source().now()).isNotNull();
  }

  @Test
  void anOpenCursorIsCancelledBetweenItsFetchesToo() {
    database.run("CREATE TABLE t AS SELECT g AS id FROM generate_series(1, 1000) g");

    try (RowCursor cursor = database.source().read(ReadRequest.full(database.table("t")))) {
      assertThat(cursor.next()).isTrue();
      database.source().cancel();
      assertThatThrownBy(cursor::next)
          .isInstanceOfSatisfying(
              SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CANCELLED));
    }
    assertThat(database.rows(ReadRequest.full(database.table("t")))).hasSize(1000);
  }

  @Test
  void aStatementTimeoutOfTheServerMayPass() {
    database.run("CREATE VIEW slow AS SELECT 1 AS id, pg_sleep(60)::text AS v");
    JdbcSource source =
        database.open(ReadSettings.defaults(), Map.of("options", "-c statement_timeout=200"));
    ReadRequest request =
        ReadRequest.full(source.table(new TableId("public", "slow")).orElseThrow());

    assertThatThrownBy(() -> TestingSource.rows(source, request, 1))
        .isInstanceOfSatisfying(
            SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PASSING))
        .hasMessage(
            "Cannot read public.slow: canceling statement due to statement timeout; raise"
                + " statement_timeout for the user that reads, or create an index that begins with"
                + " the watermark and the key");
  }

  @Test
  void aRefusalNamesTheRightsThatAreMissing() {
    database.run("CREATE TABLE t (id int)");
    String role = "clerk_" + database.postgres().name();
    database.run("CREATE ROLE " + role + " LOGIN");
    ReadRequest request = ReadRequest.full(database.table("t"));

    try (JdbcSource source = database.openAs(role)) {
      assertThatThrownBy(() -> TestingSource.rows(source, request, 1))
          .isInstanceOfSatisfying(
              SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LASTING))
          .hasMessage(
              "Cannot read public.t: permission denied for table t; grant USAGE on schema"
                  + " \"public\" and SELECT on \"public\".\"t\" to \""
                  + role
                  + "\"");
      assertThat(source.refusedRead(new TableId("public", "t")).orElseThrow())
          .startsWith("permission denied for table t; grant ");
    }
  }

  @Test
  void aServerThatIsFullSaysWhatToRaise() {
    String role = "crowd_" + database.postgres().name();
    database.run("CREATE ROLE " + role + " LOGIN CONNECTION LIMIT 0");

    try (JdbcSource source = database.openAs(role)) {
      assertThatThrownBy(source::now)
          .isInstanceOfSatisfying(
              SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PASSING))
          .hasMessageContaining("too many connections")
          .hasMessageContaining("raise max_connections");
    }
  }

  @Test
  void aLockIsNotWaitedForEndlesslyUnlessTheUserSaysHowLong() {
    database.run("CREATE VIEW v AS SELECT current_setting('lock_timeout') AS value");
    ReadRequest request = ReadRequest.full(database.table("v"));

    assertThat(database.column(request, "value")).containsExactly("5s");
    JdbcSource patient =
        database.open(ReadSettings.defaults(), Map.of("options", "-c lock_timeout=70s"));
    assertThat(TestingSource.rows(patient, request, 1).get(0).get("value")).isEqualTo("70s");
  }

  @Test
  void aRetypedColumnIsReadOnTheSameConnection() {
    database.run("CREATE TABLE t (id int, v int)", "INSERT INTO t VALUES (1, 2)");
    ReadRequest request = ReadRequest.full(database.table("t"));
    for (int i = 0; i < 6; i++) {
      assertThat(database.column(request, "v")).containsExactly(2);
    }

    database.run("ALTER TABLE t ALTER COLUMN v TYPE bigint");

    assertThat(database.column(request, "v")).containsExactly(2L);
  }

  @Test
  void nothingRunsSoNothingIsCancelled() {
    database.source().cancel();

    assertThat(database.source().now()).isNotNull();
  }
}
