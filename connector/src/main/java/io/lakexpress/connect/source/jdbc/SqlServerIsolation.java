package io.lakexpress.connect.source.jdbc;

/** What the rows of one statement have in common. */
enum SqlServerIsolation {
  /** The state of the database when the reading began. */
  SNAPSHOT("tables are read under snapshot isolation"),
  /** The state of the database when the statement began, which is as good for one statement. */
  VERSIONED("tables are read as committed, from row versions; each statement sees one state"),
  /** Whatever is committed at each row's turn; nothing better is allowed. */
  LOCKING(
      "tables are read as committed, under locks: readers and writers wait for each other, and a row"
          + " that is moved meanwhile may be missed or read twice; ALTER DATABASE CURRENT SET"
          + " ALLOW_SNAPSHOT_ISOLATION ON ends this");

  static final String OF_DATABASE =
      "SELECT snapshot_isolation_state, CAST(is_read_committed_snapshot_on AS int)"
          + " FROM sys.databases WHERE database_id = DB_ID()";

  private static final int ON = 1;

  private final String words;

  SqlServerIsolation(String words) {
    this.words = words;
  }

  /**
   * The best that the database allows.
   *
   * @param snapshotState 1 only where snapshots are allowed now; others are off or on the way
   * @param readCommittedSnapshot 1 where statements read row versions
   */
  static SqlServerIsolation of(int snapshotState, int readCommittedSnapshot) {
    if (snapshotState == ON) {
      return SNAPSHOT;
    }
    return readCommittedSnapshot == ON ? VERSIONED : LOCKING;
  }

  /** What it means, for the log. */
  String words() {
    return words;
  }
}
