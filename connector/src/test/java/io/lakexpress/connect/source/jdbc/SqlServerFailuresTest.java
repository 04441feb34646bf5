package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.connect.source.read.SourceException.Kind;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlServerFailuresTest {
  @ParameterizedTest
  @CsvSource({
    // Table, column, rights, values, logins, snapshots that are not allowed.
    "208, LASTING",
    "207, LASTING",
    "229, LASTING",
    "230, LASTING",
    "300, LASTING",
    "241, LASTING",
    "242, LASTING",
    "8114, LASTING",
    "18456, LASTING",
    "18486, LASTING",
    "911, LASTING",
    "3952, LASTING",
    "41332, LASTING",
    "102, LASTING",
    // Deadlock, lock time-out, snapshot conflicts, memory.
    "1205, PASSING",
    "1222, PASSING",
    "3960, PASSING",
    "3961, PASSING",
    "3958, PASSING",
    "701, PASSING",
    "8645, PASSING",
    "9002, PASSING",
    // The database or the server is not there now.
    "4060, PASSING",
    "922, PASSING",
    "983, PASSING",
    "6005, PASSING",
    "596, PASSING",
    "18401, PASSING",
    "40197, PASSING",
    "40501, PASSING",
    "40613, PASSING",
    "49918, PASSING"
  })
  void kindOf(int errorNumber, Kind kind) {
    assertThat(SqlServerFailures.kind(new SQLException("text", "S0001", errorNumber)))
        .isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          08S01 | PASSING
          08001 | PASSING
          HYT00 | PASSING
          HY008 | PASSING
          S1093 | LASTING
          22003 | LASTING
          ''    | LASTING
                | LASTING
          """)
  void whatTheDriverNoticedGoesByItsState(String state, Kind kind) {
    assertThat(SqlServerFailures.kind(new SQLException("text", state))).isEqualTo(kind);
  }

  @Test
  void aTimeoutOfTheDriversMayPass() {
    assertThat(SqlServerFailures.kind(new SQLTimeoutException("The query has timed out.")))
        .isEqualTo(Kind.PASSING);
  }

  @ParameterizedTest
  @CsvSource({
    "18456, LOGIN",
    "18452, LOGIN",
    "18470, LOGIN",
    "18486, LOGIN",
    "18487, LOGIN",
    "18488, LOGIN",
    "4060, DATABASE",
    "911, DATABASE",
    "4064, DATABASE",
    "0, OTHER",
    "40615, OTHER"
  })
  void aRefusedConnectionSaysWhichSettingIsWrong(int errorNumber, ConnectionProblem problem) {
    SQLException cause = new SQLException("text", "S0001", errorNumber);

    assertThat(ConnectionProblem.of(new SourceException("text", cause, Kind.LASTING)))
        .isEqualTo(problem);
  }

  @Test
  void reasonsAreOneLineWithoutTheDriversMarks() {
    SqlServerDialect dialect = new SqlServerDialect();

    assertThat(
            dialect.reason(
                new SQLException(
                    "Login failed for user 'reader'."
                        + " ClientConnectionId:6a1f5e1c-0f3a-4d0e-9b6e-0a1b2c3d4e5f\nmore",
                    "S0001",
                    18456)))
        .isEqualTo("Login failed for user 'reader'.");
    assertThat(dialect.reason(new SQLException(null, "08S01")))
        .isEqualTo("error 0, SQLState 08S01");
  }
}
