package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.Activity;
import io.lakexpress.connect.source.read.OpenTransaction;
import io.lakexpress.connect.source.read.OpenTransaction.Work;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The open transactions of a PostgreSQL database, as far as any role may see them: every
 * transaction holds a lock on its own virtual id, whether it has written or not. Their beginnings
 * are shown to roles that have {@code pg_read_all_stats}, and to every role for its own sessions.
 *
 * <p>Neither {@code backend_xid} nor the xmin of a snapshot could stand in for that list: a
 * transaction takes its {@code now()} when it begins, and its number only when it writes.
 */
final class PostgresActivity {
  /** On a standby: null when all that was received is replayed. */
  private static final String SERVER =
      """
      SELECT pg_is_in_recovery(),
             (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
               || '@' || extract(epoch FROM pg_postmaster_start_time()),
             CASE WHEN pg_is_in_recovery()
                   AND pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
                  THEN pg_last_xact_replay_timestamp()
             END
      """;

  /**
   * Sessions without a user are the server's own, such as autovacuum, or have not begun to work. A
   * prepared transaction keeps the virtual id it had, but loses it when the server restarts, and on
   * old servers at once: then it is -1/xid.
   */
  private static final String TRANSACTIONS =
      """
      WITH held AS (
        SELECT l.locktype, l.virtualtransaction, l.transactionid, l.pid
          FROM pg_locks l
         WHERE l.locktype IN ('virtualxid', 'transactionid')
           AND l.mode = 'ExclusiveLock' AND l.granted)
      SELECT v.virtualtransaction, a.backend_xid::text,
             a.backend_xid IS NOT NULL
               OR EXISTS (SELECT 1 FROM held x
                           WHERE x.locktype = 'transactionid'
                             AND x.virtualtransaction = v.virtualtransaction),
             a.xact_start, a.pid, a.usename, a.application_name, a.state
        FROM held v
        JOIN pg_stat_activity a ON a.pid = v.pid
       WHERE v.locktype = 'virtualxid' AND a.datname = current_database()
         AND a.usesysid IS NOT NULL AND a.pid <> pg_backend_pid()
      UNION ALL
      SELECT COALESCE(t.virtualtransaction, '-1/'), p.transaction::text, true,
             NULL, NULL, p.owner, p.gid, NULL
        FROM pg_prepared_xacts p
        LEFT JOIN held t ON t.locktype = 'transactionid' AND t.transactionid = p.transaction
       WHERE p.database = current_database()
      """;

  private static final int LONGEST_NAME = 63;

  private final Session session;

  PostgresActivity(Session session) {
    this.session = session;
  }

  private record Server(boolean standby, String place, Instant replayedUpTo) {}

  Activity activity() throws SQLException {
    Optional<Server> server =
        session.first(
            SERVER, rows -> new Server(rows.getBoolean(1), rows.getString(2), instant(rows, 3)));
    if (server.orElseThrow().standby()) {
      return new Activity.Hidden(
          "the server is a standby, which does not see the writers of its primary",
          server.get().replayedUpTo());
    }
    List<OpenTransaction> open =
        new ArrayList<>(session.list(TRANSACTIONS, PostgresActivity::transaction));
    return new Activity.Seen(server.get().place(), open);
  }

  private static OpenTransaction transaction(ResultSet rows) throws SQLException {
    String virtualId = rows.getString(1);
    String number = rows.getString(2);
    String pid = rows.getString(5);
    String application = rows.getString(7);
    Set<String> names = new HashSet<>();
    if (number != null) {
      names.add(number);
    }
    boolean traceable = !virtualId.startsWith("-1/");
    if (traceable) {
      names.add(virtualId);
    }
    Work work;
    if (pid == null) {
      work = traceable ? Work.WRITTEN : Work.DETACHED;
    } else if (rows.getBoolean(3)) {
      work = Work.WRITTEN;
    } else {
      work =
          application != null && application.startsWith(SourceTarget.APPLICATION_PREFIX)
              ? Work.OURS
              : Work.READ;
    }
    String who =
        pid == null
            ? "prepared transaction '" + name(application) + "' (" + details(rows, 6) + ")"
            : "pid " + pid + " (" + details(rows, 6, 7, 8) + ")";
    return new OpenTransaction(names, instant(rows, 4), work, who);
  }

  /** User, application and state, as far as they are shown. */
  private static String details(ResultSet rows, int... columns) throws SQLException {
    List<String> details = new ArrayList<>();
    for (int column : columns) {
      details.add(name(rows.getString(column)));
    }
    return Stream.concat(Stream.of("user " + details.get(0)), details.stream().skip(1))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  /** What clients call themselves, fit for one line. */
  private static String name(String text) {
    String line = text == null ? "" : text.replaceAll("\\p{Cntrl}", " ").strip();
    return line.length() <= LONGEST_NAME ? line : line.substring(0, LONGEST_NAME) + "…";
  }

  private static Instant instant(ResultSet rows, int column) throws SQLException {
    OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
