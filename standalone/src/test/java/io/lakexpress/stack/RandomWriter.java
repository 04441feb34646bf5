package io.lakexpress.stack;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/**
 * Writes to the tables of {@link RandomTables} until it is told to stop: inserts, updates that move
 * the watermark, bulks, deletes, in short and long transactions, with savepoints and rollbacks.
 */
final class RandomWriter implements Callable<Long> {
  private static final int ROWS_ABOUT = 3_000;

  private final Connection connection;
  private final Random random;
  private final BooleanSupplier isOver;

  RandomWriter(Connection connection, Random random, BooleanSupplier isOver) {
    this.connection = connection;
    this.random = random;
    this.isOver = isOver;
  }

  /** Returns how many transactions it has committed. */
  @Override
  public Long call() throws SQLException {
    try (connection;
        Statement statement = connection.createStatement()) {
      statement.execute("SET lock_timeout = '500ms'");
      connection.setAutoCommit(false);
      long committed = 0;
      while (!isOver.getAsBoolean()) {
        if (transaction(statement)) {
          committed++;
        }
      }
      return committed;
    }
  }

  private boolean transaction(Statement statement) throws SQLException {
    try {
      switch (random.nextInt(12)) {
        case 0, 1 -> longOne(statement);
        case 2, 3 -> withSavepoint(statement);
        case 4 -> insert(statement, 200 + random.nextInt(400));
        case 5 -> delete(statement);
        case 6 -> readsFirst(statement);
        default -> shortOne(statement);
      }
      if (random.nextInt(6) == 0) {
        connection.rollback();
        return false;
      }
      connection.commit();
      pause(statement, 20 + random.nextInt(80));
      connection.commit();
      return true;
    } catch (SQLException e) {
      if (!isWriterInTheWay(e)) {
        throw e;
      }
      connection.rollback();
      return false;
    }
  }

  /** A deadlock, or a lock not given in time. */
  private static boolean isWriterInTheWay(SQLException e) {
    return List.of("40P01", "55P03").contains(e.getSQLState());
  }

  private void shortOne(Statement statement) throws SQLException {
    for (int i = random.nextInt(3); i >= 0; i--) {
      write(statement);
    }
  }

  /** Its rows are stamped with its start, and become visible long after. */
  private void longOne(Statement statement) throws SQLException {
    write(statement);
    pause(statement, 300 + random.nextInt(1_500));
    write(statement);
    pause(statement, random.nextInt(1_000));
  }

  /** It has written nothing yet, but its time is fixed already. */
  private void readsFirst(Statement statement) throws SQLException {
    statement.execute("SELECT count(*) FROM keyed WHERE id < 10");
    pause(statement, 300 + random.nextInt(1_200));
    write(statement);
  }

  private void withSavepoint(Statement statement) throws SQLException {
    write(statement);
    Savepoint savepoint = connection.setSavepoint();
    write(statement);
    write(statement);
    if (random.nextBoolean()) {
      connection.rollback(savepoint);
    }
    write(statement);
  }

  private void pause(Statement statement, int millis) throws SQLException {
    statement.execute("SELECT pg_sleep(%d / 1000.0)".formatted(millis));
  }

  private void write(Statement statement) throws SQLException {
    if (random.nextInt(5) < 2) {
      insert(statement, 1 + random.nextInt(5));
    } else {
      update(statement);
    }
  }

  private void insert(Statement statement, int rows) throws SQLException {
    RandomTables.Table table = table();
    statement.execute(table.insert(rows, random.nextInt(1_000), clock()));
  }

  private void update(Statement statement) throws SQLException {
    RandomTables.Table table = table();
    int first = 1 + random.nextInt(ROWS_ABOUT);
    statement.execute(
        table.update(first, first + random.nextInt(4), random.nextInt(1_000), clock()));
  }

  private void delete(Statement statement) throws SQLException {
    int first = 1 + random.nextInt(ROWS_ABOUT);
    statement.execute(table().delete(first, first + 1));
  }

  private RandomTables.Table table() {
    return RandomTables.TABLES.get(random.nextInt(RandomTables.TABLES.size()));
  }

  /** The start of the transaction, or the time of the statement. */
  private String clock() {
    return random.nextInt(3) == 0 ? "clock_timestamp()" : "now()";
  }
}
