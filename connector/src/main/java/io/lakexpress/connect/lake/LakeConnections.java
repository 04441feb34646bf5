package io.lakexpress.connect.lake;

import io.lakexpress.connect.DatabaseSettings;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.jdbc.DatabaseTarget;
import io.lakexpress.lxdb.jdbc.LakexpressDatabases;
import java.time.Duration;

/** Opens the LakeXpress DB. Opening does not connect, the first call does. */
final class LakeConnections {
  private static final Duration PATIENCE_OF_TASKS = Duration.ofSeconds(30);

  private LakeConnections() {}

  /** For the connector: its tables are created by the first call that finds none. */
  static LakexpressDb ofConnector(DatabaseSettings settings) {
    return LakexpressDatabases.open(target(settings));
  }

  /** For tasks: they only wait for the tables. */
  static LakexpressDb ofTask(DatabaseSettings settings) {
    return LakexpressDatabases.openAndWait(target(settings), PATIENCE_OF_TASKS);
  }

  private static DatabaseTarget target(DatabaseSettings settings) {
    return new DatabaseTarget(
        settings.url(), settings.user(), settings.password(), settings.properties());
  }
}
