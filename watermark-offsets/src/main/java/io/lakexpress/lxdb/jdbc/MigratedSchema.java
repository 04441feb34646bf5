package io.lakexpress.lxdb.jdbc;

import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Creates and migrates the tables, one process at a time. */
final class MigratedSchema extends Schema {
  private static final int TRIES = 3;

  private final MigrationLock lock;

  MigratedSchema(Flavour flavour, MigrationLock lock) {
    super(flavour);
    this.lock = lock;
  }

  @Override
  void bring(Flyway flyway, BooleanSupplier isUnwanted) throws SQLException {
    try (MigrationLock.Held held = lock.hold(isUnwanted)) {
      held.check();
      migrate(flyway);
    }
    refuseNewer(flyway);
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
