package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.SourceException;
import java.sql.SQLException;

/** What kept a source database from being reached, as far as it says which setting is wrong. */
public enum ConnectionProblem {
  /** User or password. */
  LOGIN,
  /** There is no such database on the server. */
  DATABASE,
  /** Everything else. */
  OTHER;

  /** Decided by SQLState, by the error number where the server gives one. */
  public static ConnectionProblem of(SourceException failure) {
    if (!(failure.getCause() instanceof SQLException cause)) {
      return OTHER;
    }
    if (SqlServerFailures.isLogin(cause.getErrorCode())) {
      return LOGIN;
    }
    if (SqlServerFailures.isDatabase(cause.getErrorCode())) {
      return DATABASE;
    }
    String state = cause.getSQLState() == null ? "" : cause.getSQLState();
    return switch (state) {
      case "28P01", "28000" -> LOGIN;
      case "3D000" -> DATABASE;
      default -> OTHER;
    };
  }
}
