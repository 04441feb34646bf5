package io.lakexpress.lxdb.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Creates and migrates the tables, one process at a time. */
final class MigratedSchema extends Schema {
  private static final int TRIES = 3;
  private static final int SET_UP_TRIES = 50;
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);

  private final MigrationLock lock;

  MigratedSchema(Flavour flavour, MigrationLock lock) {
    super(flavour);
    this.lock = lock;
  }

  @Override
  void bring(DataSource source, BooleanSupplier isUnwanted) throws SQLException {
    Flyway flyway = flyway(source);
    try (MigrationLock.Held held = lock.hold(isUnwanted)) {
      held.check();
      probe(source);
      if (!flavour().setUp().isEmpty()) {
        setUp(source);
      }
      migrate(flyway);
    }
    refuseNewer(flyway);
  }

  /** Somebody who only looks at the file may be in the way for a moment. */
  private void setUp(DataSource source) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(flavour().setUp());
        return;
      } catch (SQLException e) {
        if (attempt == SET_UP_TRIES || !flavour().busyCodes().contains(e.getErrorCode())) {
          throw e;
        }
        LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
      }
    }
  }

  /** Two that start on an empty schema may both try to create Flyway's table: one tries again. */
  private static void migrate(Flyway flyway) {
    for (int attempt = 1; ; attempt++) {
      try {
        flyway.migrate();
        return;
      } catch (FlywayException e) {
        if (attempt == TRIES) {
          throw e;
        }
      }
    }
  }
}
