package io.lakexpress.lxdb.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lakexpress.lxdb.LakexpressDbException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool, opened and brought to the schema's version by the first call that reaches the database;
 * until then every call tries anew. Thread-safe.
 */
final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  private static final int TRIES = 4;

  private final DatabaseTarget target;
  private final Flavour flavour;
  private final Schema schema;
  private final Failures failures;
  private final DriverSource driver;
  private HikariDataSource pool;
  private volatile boolean closed;
  private volatile long unansweredAt;
  private volatile boolean wasUnanswered;

  Database(DatabaseTarget target, Flavour flavour, Schema schema) {
    this.target = target;
    this.flavour = flavour;
    this.schema = schema;
    this.failures = new Failures(flavour, target.password());
    this.driver = new DriverSource(flavour, target);
  }

  /** What is done inside of a transaction; it may be done again after a deadlock. */
  interface Work<T> {
    T in(Tx tx) throws SQLException;
  }

  /** Like {@link Work}, without a result. */
  interface Deed {
    void in(Tx tx) throws SQLException;
  }

  /** Runs one statement that reads; where readers lock, it may be the victim of a deadlock too. */
  <T> T read(String deed, Work<T> work) {
    return retried(deed, () -> readOnce(work));
  }

  /** Runs a transaction. */
  <T> T write(String deed, Work<T> work) {
    return retried(deed, () -> attempt(work));
  }

  /** One try. */
  private interface Attempt<T> {
    T run() throws SQLException;
  }

  private <T> T retried(String deed, Attempt<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return work.run();
      } catch (SQLException e) {
        if (attempt == TRIES || !failures.isWorthAnotherTry(e)) {
          throw noted(failures.failure(deed, e));
        }
        LOG.debug("Trying again to {}: {}", deed, e.getMessage());
      } catch (LakexpressDbException e) {
        throw noted(e);
      }
    }
  }

  private <T> T readOnce(Work<T> work) throws SQLException {
    try (Connection connection = pool().getConnection()) {
      return work.in(new Tx(connection, flavour));
    }
  }

  private LakexpressDbException noted(LakexpressDbException failure) {
    if (failure.isRetriable()) {
      unansweredAt = System.nanoTime();
      wasUnanswered = true;
    }
    return failure;
  }

  /** Whether a call in the time before now found that the database was down or too busy. */
  boolean wasUnansweredWithin(Duration time) {
    return wasUnanswered && System.nanoTime() - unansweredAt < time.toNanos();
  }

  /** Runs a transaction that has no result. */
  void perform(String deed, Deed work) {
    write(
        deed,
        tx -> {
          work.in(tx);
          return Boolean.TRUE;
        });
  }

  private <T> T attempt(Work<T> work) throws SQLException {
    try (Connection connection = pool().getConnection()) {
      connection.setAutoCommit(false);
      boolean done = false;
      try {
        T result = work.in(new Tx(connection, flavour));
        connection.commit();
        done = true;
        return result;
      } finally {
        if (!done) {
          rollback(connection);
        }
        restoreAutoCommit(connection);
      }
    }
  }

  private static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // What made us roll back is on its way to the caller; the database drops a broken session.
      LOG.debug("Cannot roll back: {}", e.getMessage());
    }
  }

  private static void restoreAutoCommit(Connection connection) {
    try {
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      // The pool throws broken connections away by itself.
      LOG.debug("Cannot end the transaction mode: {}", e.getMessage());
    }
  }

  private synchronized HikariDataSource pool() {
    if (closed) {
      throw new LakexpressDbException(
          "Cannot use the LakeXpress DB: it was closed", null, LakexpressDbException.Kind.LASTING);
    }
    if (pool == null) {
      schema.prepare(driver, failures, () -> closed);
      pool = new HikariDataSource(poolConfig());
    }
    return pool;
  }

  private HikariConfig poolConfig() {
    HikariConfig config = new HikariConfig();
    config.setPoolName("lakexpress-db");
    config.setDataSource(driver);
    config.setMaximumPoolSize(flavour.connections());
    config.setMinimumIdle(0);
    config.setConnectionTimeout(flavour.waitForConnection().toMillis());
    config.setValidationTimeout(5_000);
    config.setInitializationFailTimeout(-1);
    return config;
  }

  @Override
  public void close() {
    // Before the lock: whoever waits for the schema inside of it looks at this.
    closed = true;
    closePool();
  }

  private synchronized void closePool() {
    if (pool != null) {
      pool.close();
      pool = null;
    }
  }

  @Override
  public String toString() {
    return target.toString();
  }
}
