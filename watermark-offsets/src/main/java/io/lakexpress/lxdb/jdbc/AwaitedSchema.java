package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.LakexpressDbException.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;

/** Changes nothing; waits a while for somebody else to migrate. */
final class AwaitedSchema extends Schema {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  private final Duration patience;

  AwaitedSchema(Flavour flavour, Duration patience) {
    super(flavour);
    this.patience = patience;
  }

  @Override
  void bring(DataSource source, BooleanSupplier isUnwanted) throws SQLException {
    probe(source);
    Flyway flyway = flyway(source);
    long end = System.nanoTime() + patience.toNanos();
    while (!isReady(flyway)) {
      if (isUnwanted.getAsBoolean()
          || Thread.currentThread().isInterrupted()
          || System.nanoTime() >= end) {
        throw new LakexpressDbException(
            "Cannot use the LakeXpress DB: its schema is at version "
                + version(flyway)
                + " and was not migrated within "
                + patience.toSeconds()
                + " s; start the connector, or run 'LakeXpress lxdb init'",
            null,
            Kind.PASSING);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    refuseNewer(flyway);
  }

  private static boolean isReady(Flyway flyway) {
    return flyway.info().current() != null && flyway.info().pending().length == 0;
  }

  private static String version(Flyway flyway) {
    MigrationInfo current = flyway.info().current();
    return current == null ? "none" : current.getVersion().toString();
  }
}
