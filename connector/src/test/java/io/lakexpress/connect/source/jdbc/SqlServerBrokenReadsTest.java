package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.source.jdbc.tds.TdsAnswer;
import io.lakexpress.connect.source.jdbc.tds.TdsColumn;
import io.lakexpress.connect.source.jdbc.tds.TdsType;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.connect.source.read.SourceException.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What failures of SQL Server mean, played by a hand-made server. */
class SqlServerBrokenReadsTest {
  private final ScriptedSqlServer database =
      new ScriptedSqlServer()
          .table(SqlServerTables.named("t").required("id", "int").key("id"))
          .table(SqlServerTables.named("other").required("id", "int").key("id"))
          .rows("other", statement -> ids().row(1).rows());

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @CsvSource({
    "208, 16, LASTING",
    "207, 16, LASTING",
    "229, 14, LASTING",
    "8134, 16, LASTING",
    "1205, 13, PASSING",
    "1222, 16, PASSING",
    "3960, 16, PASSING",
    "596, 21, PASSING",
    "40613, 21, PASSING"
  })
  void errorNumbersDecide(int number, int severity, Kind kind) {
    database.rows("t", statement -> TdsAnswer.failed(number, 1, severity, "The server's words"));

    assertFailure(this::readAll, kind, "Cannot read dbo.t: The server's words");
    assertThat(TestingSource.rows(database.source(), request("other"), 9)).hasSize(1);
  }

  @Test
  void aDeadlockBetweenRowsPasses() {
    database.rows(
        "t",
        statement ->
            ids().row(1).rows().brokenBy(TdsAnswer.failed(1205, 45, 13, "Chosen as a victim")));

    assertFailure(this::readAll, Kind.PASSING, "Cannot read dbo.t: Chosen as a victim");
    assertThat(TestingSource.rows(database.source(), request("other"), 9)).hasSize(1);
  }

  @Test
  void aConnectionCutBetweenRowsPassesAndTheNextCallConnectsAnew() {
    database.rows("t", statement -> ids().row(1).rows().brokenBy(TdsAnswer.dropped()));

    assertFailure(
        this::readAll,
        Kind.PASSING,
        "Cannot read dbo.t: SQL Server returned an incomplete response. The connection has been"
            + " closed.");
    assertThat(TestingSource.rows(database.source(), request("other"), 9)).hasSize(1);
    assertThat(database.server().connections()).isEqualTo(1);
  }

  @Test
  void aRunningStatementIsCancelledWithinASecond() {
    database.rows("t", statement -> ids().row(1).rows().after(Duration.ofMinutes(1)));
    ReadRequest request = request("t");
    CompletableFuture<Instant> cancelled =
        CompletableFuture.supplyAsync(
            () -> {
              Awaitility.await().until(() -> isSent("FROM [dbo].[t]"));
              Instant now = Instant.now();
              database.source().cancel();
              return now;
            });

    assertFailure(
        () -> TestingSource.rows(database.source(), request, 1),
        Kind.CANCELLED,
        "Cannot read dbo.t: The query was canceled.");
    assertThat(Duration.between(cancelled.join(), Instant.now())).isLessThan(Duration.ofSeconds(1));
    assertThat(TestingSource.rows(database.source(), request("other"), 9)).hasSize(1);
    assertThat(database.server().connections()).isEqualTo(1);
  }

  @Test
  void anOpenCursorIsCancelledBetweenItsRowsToo() {
    database.rows("t", statement -> ids().row(1).row(2).row(3).rows());

    try (RowCursor cursor = database.source().read(request("t"))) {
      assertThat(cursor.next()).isTrue();
      database.source().cancel();
      assertThatThrownBy(cursor::next)
          .isInstanceOfSatisfying(
              SourceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CANCELLED));
    }
    assertThat(TestingSource.rows(database.source(), request("other"), 9)).hasSize(1);
  }

  @Test
  void aTableThatMayNotBeReadIsRefusedWithTheReason() {
    database.rows(
        "t",
        statement ->
            TdsAnswer.failed(229, 5, 14, "The SELECT permission was denied on the object 't'"));

    assertThat(database.source().refusedRead(database.described("t").id()))
        .contains("The SELECT permission was denied on the object 't'");
  }

  private boolean isSent(String text) {
    return database.server().statements().stream().anyMatch(s -> s.sql().contains(text));
  }

  private void readAll() {
    TestingSource.rows(database.source(), request("t"), 9);
  }

  private ReadRequest request(String table) {
    return ReadRequest.full(database.described(table));
  }

  private static TdsAnswer.RowsBuilder ids() {
    return TdsAnswer.columns(TdsColumn.of("id", TdsType.integer()));
  }

  private static void assertFailure(ThrowingCallable call, Kind kind, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(SourceException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessage(message);
  }
}
