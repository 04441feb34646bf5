package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDbException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What differs between the databases that can hold the LakeXpress DB. All other SQL is shared.
 *
 * @param name the folder of its scripts
 * @param clock a query for the database's time in UTC
 * @param lockHint after the table name of a SELECT that locks its rows
 * @param lockSuffix at the end of a SELECT that locks its rows
 * @param limit at the end of a SELECT with ORDER BY; takes the number of rows
 * @param busyCodes vendor codes of failures that pass
 * @param duplicateCodes vendor codes of a unique key that exists already
 * @param setUp a statement that prepares the database for good before the first migration, or empty
 * @param properties driver properties, unless the target sets them
 * @param waitForConnection how long a caller waits for a connection
 */
record Flavour(
    String name,
    String urlPrefix,
    String driver,
    String clock,
    String lockHint,
    String lockSuffix,
    String limit,
    MissingInsert missingInsert,
    TimestampForm timestamps,
    Set<Integer> busyCodes,
    Set<Integer> duplicateCodes,
    String setUp,
    Map<String, String> properties,
    int connections,
    Duration waitForConnection) {

  private static final MissingInsert ON_CONFLICT = Flavour::insertOnConflict;
  private static final MissingInsert WHERE_NOT_EXISTS = Flavour::insertWhereNotExists;

  static final Flavour POSTGRESQL =
      new Flavour(
          "postgresql",
          "jdbc:postgresql:",
          "org.postgresql.Driver",
          "SELECT clock_timestamp() AS clock",
          "",
          " FOR NO KEY UPDATE",
          " LIMIT ?",
          ON_CONFLICT,
          TimestampForm.WITH_ZONE,
          Set.of(),
          Set.of(),
          "",
          Map.of(
              "ApplicationName", "lakexpress-lxdb",
              "connectTimeout", "10",
              "loginTimeout", "10",
              "socketTimeout", "120",
              "tcpKeepAlive", "true"),
          4,
          Duration.ofSeconds(10));

  static final Flavour SQLITE =
      new Flavour(
          "sqlite",
          "jdbc:sqlite:",
          "org.sqlite.JDBC",
          "SELECT strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z' AS clock",
          "",
          "",
          " LIMIT ?",
          ON_CONFLICT,
          TimestampForm.TEXT,
          // Busy, locked, disk full.
          Set.of(5, 6, 13),
          Set.of(),
          // Kept in the file. Not a property of every connection: the change does not wait for
          // others, it fails.
          "PRAGMA journal_mode = WAL",
          Map.of(
              "busy_timeout", "30000",
              "foreign_keys", "true",
              "transaction_mode", "IMMEDIATE"),
          1,
          Duration.ofSeconds(35));

  static final Flavour SQLSERVER =
      new Flavour(
          "sqlserver",
          "jdbc:sqlserver:",
          "com.microsoft.sqlserver.jdbc.SQLServerDriver",
          "SELECT CAST(SYSUTCDATETIME() AS datetime2(6)) AS clock",
          " WITH (UPDLOCK, ROWLOCK)",
          "",
          " OFFSET 0 ROWS FETCH NEXT ? ROWS ONLY",
          WHERE_NOT_EXISTS,
          TimestampForm.WITHOUT_ZONE,
          Stream.of(
                  // Deadlock, lock timeout, out of memory or of room for data or log.
                  Set.of(1205, 1222, 701, 802, 8645, 8651, 1105, 9001, 9002),
                  // Shut down, restarting, upgrading, paused, session killed.
                  Set.of(596, 6005, 17142, 18401, 18451),
                  // The database recovers, is restored, offline or read-only: a failover on its
                  // way.
                  Set.of(921, 922, 924, 927, 942, 976, 978, 983, 3906),
                  // What Azure says while it moves or is busy.
                  Set.of(10928, 10929, 40143, 40197, 40501, 40540, 40613, 49918, 49919, 49920))
              .flatMap(Set::stream)
              .collect(Collectors.toUnmodifiableSet()),
          Set.of(2601, 2627),
          "",
          Map.of(
              "applicationName",
              "lakexpress-lxdb",
              "loginTimeout",
              "10",
              "socketTimeout",
              "120000",
              // Whoever calls tries again, and says so in the log.
              "connectRetryCount",
              "0"),
          4,
          Duration.ofSeconds(10));

  private static final List<Flavour> ALL = List.of(POSTGRESQL, SQLSERVER, SQLITE);

  /** Writes a row unless its key is there. */
  interface MissingInsert {
    /** The values of the key's columns are among those of the row. */
    Insert of(String table, List<String> columns, List<String> key, List<Object> values);
  }

  /**
   * A statement and what to bind.
   *
   * @param values may hold null
   */
  record Insert(String sql, List<Object> values) {}

  private static Insert insertOnConflict(
      String table, List<String> columns, List<String> key, List<Object> values) {
    return new Insert(
        "INSERT INTO "
            + table
            + " ("
            + String.join(", ", columns)
            + ") VALUES ("
            + Tx.marks(columns.size())
            + ") ON CONFLICT DO NOTHING",
        values);
  }

  /**
   * The locks keep the place of the row free until the transaction ends. No MERGE: its source would
   * be a table of parameters, whose collation may conflict with that of the key.
   */
  private static Insert insertWhereNotExists(
      String table, List<String> columns, List<String> key, List<Object> values) {
    List<Object> bound = new ArrayList<>(values);
    key.forEach(column -> bound.add(values.get(columns.indexOf(column))));
    return new Insert(
        "INSERT INTO "
            + table
            + " ("
            + String.join(", ", columns)
            + ") SELECT "
            + Tx.marks(columns.size())
            + " WHERE NOT EXISTS (SELECT 1 FROM "
            + table
            + " WITH (UPDLOCK, HOLDLOCK) WHERE "
            + String.join(" AND ", key.stream().map(column -> column + " = ?").toList())
            + ")",
        bound);
  }

  /** The flavour that a JDBC URL names. */
  static Flavour of(String url) {
    return ALL.stream()
        .filter(flavour -> url.startsWith(flavour.urlPrefix))
        .findFirst()
        .orElseThrow(
            () ->
                new LakexpressDbException(
                    "Invalid LakeXpress DB URL: expected one that starts with "
                        + String.join(", ", ALL.stream().map(Flavour::urlPrefix).toList()),
                    null,
                    LakexpressDbException.Kind.LASTING));
  }

  /** Where the scripts of the flavour are on the class path. */
  String scripts() {
    return "classpath:io/lakexpress/lxdb/db/" + name;
  }

  /** A SELECT of one table whose rows stay locked until the transaction ends. */
  String lockingSelect(String columns, String table, String condition) {
    return "SELECT " + columns + " FROM " + table + lockHint + " WHERE " + condition + lockSuffix;
  }
}
