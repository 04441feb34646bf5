package io.lakexpress.connect.source.jdbc;

import java.sql.SQLException;
import java.sql.Statement;

/**
 * Lets another thread stop what the owner of a connection is doing. An open row cursor counts as
 * running between its fetches too.
 */
final class Cancellation {
  private boolean busy;
  private boolean requested;
  private Statement running;

  /** The owner begins a call; earlier requests are forgotten. */
  synchronized void enter() {
    busy = true;
    requested = false;
    running = null;
  }

  /** The owner has ended the call. */
  synchronized void leave() {
    busy = false;
    running = null;
  }

  /** The owner is about to run a statement inside the call. */
  synchronized void run(Statement statement) throws SQLException {
    if (requested) {
      throw new SQLException("stopped on request", "57014");
    }
    running = statement;
  }

  /** Whether the call was asked to stop. */
  synchronized boolean requested() {
    return requested;
  }

  /** Stops what runs; any thread. */
  void request() throws SQLException {
    Statement statement;
    synchronized (this) {
      if (!busy) {
        return;
      }
      requested = true;
      statement = running;
    }
    if (statement != null && !statement.isClosed()) {
      statement.cancel();
    }
  }
}
