package io.lakexpress.connect.source.jdbc.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Microsoft's driver tells of errors, cancellations and broken connections. */
class DriverFailuresTest {
  private final TestingTdsServer server = TestingTdsServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "208, 16, S0002, false",
    "229, 14, S0002, false",
    "1205, 13, 40001, false",
    "1222, 16, S0002, false",
    "2601, 14, 23000, false",
    "2627, 14, 23000, false",
    "3952, 16, S0002, false",
    "40613, 21, S0002, true",
    "596, 21, S0002, true"
  })
  void numbersOfErrorsAreKeptAndSevereOnesCloseTheConnection(
      int number, int severity, String state, boolean isClosed) throws SQLException {
    server.answer("^fail", TdsAnswer.failed(number, 2, severity, "Text of " + number));

    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      assertFailure(() -> statement.executeQuery("fail"), state, number, "Text of " + number);
      assertThat(connection.isClosed()).isEqualTo(isClosed);
    }
  }

  @Test
  void anErrorBetweenRowsKeepsItsNumber() throws SQLException {
    server.answer("^some", some().brokenBy(TdsAnswer.failed(1205, 1, 13, "Deadlock")));

    try (Connection connection = connect("");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("some")) {
      assertFailure(
          () -> readAll(rows),
          "40001",
          1205,
          "An error occurred during the current command (Done status 0). Deadlock");
      assertThat(connection.isClosed()).isFalse();
    }
  }

  @Test
  void aConnectionCutBetweenRowsIsAConnectionFailure() throws SQLException {
    server.answer("^some", some().brokenBy(TdsAnswer.dropped()));

    try (Connection connection = connect("");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("some")) {
      assertFailure(
          () -> readAll(rows),
          "08S01",
          0,
          "SQL Server returned an incomplete response. The connection has been closed.");
      assertThat(connection.isClosed()).isTrue();
    }
  }

  @Test
  void aRunningStatementIsCancelledWithinASecond() throws SQLException {
    server.answer("^slow", TdsAnswer.updated(1).after(Duration.ofMinutes(1)));

    try (Connection connection = connect("");
        PreparedStatement statement = connection.prepareStatement("slow ?")) {
      statement.setInt(1, 1);
      CompletableFuture<Instant> cancelled =
          CompletableFuture.supplyAsync(
              () -> {
                Awaitility.await().until(() -> !server.statements().isEmpty());
                Instant now = Instant.now();
                try {
                  statement.cancel();
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
                return now;
              });
      assertFailure(statement::executeQuery, "HY008", 0, "The query was canceled.");
      assertThat(Duration.between(cancelled.join(), Instant.now()))
          .isLessThan(Duration.ofSeconds(1));
      assertThat(connection.isValid(5)).isTrue();
    }
  }

  @Test
  void aStatementTimeoutLooksLikeACancellationOfAnotherType() throws SQLException {
    server.answer("^slow", TdsAnswer.updated(1).after(Duration.ofMinutes(1)));

    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      assertThatThrownBy(() -> statement.executeQuery("slow"))
          .isInstanceOfSatisfying(
              SQLTimeoutException.class, e -> assertThat(e.getSQLState()).isEqualTo("HY008"));
    }
  }

  @Test
  void aServerThatSaysNothingForTooLongIsAConnectionFailure() throws SQLException {
    server.answer("^slow", TdsAnswer.updated(1).after(Duration.ofMinutes(1)));

    try (Connection connection = connect(";socketTimeout=300");
        Statement statement = connection.createStatement()) {
      assertFailure(() -> statement.executeQuery("slow"), "08S01", 0, "Read timed out");
      assertThat(connection.isClosed()).isTrue();
    }
  }

  @Test
  void transactionsAreSetsOfTheSession() throws SQLException {
    try (Connection connection = connect("")) {
      // TRANSACTION_SNAPSHOT of the driver.
      connection.setTransactionIsolation(0x1000);
      connection.setAutoCommit(false);
      connection.rollback();
      connection.setAutoCommit(true);
    }

    assertThat(server.everyStatement())
        .extracting(statement -> statement.sql().strip())
        .containsExactly(
            "set transaction isolation level  snapshot",
            "set implicit_transactions on",
            "IF @@TRANCOUNT > 0 ROLLBACK TRAN",
            "set implicit_transactions off IF @@TRANCOUNT > 0 COMMIT TRAN");
  }

  private static TdsAnswer.Rows some() {
    return TdsAnswer.columns(TdsColumn.of("id", TdsType.integer())).row(1).row(2).rows();
  }

  private static void readAll(ResultSet rows) throws SQLException {
    while (rows.next()) {
      assertThat(rows.getInt(1)).isPositive();
    }
  }

  private static void assertFailure(
      ThrowingCallable call, String state, int number, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo(state);
              assertThat(e.getErrorCode()).isEqualTo(number);
            })
        .hasMessage(message);
  }

  private Connection connect(String properties) throws SQLException {
    return DriverManager.getConnection(server.url() + properties, "reader", "secret");
  }
}
