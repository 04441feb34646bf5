package io.lakexpress.connect.lake;

import io.lakexpress.connect.CommonConfig;
import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.DatabaseSettings;
import io.lakexpress.connect.KeyProblems;
import io.lakexpress.connect.SideBySide;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.StorageException;
import io.lakexpress.connect.lake.finish.Finisher;
import io.lakexpress.connect.lake.storage.LakeLocation;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.SyncBook.Owner;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The part of the sink's validation that asks the services, side by side and bounded in time: a
 * storage that hangs keeps nobody waiting.
 */
final class ConnectedSinkValidation {
  private static final Duration PATIENCE = Duration.ofSeconds(17);

  private final Function<LakeLocation, LakeStorage> storages;
  private final Function<DatabaseSettings, LakexpressDb> databases;
  private final LongSupplier nanoClock;

  ConnectedSinkValidation(
      Function<LakeLocation, LakeStorage> storages,
      Function<DatabaseSettings, LakexpressDb> databases,
      LongSupplier nanoClock) {
    this.storages = storages;
    this.databases = databases;
    this.nanoClock = nanoClock;
  }

  /** Notes what is wrong on the keys; asks only services whose keys could be read. */
  void run(ConfigReader config, SinkConfig values) {
    SideBySide asked = new SideBySide(config, PATIENCE, nanoClock);
    Optional<SideBySide.Answer<Boolean>> lake =
        Optional.ofNullable(values.location())
            .map(location -> askLake(asked, SinkConfig.locationKey(config), location));
    Optional<SideBySide.Answer<Boolean>> lakexpressDb =
        Optional.ofNullable(values.lakexpressDb())
            .map(
                settings ->
                    askLakexpressDb(
                        asked, CommonConfig.LAKEXPRESS_DB.connectionKey(config), values));
    lake.ifPresent(SideBySide.Answer::await);
    lakexpressDb.ifPresent(SideBySide.Answer::await);
  }

  private SideBySide.Answer<Boolean> askLake(SideBySide asked, String key, LakeLocation location) {
    return asked.ask(
        "lake",
        key,
        problems -> {
          try (LakeStorage lake = storages.apply(location)) {
            lake.verifyWritable();
            return true;
          } catch (StorageException failure) {
            problems.refuse(key, failure.getMessage());
            return false;
          }
        });
  }

  private SideBySide.Answer<Boolean> askLakexpressDb(
      SideBySide asked, String key, SinkConfig values) {
    return asked.ask(
        "LakeXpress DB",
        key,
        problems -> {
          try (LakexpressDb lakexpressDb = databases.apply(values.lakexpressDb().impatient())) {
            checkOwner(lakexpressDb, problems, values);
            return true;
          } catch (LakexpressDbException failure) {
            problems.refuse(key, failure.getMessage());
            return false;
          }
        });
  }

  private static void checkOwner(
      LakexpressDb lakexpressDb, KeyProblems problems, SinkConfig values) {
    lakexpressDb
        .syncs()
        .owner(values.syncId(), Role.LAKE)
        .filter(Owner::alive)
        .filter(owner -> !owner.connector().equals(values.connector()))
        .ifPresent(
            owner ->
                problems.refuse(CommonConfig.SYNC_ID, Finisher.refusal(values.syncId(), owner)));
  }
}
