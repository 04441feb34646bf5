package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.SourceException.Kind;
import java.util.Optional;
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
          "72000", // snapshot too old
          "HV00N"); // the server behind a foreign table cannot be reached

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

  /** What to do about it, where there is something; ends a sentence that says what happened. */
  static Optional<String> advice(String sqlState) {
    return Optional.ofNullable(sqlState == null ? null : text(sqlState));
  }

  private static String text(String sqlState) {
    return switch (sqlState) {
      case "25006" ->
          "it writes, and the source is only ever read: take a table or view that does not write";
      case "25P03" ->
          "raise idle_in_transaction_session_timeout for the user that reads: a cursor stays open"
              + " while Kafka takes a batch";
      case "25P04" -> "raise transaction_timeout for the user that reads";
      case "28000", "28P01" -> "correct user and password of the source";
      case "3D000" -> "correct the database in the source's URL";
      case "40001" ->
          "on a standby raise max_standby_streaming_delay or switch hot_standby_feedback on, or"
              + " read from the primary";
      case "42P01" -> "create it again, or leave the table out";
      case "42703" -> "create it again, or name another column";
      case "53100" ->
          "free space on the server's disk; an index that begins with the watermark and the key"
              + " spares sorting there";
      case "53200" -> "the server is out of memory: lower its load or work_mem";
      case "53300" ->
          "raise max_connections or the connection limit of user or database, or lower tasks.max";
      case "53400" -> "raise temp_file_limit for the user that reads";
      case "55000" -> "prepare it first, a materialized view by REFRESH MATERIALIZED VIEW";
      case "55P03" ->
          "somebody else locks it, as ALTER TABLE and VACUUM FULL do: see pg_locks and"
              + " pg_blocking_pids";
      case "57014" ->
          "raise statement_timeout for the user that reads, or create an index that begins with"
              + " the watermark and the key";
      case "57P04" -> "restore it, or name another database in the source's URL";
      default -> null;
    };
  }
}
