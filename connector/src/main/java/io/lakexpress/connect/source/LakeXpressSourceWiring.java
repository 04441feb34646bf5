package io.lakexpress.connect.source;

import io.lakexpress.connect.DatabaseSettings;
import io.lakexpress.connect.source.jdbc.JdbcSource;
import io.lakexpress.connect.source.jdbc.ReadSettings;
import io.lakexpress.connect.source.jdbc.SourceTarget;
import io.lakexpress.connect.source.read.CronExpression;
import io.lakexpress.connect.source.read.GuardRule;
import io.lakexpress.connect.source.read.ReaderSettings;
import io.lakexpress.connect.source.read.Schedule;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.Timing;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.jdbc.DatabaseTarget;
import io.lakexpress.lxdb.jdbc.LakexpressDatabases;
import io.lakexpress.watermark.SliceDegree;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Turns the configuration into the things the source is made of. */
final class LakeXpressSourceWiring implements SourceConnections, SourceWiring {
  @Override
  public SourceDatabase source(SourceConfig config, DatabaseSettings settings) {
    return JdbcSource.open(
        new SourceTarget(
            settings.url(),
            settings.user(),
            settings.password(),
            settings.properties(),
            config.sync().id()),
        readSettings(config));
  }

  @Override
  public LakexpressDb lakexpressDb(DatabaseSettings settings) {
    return LakexpressDatabases.open(target(settings));
  }

  @Override
  public ReaderSettings settings(Map<String, String> properties) {
    return readerSettings(SourceConfig.parse(properties), TaskShare.of(properties));
  }

  /** The LakeXpress DB for a task. */
  @Override
  public LakexpressDb lakexpressDb(Map<String, String> properties) {
    return lakexpressDb(SourceConfig.parse(properties).lakexpressDb());
  }

  @Override
  public SourceDatabase sourceDatabase(Map<String, String> properties) {
    SourceConfig config = SourceConfig.parse(properties);
    return source(config, config.source());
  }

  @Override
  public GuardRule guard(Map<String, String> properties) {
    SourceConfig.Guard guard = SourceConfig.parse(properties).reading().guard();
    return new GuardRule(
        word(GuardRule.Mode.class, guard.mode()), guard.longestWait(), guard.readerHold());
  }

  private static DatabaseTarget target(DatabaseSettings settings) {
    return new DatabaseTarget(
        settings.url(), settings.user(), settings.password(), settings.properties());
  }

  private static ReadSettings readSettings(SourceConfig config) {
    SourceConfig.Records records = config.records();
    return new ReadSettings(
        config.reading().fetchRows(),
        config.reading().fetchBytes(),
        word(ReadSettings.TimePrecision.class, records.timePrecision()),
        word(ReadSettings.DecimalHandling.class, records.decimals()),
        records.fieldNames().equals("none")
            ? ReadSettings.FieldNames.AS_IS
            : ReadSettings.FieldNames.AVRO,
        word(ReadSettings.RecordKey.class, records.key()));
  }

  private static ReaderSettings readerSettings(SourceConfig config, TaskShare share) {
    return new ReaderSettings(
        new ReaderSettings.Identity(
            config.sync().id(),
            share.connector(),
            share.index(),
            share.count(),
            config.sync().exactlyOnce()
                ? ReaderSettings.Delivery.EXACTLY_ONCE
                : ReaderSettings.Delivery.AT_LEAST_ONCE),
        runs(config),
        config.tables().selection(List.of()),
        config.specs(),
        new ReaderSettings.Records(
            config.records().topicPrefix(),
            word(ReaderSettings.RecordKey.class, config.records().key()),
            config.reading().batchMaxRows(),
            config.reading().fetchBytes(),
            config.records().maxBytes()),
        Timing.standard(),
        new ReaderSettings.Slicing(
            SliceDegree.resolve(config.slices().degree(), share.processors()),
            share.processors(),
            config.slices().threshold(),
            config.slices().overrides()));
  }

  private static ReaderSettings.Runs runs(SourceConfig config) {
    return new ReaderSettings.Runs(
        word(ReaderSettings.SyncMode.class, config.sync().mode()),
        config
            .sync()
            .cron()
            .map(text -> Schedule.cron(CronExpression.parse(text)))
            .orElseGet(() -> Schedule.every(config.sync().interval())),
        config.reading().safetyLag(),
        config.reading().zones().rule(),
        word(ReaderSettings.NullPolicy.class, config.reading().nullPolicy()),
        word(ReaderSettings.ErrorAction.class, config.sync().errorAction()),
        config.sync().retention());
  }

  /** A word of the configuration, which its key has checked, as the constant it names. */
  private static <T extends Enum<T>> T word(Class<T> type, String word) {
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
