package io.lakexpress.connect.source;

import io.lakexpress.connect.CommonConfig;
import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.KeyProblems;
import io.lakexpress.connect.SideBySide;
import io.lakexpress.connect.source.jdbc.ConnectionProblem;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of validation that asks the services, bounded in time: both databases side by side,
 * short time-outs of the drivers, no further table once the time for tables is used up, and an end
 * to all of it.
 */
final class ConnectedValidation {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectedValidation.class);
  private static final Duration PATIENCE = Duration.ofSeconds(17);
  private static final Duration FOR_TABLES = Duration.ofSeconds(9);

  private final SourceConnections connections;
  private final LongSupplier nanoClock;

  ConnectedValidation(SourceConnections connections, LongSupplier nanoClock) {
    this.connections = connections;
    this.nanoClock = nanoClock;
  }

  /** Notes what is wrong on the keys; asks only services whose keys could be read. */
  void run(ConfigReader config, SourceConfig values) {
    SideBySide asked = new SideBySide(config, PATIENCE, nanoClock);
    Optional<SideBySide.Answer<List<TrackedTable>>> source =
        Optional.ofNullable(values.source()).map(settings -> askSource(asked, config, values));
    Optional<SideBySide.Answer<Boolean>> lakexpressDb =
        Optional.ofNullable(values.lakexpressDb())
            .map(
                settings ->
                    askLakexpressDb(asked, config, values, (db, problems) -> db.runs().now()));
    List<TrackedTable> tracked = source.flatMap(SideBySide.Answer::await).orElse(List.of());
    boolean isReached = lakexpressDb.flatMap(SideBySide.Answer::await).orElse(false);
    if (isReached && !tracked.isEmpty() && !values.sync().id().isEmpty()) {
      askLakexpressDb(
              asked,
              config,
              values,
              (db, problems) ->
                  new SpecChanges(values.sync().id(), db)
                      .check(problems, tracked, values.reading().zones()))
          .await();
    }
  }

  private SideBySide.Answer<List<TrackedTable>> askSource(
      SideBySide asked, ConfigReader config, SourceConfig values) {
    long start = nanoClock.getAsLong();
    BooleanSupplier timeIsUp = () -> nanoClock.getAsLong() - start > FOR_TABLES.toNanos();
    KeysToBlame keys = KeysToBlame.of(config);
    return asked.ask(
        "source database",
        keys.connection(),
        problems -> {
          try (SourceDatabase database = connections.source(values, values.source().impatient())) {
            return new SourceValidation(
                    problems, values, database, timeIsUp, warning -> LOG.warn("{}", warning))
                .run();
          } catch (SourceException e) {
            problems.refuse(keys.of(ConnectionProblem.of(e)), e.getMessage());
            return List.of();
          }
        });
  }

  /** The keys that a failed connection is noted on, read before other threads ask. */
  private record KeysToBlame(String connection, String login, String database) {
    private static KeysToBlame of(ConfigReader config) {
      String connection = SourceKeys.SOURCE.connectionKey(config);
      boolean byUrl = connection.equals(SourceKeys.SOURCE.url());
      return new KeysToBlame(
          connection,
          byUrl ? SourceKeys.SOURCE.password() : connection,
          config.isSet(SourceKeys.DATABASE_NAME) ? SourceKeys.DATABASE_NAME : connection);
    }

    private String of(ConnectionProblem problem) {
      return switch (problem) {
        case LOGIN -> login;
        case DATABASE -> database;
        case OTHER -> connection;
      };
    }
  }

  /** A question to the LakeXpress DB. */
  private interface Query {
    void run(LakexpressDb lakexpressDb, KeyProblems problems);
  }

  private SideBySide.Answer<Boolean> askLakexpressDb(
      SideBySide asked, ConfigReader config, SourceConfig values, Query query) {
    String key = CommonConfig.LAKEXPRESS_DB.connectionKey(config);
    return asked.ask(
        "LakeXpress DB",
        key,
        problems -> {
          try (LakexpressDb lakexpressDb =
              connections.lakexpressDb(values.lakexpressDb().impatient())) {
            query.run(lakexpressDb, problems);
            return true;
          } catch (LakexpressDbException e) {
            problems.refuse(key, e.getMessage());
            return false;
          }
        });
  }
}
