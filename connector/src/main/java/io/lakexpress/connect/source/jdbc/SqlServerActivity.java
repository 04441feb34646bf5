package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.Activity;
import io.lakexpress.connect.source.read.OpenTransaction;
import io.lakexpress.connect.source.read.OpenTransaction.Work;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The open transactions of a SQL Server database: those that work in it or have touched it. The
 * server shows them to logins with VIEW SERVER STATE (from 2022 on VIEW SERVER PERFORMANCE STATE is
 * enough, in Azure SQL Database VIEW DATABASE STATE); it refuses the list to all others.
 *
 * <p>Transactions begin by the server's local clock, which is set back once a year in many zones.
 * Only where the server names its zone is that made an instant; elsewhere the beginning counts as
 * not shown, and what earlier runs saw has to do.
 */
final class SqlServerActivity {
  static final String SERVER =
      """
      SELECT CAST(DATABASEPROPERTYEX(DB_NAME(), 'Updateability') AS nvarchar(60)),
             CONCAT(DB_ID(), '@', CONVERT(varchar(33), i.sqlserver_start_time, 126))
        FROM sys.dm_os_sys_info AS i
      """;

  /** A statement takes its time a moment before its transaction is there. */
  private static final String BEGAN =
      "DATEADD(millisecond, -100, a.transaction_begin_time AT TIME ZONE ?)";

  private static final String BEGAN_UNKNOWN = "CAST(NULL AS datetimeoffset)";

  /**
   * A transaction has written once it has a log record in this database. A statement outside of an
   * explicit transaction tells by its name that it writes. One without session is prepared, in a
   * distributed transaction; the server's own (type 3, or without session and log) never stamp
   * rows.
   */
  private static final String TRANSACTIONS =
      """
      SELECT CAST(a.transaction_id AS varchar(20)), $began,
             CASE WHEN d.database_transaction_begin_time IS NOT NULL OR w.session_id IS NULL
                    OR (w.is_user = 0 AND a.name <> 'SELECT') THEN 1 ELSE 0 END,
             w.session_id, w.login_name, w.program_name, w.status
        FROM sys.dm_tran_active_transactions AS a
        LEFT JOIN sys.dm_tran_database_transactions AS d
          ON d.transaction_id = a.transaction_id AND d.database_id = DB_ID()
       OUTER APPLY (
               SELECT TOP (1) s.session_id, s.login_name, s.program_name, s.status, s.database_id,
                      u.is_user
                 FROM (SELECT t.session_id, CAST(t.is_user_transaction AS int) AS is_user
                         FROM sys.dm_tran_session_transactions AS t
                        WHERE t.transaction_id = a.transaction_id
                        UNION ALL
                       SELECT q.session_id, 0
                         FROM sys.dm_exec_requests AS q
                        WHERE q.transaction_id = a.transaction_id) AS u
                 JOIN sys.dm_exec_sessions AS s ON s.session_id = u.session_id
                WHERE s.is_user_process = 1
                ORDER BY u.is_user DESC, s.session_id) AS w
       WHERE a.transaction_type <> 3
         AND (w.database_id = DB_ID() OR d.transaction_id IS NOT NULL)
         AND (w.session_id <> @@SPID
              OR (w.session_id IS NULL AND d.database_transaction_begin_time IS NOT NULL))
      """;

  private static final int LONGEST_NAME = 63;

  private final Session session;

  SqlServerActivity(Session session) {
    this.session = session;
  }

  private record Server(String updateability, String place) {}

  /**
   * What is open.
   *
   * @param zone the server's, if it names it
   */
  Activity activity(Optional<String> zone) throws SQLException {
    Server server =
        session
            .first(SERVER, rows -> new Server(rows.getString(1), rows.getString(2)))
            .orElseThrow();
    if ("READ_ONLY".equals(server.updateability())) {
      return new Activity.Hidden(
          "the database is read-only here, and a secondary replica neither sees the writers of its"
              + " primary nor says how far it is behind",
          null);
    }
    List<Listed> open =
        zone.isPresent()
            ? session.list(transactions(zone), Listed::read, zone.get())
            : session.list(transactions(zone), Listed::read);
    return new Activity.Seen(server.place(), open.stream().map(Listed::transaction).toList());
  }

  /** The statement that lists them; its parameter is the zone, if there is one. */
  static String transactions(Optional<String> zone) {
    return TRANSACTIONS.replace("$began", zone.isPresent() ? BEGAN : BEGAN_UNKNOWN);
  }

  /**
   * One transaction of the list.
   *
   * @param began null where it is not shown
   * @param written 1 if it has written or may not be told from one that has
   * @param sessionId null for one that has no session any more
   */
  record Listed(
      String number,
      Instant began,
      int written,
      String sessionId,
      String login,
      String program,
      String status) {

    private static Listed read(ResultSet rows) throws SQLException {
      OffsetDateTime began = rows.getObject(2, OffsetDateTime.class);
      return new Listed(
          rows.getString(1),
          began == null ? null : began.toInstant(),
          rows.getInt(3),
          rows.getString(4),
          rows.getString(5),
          rows.getString(6),
          rows.getString(7));
    }

    OpenTransaction transaction() {
      boolean ours = program != null && program.startsWith(SourceTarget.APPLICATION_PREFIX);
      Work unwritten = ours ? Work.OURS : Work.READ;
      return new OpenTransaction(
          Set.of(number), began, written == 1 ? Work.WRITTEN : unwritten, who());
    }

    /** Login, program and state, as far as they are known. */
    private String who() {
      if (sessionId == null) {
        return "distributed transaction " + number;
      }
      return Stream.of("login " + line(login), line(program), line(status))
          .filter(text -> !text.isEmpty())
          .collect(Collectors.joining(", ", "session " + sessionId + " (", ")"));
    }
  }

  /** What clients call themselves, fit for one line. */
  private static String line(String text) {
    String line = text == null ? "" : text.replaceAll("\\p{Cntrl}", " ").strip();
    return line.length() <= LONGEST_NAME ? line : line.substring(0, LONGEST_NAME) + "…";
  }
}
