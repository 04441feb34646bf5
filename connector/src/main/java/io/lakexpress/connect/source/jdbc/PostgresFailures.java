package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.SourceException.Kind;
import java.util.Set;

/** The one table that says which of PostgreSQL's failures pass: by SQLState, nothing else. */
final class PostgresFailures {
  /** Whole classes: connection, transaction rollback, resources, operator's doing, the system. */
  private static final Set<String> PASSING_CLASSES = Set.of("08", "40", "53", "57", "58");

  private static final Set<String> PASSING =
      Set.of(
          "25P03", // idle in transaction for too long
          "25P04", // transaction took too long
          "26000", // a pooler moved us to a server that does not know the statement
          "55006", // object in use
          "55P03", // lock not available
          "72000"); // snapshot too old

  private PostgresFailures() {}

  /** 57014 without a request of ours is the server's statement time-out, which may pass. */
  static Kind kind(String sqlState) {
    if (sqlState == null || sqlState.length() != 5) {
      return Kind.LASTING;
    }
    boolean passing =
        PASSING.contains(sqlState)
            || (PASSING_CLASSES.contains(sqlState.substring(0, 2)) && !sqlState.equals("57P04"));
    return passing ? Kind.PASSING : Kind.LASTING;
  }
}
