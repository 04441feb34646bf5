package io.lakexpress.lxdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.jdbc.tds.TdsAnswer;
import io.lakexpress.connect.source.jdbc.tds.TdsParameter;
import io.lakexpress.connect.source.jdbc.tds.TdsStatement;
import io.lakexpress.lxdb.FileLedger.Column;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.Registration;
import io.lakexpress.lxdb.FileLedger.Staged;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.GuardBook.Sample;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.NewJob;
import io.lakexpress.lxdb.NewRun;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a LakeXpress DB on SQL Server is sent by Microsoft's driver, word for word; {@code
 * -Dlakexpress.write.golden=true} writes the file anew.
 */
class SqlServerStatementsTest {
  private static final Path GOLDEN = Path.of("src/test/resources/lxdb-sqlserver-statements.txt");
  private static final Duration TTL = Duration.ofMinutes(5);
  private static final Instant STARTED = Instant.parse("2026-12-01T03:30:00.123456Z");
  private static final TableId ORDERS = new TableId("shop", "orders");
  private static final TopicPartition TOPIC = new TopicPartition("t.shop.orders", 0);

  private final SqliteBehindTds sqlServer = new SqliteBehindTds();
  private final Database database =
      new Database(
          new DatabaseTarget(sqlServer.server().url(), "lakexpress", "secret", Map.of()),
          Flavour.SQLSERVER,
          new UncheckedSchema(Flavour.SQLSERVER));
  private final LakexpressDb db = new JdbcLakexpressDb(database);

  @AfterEach
  void close() throws SQLException {
    db.close();
    sqlServer.close();
  }

  @Test
  void aSyncFromPlanToLakeIsKeptAndEveryStatementIsKnown() throws IOException {
    Job job = deliveredJob();
    landed(job);
    assertThat(db.watermarks().watermark("s", ORDERS).orElseThrow().lastLandedValue())
        .isEqualTo("2026-12-01");
    assertThat(db.runs().latestRun("s").orElseThrow().status()).isEqualTo(Status.LANDED);
    assertThat(db.runs().latestRun("s").orElseThrow().upperBound()).isEqualTo(STARTED);
    failuresAndRest();

    String sent =
        sqlServer.server().statements().stream()
            .filter(statement -> !statement.procedure().equals("batch"))
            .map(SqlServerStatementsTest::line)
            .distinct()
            .sorted()
            .collect(Collectors.joining("\n", "", "\n"));
    if (Boolean.getBoolean("lakexpress.write.golden")) {
      Files.writeString(GOLDEN, sent);
    }
    assertThat(sent).isEqualTo(Files.readString(GOLDEN));
  }

  private static String line(TdsStatement statement) {
    String types =
        statement.parameters().stream().map(TdsParameter::type).collect(Collectors.joining(", "));
    return statement.sql() + "\n    " + types;
  }

  private Job deliveredJob() {
    db.syncs().save("s", "prod", "{}");
    assertThat(db.syncs().claim("s", Role.SOURCE, "c", "i", TTL).alive()).isTrue();
    assertThat(db.syncs().claim("s", Role.LAKE, "l", "i", TTL).alive()).isTrue();
    assertThat(db.syncs().renew("s", Role.SOURCE, "c", "i", TTL)).isTrue();
    PlannedUnit unit = new PlannedUnit(ORDERS, Slice.WHOLE, "shop.orders:day:date", 10);
    assertThat(db.syncs().storePlan("s", List.of(unit)).generation()).isEqualTo(1);
    db.syncs().requestRun("s", "requested");
    assertThat(db.syncs().requestedRun("s")).contains("requested");
    NewJob planned = new NewJob(unit, JobMode.FIRST_SYNC, null, "2026-12-01");
    Run run = db.runs().open(new NewRun("s", "start", STARTED, STARTED, "", List.of(planned)));
    assertThat(run.startedAt()).isEqualTo(STARTED);
    Job first = db.runs().claimNext(run.runId(), "reader", TTL).orElseThrow();
    assertThat(db.runs().renew(List.of(first.jobId()), "reader", TTL)).hasSize(1);
    db.runs().release(List.of(first.jobId()), "reader");
    assertThat(db.runs().claim(first.jobId(), "reader", TTL)).isPresent();
    Job job = db.runs().newAttempt(first.jobId(), "Its worker was killed", "reader", TTL);
    assertThat(job.attempt()).isEqualTo(2);
    db.runs().deliver(job.jobId(), 3, new WatermarkMove(ORDERS, "day", "date", "2026-12-01"));
    assertThat(db.runs().runs("s", 9)).extracting(Run::status).containsExactly(Status.DELIVERED);
    return job;
  }

  private void landed(Job job) {
    Position position = db.ledger().raiseEpoch("s", TOPIC);
    String path = "shop/orders/part.parquet";
    long file =
        db.ledger()
            .register(
                "s",
                position.writerEpoch(),
                new Registration(path, job.jobId(), ORDERS, "{}", TOPIC, 0));
    assertThat(file).isPositive();
    db.ledger()
        .enter(
            "s", position, 3, List.of(new Staged(file, "{}", 2, 100, 2)), Map.of(job.jobId(), 1L));
    db.ledger().noteAnnounced("s", List.of(job.jobId()));
    db.ledger().noteCaughtUp("s", List.of(position));
    assertThat(db.ledger().caughtUp("s")).containsKey(TOPIC);
    assertThat(db.ledger().waiting("s")).hasSize(1).allMatch(waiting -> waiting.isComplete());
    assertThat(db.ledger().deliveredAmong(List.of(job.jobId()))).hasSize(1);
    db.ledger().markPublished(file);
    assertThat(db.ledger().land(List.of(job.jobId()))).isEmpty();
    db.ledger().recordColumns(job.jobId(), List.of(new Column("id", 1, "int", "INT32", "INT32")));
    assertThat(db.ledger().columns(job.jobId())).hasSize(1);
    assertThat(db.ledger().publishedFile("s", path)).isPresent();
    assertThat(db.ledger().publishedFiles("s", ORDERS)).hasSize(1);
    assertThat(db.ledger().filesOfJob(job.jobId())).hasSize(1);
    assertThat(db.ledger().staleOpenFiles("s")).isEmpty();
    assertThat(db.ledger().orphanedFiles("s")).isEmpty();
    assertThat(db.ledger().stagedWithoutJob("s")).isEmpty();
    assertThat(db.ledger().supersededFiles("s", Duration.ZERO)).isEmpty();
    assertThat(db.ledger().restart("s", position, 7).incarnation()).isEqualTo(1);
    assertThat(db.ledger().positions("s")).hasSize(1);
  }

  private void failuresAndRest() {
    NewJob full = new NewJob(new PlannedUnit(ORDERS, Slice.WHOLE, "", 1), JobMode.FULL, null, null);
    Run run = db.runs().open(new NewRun("s", "schedule", STARTED, null, "", List.of(full)));
    Job job = db.runs().jobs(run.runId()).get(0);
    assertThat(db.runs().failAbandoned("s")).isEmpty();
    db.runs().fail(job.jobId(), "It was refused");
    assertThat(db.ledger().isOvertaken(job)).isFalse();
    db.runs().abandonTable("s", ORDERS, "Its offset is gone");
    db.ledger().failLanding(job.jobId(), "Rows never came");
    assertThat(db.watermarks().adopt("s", ORDERS)).contains("2026-12-01");
    db.watermarks()
        .set("s", new WatermarkMove(ORDERS, "day", "date", "2026-11-01"), WatermarkCause.CLI);
    db.watermarks().clear("s", ORDERS, WatermarkCause.CLI);
    assertThat(db.watermarks().history("s", ORDERS)).hasSize(3);
    assertThat(db.watermarks().watermarks("s")).isEmpty();
    Sample sample = new Sample("p", STARTED, Map.of("1/2", STARTED));
    db.guard().replace("s", List.of(sample));
    assertThat(db.guard().samples("s")).containsExactly(sample);
    db.log().write("INFO", "s", run.runId(), "", "message");
    assertThat(db.log().events("s", 5)).hasSize(1);
    assertThat(db.locks().lock("s", ORDERS, "me", "r").owner()).isEqualTo("me");
    assertThat(db.locks().lock("s", ORDERS, "you", "r").owner()).isEqualTo("me");
    assertThat(db.locks().release(Duration.ZERO, Optional.of(ORDERS))).isEqualTo(1);
    assertThat(db.runs().prune("s", Instant.now().plusSeconds(60))).isEqualTo(1);
    database.perform("forget sync s", tx -> Tables.forget(tx, "s"));
    assertThat(db.syncs().list()).isEmpty();
  }

  @Test
  void timesAreSentWithoutZoneInUtc() {
    db.runs().open(new NewRun("s", "start", STARTED, null, "", List.of()));

    List<TdsParameter> sent = sqlServer.server().last("INSERT INTO export_runs").parameters();
    assertThat(sent.get(4))
        .isEqualTo(
            new TdsParameter(
                "", "datetime2(7)", LocalDateTime.parse("2026-12-01T03:30:00.123456")));
    assertThat(sent.get(6)).isEqualTo(new TdsParameter("", "nvarchar(4000)", null));
  }

  @Test
  void aTransactionThatADeadlockEndedIsStartedAgain() {
    AtomicInteger tries = new AtomicInteger();
    sqlServer
        .server()
        .answer(
            "UPDATE sync_configurations SET env_name",
            statement ->
                tries.incrementAndGet() < 3
                    ? TdsAnswer.failed(1205, 51, 13, "Chosen as the deadlock victim")
                    : TdsAnswer.updated(1));

    db.syncs().save("s", "prod", "{}");

    assertThat(tries).hasValue(3);
  }

  @Test
  void aReaderThatADeadlockEndedReadsAgain() {
    AtomicInteger tries = new AtomicInteger();
    sqlServer
        .server()
        .answer(
            "FROM incremental_watermarks",
            statement -> {
              tries.incrementAndGet();
              return TdsAnswer.failed(1205, 51, 13, "Chosen as the deadlock victim");
            });

    assertThatThrownBy(() -> db.watermarks().watermark("s", ORDERS))
        .isInstanceOfSatisfying(
            LakexpressDbException.class, e -> assertThat(e.isRetriable()).isTrue())
        .hasMessageContaining("Chosen as the deadlock victim");
    assertThat(tries).hasValue(4);
  }

  @Test
  void aMissingTableIsNotTriedAgain() {
    sqlServer
        .server()
        .answer("FROM export_runs", TdsAnswer.failed(208, "Invalid object name 'export_runs'."));

    assertThatThrownBy(() -> db.runs().latestRun("s"))
        .isInstanceOfSatisfying(
            LakexpressDbException.class, e -> assertThat(e.isRetriable()).isFalse())
        .hasMessage("Cannot list the runs of sync s: Invalid object name 'export_runs'.");
  }

  @Test
  void aServerThatGoesAwayPassesAndTheNextCallConnectsAnew() {
    sqlServer.server().answer("ORDER BY sync_id", TdsAnswer.dropped());

    assertThatThrownBy(() -> db.syncs().list())
        .isInstanceOfSatisfying(
            LakexpressDbException.class, e -> assertThat(e.isRetriable()).isTrue());
    assertThat(db.syncs().find("s")).isEmpty();
  }
}
