package io.lakexpress.lxdb;

/** What a job reads, and what its files do to those the lake already has. */
public enum JobMode {
  /** Every row of a table without a watermark column; replaces the table's files. */
  FULL("full"),
  /**
   * The first window of an incremental table, or of one that starts anew; replaces the table's
   * files.
   */
  FIRST_SYNC("first-sync"),
  /** A later window of an incremental table; adds to the table's files. */
  INCREMENTAL("incremental");

  private final String text;

  JobMode(String text) {
    this.text = text;
  }

  /** The word kept in the LakeXpress DB. */
  public String text() {
    return text;
  }

  /** Whether the files of such a job take the place of everything the lake had of the table. */
  public boolean replacesPredecessors() {
    return this != INCREMENTAL;
  }

  /** Reads the word back. */
  public static JobMode parse(String text) {
    return Words.parse(values(), JobMode::text, "job mode", text);
  }
}
