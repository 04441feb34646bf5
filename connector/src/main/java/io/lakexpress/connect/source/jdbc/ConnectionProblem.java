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

  /** Decided by SQLState. */
  public static ConnectionProblem of(SourceException failure) {
    String state = failure.getCause() instanceof SQLException cause ? cause.getSQLState() : null;
    if (state == null) {
      return OTHER;
    }
    return switch (state) {
      case "28P01", "28000" -> LOGIN;
      case "3D000" -> DATABASE;
      default -> OTHER;
    };
  }
}
