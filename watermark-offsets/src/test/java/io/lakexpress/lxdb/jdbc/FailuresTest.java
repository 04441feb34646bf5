package io.lakexpress.lxdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.LakexpressDbException.Kind;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FailuresTest {
  private static Failures of(Flavour flavour) {
    return new Failures(flavour, "s3cret");
  }

  @ParameterizedTest
  @CsvSource({
    "08006, PASSING",
    "08001, PASSING",
    "57P01, PASSING",
    "57P03, PASSING",
    "53300, PASSING",
    "40001, PASSING",
    "40P01, PASSING",
    "25006, PASSING",
    "28P01, LASTING",
    "42501, LASTING",
    "42P01, LASTING",
    "3D000, LASTING",
    "23505, LASTING"
  })
  void sqlStateDecides(String state, Kind kind) {
    assertThat(of(Flavour.POSTGRESQL).kind(new SQLException("x", state))).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({"5, PASSING", "6, PASSING", "13, PASSING", "1, LASTING", "14, LASTING"})
  void sqliteCodeDecides(int code, Kind kind) {
    assertThat(of(Flavour.SQLITE).kind(new SQLException("x", null, code))).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "40001, 1205, PASSING",
    "S0001, 40613, PASSING",
    "S0001, 596, PASSING",
    "S0001, 3906, PASSING",
    "S0001, 208, LASTING",
    "S0001, 18456, LASTING",
    "08S01, 0, PASSING"
  })
  void sqlServerCodeDecides(String state, int code, Kind kind) {
    assertThat(of(Flavour.SQLSERVER).kind(new SQLException("x", state, code))).isEqualTo(kind);
  }

  @Test
  void poolThatHasNoConnectionInTimePasses() {
    assertThat(of(Flavour.POSTGRESQL).kind(new SQLTransientConnectionException("timed out")))
        .isEqualTo(Kind.PASSING);
  }

  @Test
  void innermostReasonIsToldWithoutThePassword() {
    Exception wrapped =
        new IllegalStateException("outer", new SQLException("no entry for s3cret", "28P01"));

    LakexpressDbException failure = of(Flavour.POSTGRESQL).failure("open a run", wrapped);

    assertThat(failure).hasMessage("Cannot open a run: no entry for ***");
    assertThat(failure.isRetriable()).isFalse();
  }
}
