package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens the LakeXpress DB on PostgreSQL, SQL Server or SQLite, as the URL says.
 *
 * <p>Opening does not connect: the first call of a book does, and every call tries anew until one
 * reached the database. So a database that is down makes calls fail with a retriable {@link
 * LakexpressDbException}, never the opening.
 */
public final class LakexpressDatabases {
  private LakexpressDatabases() {}

  /** For connectors and commands: creates and migrates the tables at the first call. */
  public static LakexpressDb open(DatabaseTarget target) {
    return new JdbcLakexpressDb(migrated(target));
  }

  private static Database migrated(DatabaseTarget target) {
    Flavour flavour = Flavour.of(target.url());
    Optional<Path> lockFile =
        SqliteFile.of(target.url()).map(file -> Path.of(file + ".migration-lock"));
    return new Database(target, flavour, new MigratedSchema(flavour, new MigrationLock(lockFile)));
  }

  /**
   * For tasks: changes no table; the first call waits for somebody else's migration for at most
   * {@code patience}.
   */
  public static LakexpressDb openAndWait(DatabaseTarget target, Duration patience) {
    Flavour flavour = Flavour.of(target.url());
    return new JdbcLakexpressDb(
        new Database(target, flavour, new AwaitedSchema(flavour, patience)));
  }

  /** Removes every row, for good, in one transaction; the tables stay. */
  public static void truncate(DatabaseTarget target) {
    try (Database database = migrated(target)) {
      database.perform("empty the LakeXpress DB", Tables::empty);
    }
  }

  /** Removes every row of one sync, for good, in one transaction. */
  public static void truncate(DatabaseTarget target, String syncId) {
    try (Database database = migrated(target)) {
      database.perform("forget sync " + syncId, tx -> Tables.forget(tx, syncId));
    }
  }

  /** Removes every table of the LakeXpress DB, for good, in one transaction, and no other. */
  public static void drop(DatabaseTarget target) {
    Flavour flavour = Flavour.of(target.url());
    try (Database database = new Database(target, flavour, new UncheckedSchema(flavour))) {
      database.perform("drop the tables of the LakeXpress DB", Tables::drop);
    }
  }

  /** Whether the LakeXpress DB is a file of this machine, which other workers cannot see. */
  public static boolean isLocalFile(DatabaseTarget target) {
    return Flavour.of(target.url()).equals(Flavour.SQLITE);
  }
}
