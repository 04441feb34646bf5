package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.LakexpressDbException.Kind;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.List;

/** The one table that decides whether a failure of the LakeXpress DB passes. */
final class Failures {
  /** SQLStates that pass, by their beginning. */
  private static final List<String> PASSING_STATES =
      List.of(
          "08", // connection
          "53", // out of resources
          "57P0", // shut down, starting up
          "57014", // statement cancelled by a time-out
          "40001", // serialization
          "40P01", // deadlock
          "55P03", // lock not available
          "25006", // a standby for the moment
          "HYT00", // time-out
          "HYT01");

  private static final List<String> AGAIN_STATES = List.of("40001", "40P01", "23505");

  private final Flavour flavour;
  private final String password;

  Failures(Flavour flavour, String password) {
    this.flavour = flavour;
    this.password = password;
  }

  /** What the caller sees of a failure. */
  LakexpressDbException failure(String deed, Exception cause) {
    return new LakexpressDbException(
        "Cannot " + deed + ": " + withoutPassword(reason(cause)), cause, kind(cause));
  }

  Kind kind(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return kind(sql);
      }
    }
    return Kind.LASTING;
  }

  private Kind kind(SQLException failure) {
    String state = failure.getSQLState();
    boolean passes =
        flavour.busyCodes().contains(failure.getErrorCode())
            || (state == null
                ? isTransientType(failure)
                : PASSING_STATES.stream().anyMatch(state::startsWith));
    return passes ? Kind.PASSING : Kind.LASTING;
  }

  private static boolean isTransientType(SQLException failure) {
    return failure instanceof SQLTransientException
        || failure instanceof SQLRecoverableException
        || failure instanceof SQLTimeoutException;
  }

  /** Whether the same transaction, started again at once, is likely to succeed. */
  boolean isWorthAnotherTry(SQLException failure) {
    String state = failure.getSQLState();
    return flavour.duplicateCodes().contains(failure.getErrorCode())
        || (state != null && AGAIN_STATES.stream().anyMatch(state::startsWith));
  }

  private static String reason(Throwable failure) {
    Throwable told = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException) {
        told = cause;
      }
    }
    return told.getMessage() == null ? told.getClass().getSimpleName() : told.getMessage().strip();
  }

  private String withoutPassword(String message) {
    return password.isEmpty() ? message : message.replace(password, "***");
  }
}
