package io.lakexpress.connect.source.read;

import java.util.Locale;

/** What a task does with a table. */
public enum TableState {
  /** Nothing: its job is handed over, or none is due. */
  IDLE,
  READING,
  /** For its next try, or for a job that somebody else still holds. */
  WAITING,
  /** The next run tries it again. */
  FAILED,
  /** It failed, and is left out until the connector is restarted. */
  SKIPPED;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
