package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.LakexpressDbException.Kind;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** Brings the tables of the LakeXpress DB to the version this code speaks, or waits for it. */
abstract class Schema {
  /** Flyway's own table. */
  static final String HISTORY_TABLE = "lakexpress_schema_history";

  private final Flavour flavour;

  Schema(Flavour flavour) {
    this.flavour = flavour;
  }

  /**
   * Called when a connection is first needed, again until it succeeds.
   *
   * @param isUnwanted true once the caller was closed meanwhile
   * @throws LakexpressDbException if the tables cannot be used now
   */
  final void prepare(DataSource source, Failures failures, BooleanSupplier isUnwanted) {
    try {
      bring(source, isUnwanted);
    } catch (SQLException | FlywayException e) {
      throw failures.failure("open the LakeXpress DB", e);
    }
  }

  /** Returns when the tables have the version of this code. */
  abstract void bring(DataSource source, BooleanSupplier isUnwanted) throws SQLException;

  final Flavour flavour() {
    return flavour;
  }

  /** Says "wrong password" or "down" in the driver's own words, before Flyway wraps them. */
  static void probe(DataSource source) throws SQLException {
    source.getConnection().close();
  }

  final Flyway flyway(DataSource source) {
    return new FluentConfiguration(Schema.class.getClassLoader())
        .dataSource(source)
        .locations(flavour.scripts())
        .table(HISTORY_TABLE)
        // The schema may hold other people's tables.
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .cleanDisabled(true)
        .load();
  }

  /** Refuses tables that a newer version of LakeXpress Connect has changed already. */
  static void refuseNewer(Flyway flyway) {
    MigrationInfo current = flyway.info().current();
    if (current != null && current.getState() == MigrationState.FUTURE_SUCCESS) {
      throw new LakexpressDbException(
          "Cannot use the LakeXpress DB: its schema is at version "
              + current.getVersion()
              + ", which a newer LakeXpress Connect made; upgrade this one",
          null,
          Kind.LASTING);
    }
  }
}
