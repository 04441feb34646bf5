package io.lakexpress.connect.source;

import io.lakexpress.connect.CommonConfig;
import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.source.jdbc.ConnectionProblem;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The part of validation that asks the services, bounded in time: short time-outs of the drivers,
 * and no further table once the time for tables is used up.
 */
final class ConnectedValidation {
  private static final Duration FOR_TABLES = Duration.ofSeconds(10);

  private final SourceConnections connections;
  private final LongSupplier nanoClock;

  ConnectedValidation(SourceConnections connections, LongSupplier nanoClock) {
    this.connections = connections;
    this.nanoClock = nanoClock;
  }

  /** Notes what is wrong on the keys; asks only services whose keys could be read. */
  void run(ConfigReader config, SourceConfig values) {
    if (values.source() != null) {
      checkSource(config, values);
    }
    if (values.lakexpressDb() != null) {
      checkLakexpressDb(config, values);
    }
  }

  private void checkSource(ConfigReader config, SourceConfig values) {
    long start = nanoClock.getAsLong();
    BooleanSupplier timeIsUp = () -> nanoClock.getAsLong() - start > FOR_TABLES.toNanos();
    try (SourceDatabase database = connections.source(values, values.source().impatient())) {
      new SourceValidation(config, values, database, timeIsUp).run();
    } catch (SourceException e) {
      config.refuse(key(config, ConnectionProblem.of(e)), e.getMessage());
    }
  }

  private static String key(ConfigReader config, ConnectionProblem problem) {
    String connection = SourceKeys.SOURCE.connectionKey(config);
    boolean byUrl = connection.equals(SourceKeys.SOURCE.url());
    return switch (problem) {
      case LOGIN -> byUrl ? SourceKeys.SOURCE.password() : connection;
      case DATABASE ->
          config.isSet(SourceKeys.DATABASE_NAME) ? SourceKeys.DATABASE_NAME : connection;
      case OTHER -> connection;
    };
  }

  private void checkLakexpressDb(ConfigReader config, SourceConfig values) {
    try (LakexpressDb lakexpressDb = connections.lakexpressDb(values.lakexpressDb().impatient())) {
      lakexpressDb.runs().now();
    } catch (LakexpressDbException e) {
      config.refuse(CommonConfig.LAKEXPRESS_DB.connectionKey(config), e.getMessage());
    }
  }
}
