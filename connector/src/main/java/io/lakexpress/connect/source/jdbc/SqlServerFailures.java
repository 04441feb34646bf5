package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.SourceException.Kind;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Set;

/**
 * The one table that says which of SQL Server's failures pass: by error number, and by SQLState for
 * those that the driver noticed itself. Everything that is not named lasts, such as a table (208),
 * a column (207) or a right (229, 230) that is not there, or a value that does not convert.
 */
final class SqlServerFailures {
  private static final Set<Integer> PASSING =
      Set.of(
          // Resources: memory, locks, latches, threads, disk.
          701,
          802,
          845,
          1101,
          1105,
          1204,
          3958,
          3966,
          3967,
          8645,
          8651,
          9002,
          10928,
          10929,
          10936,
          // Chosen as a victim, or overtaken by a change of what is read.
          601,
          1205,
          1222,
          3960,
          3961,
          41301,
          41302,
          41305,
          41325,
          // The database is not open now: recovery, restore, a move between replicas.
          921,
          922,
          923,
          924,
          926,
          927,
          942,
          945,
          952,
          976,
          978,
          979,
          981,
          982,
          983,
          988,
          3906,
          4060,
          // The server is not there now, or not for us.
          596,
          6002,
          6005,
          17142,
          17187,
          17188,
          17189,
          17197,
          17809,
          18401,
          18451,
          // Azure moves, throttles, or ends what took too long.
          40143,
          40166,
          40197,
          40501,
          40540,
          40549,
          40550,
          40551,
          40552,
          40553,
          40613,
          40642,
          42108,
          42109,
          49918,
          49919,
          49920);

  private static final Set<Integer> LOGIN = Set.of(18452, 18456, 18470, 18486, 18487, 18488, 18461);

  private static final Set<Integer> DATABASE = Set.of(911, 4060, 4063, 4064, 40532);

  private SqlServerFailures() {}

  /** A time-out of the driver's, like a cancellation that was not asked for, may pass. */
  static Kind kind(SQLException failure) {
    if (failure.getErrorCode() != 0) {
      return PASSING.contains(failure.getErrorCode()) ? Kind.PASSING : Kind.LASTING;
    }
    String state = failure.getSQLState();
    boolean passing =
        failure instanceof SQLTimeoutException
            || (state != null && (state.startsWith("08") || state.startsWith("HY")));
    return passing ? Kind.PASSING : Kind.LASTING;
  }

  /** Whether user or password were refused. */
  static boolean isLogin(int errorNumber) {
    return LOGIN.contains(errorNumber);
  }

  /** Whether the database was not there or not open for the user. */
  static boolean isDatabase(int errorNumber) {
    return DATABASE.contains(errorNumber);
  }
}
