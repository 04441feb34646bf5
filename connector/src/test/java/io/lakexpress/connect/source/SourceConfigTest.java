package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.DatabaseSettings;
import io.lakexpress.connect.source.read.LikePattern;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceConfigTest {
  private static Map<String, String> with(String... keysAndValues) {
    Map<String, String> properties = new HashMap<>();
    properties.put("sync.id", "tpch");
    properties.put("lxdb.url", "jdbc:postgresql://localhost:5433/lakexpress");
    properties.put("source.url", "jdbc:postgresql://localhost:5433/tpch");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return properties;
  }

  @Test
  void allDefaults() {
    assertThat(SourceConfig.parse(with()))
        .isEqualTo(
            new SourceConfig(
                new SourceConfig.Sync(
                    "tpch",
                    "",
                    "continuous",
                    Duration.ofMinutes(10),
                    null,
                    "continue",
                    Duration.ofDays(90),
                    false),
                new DatabaseSettings("jdbc:postgresql://localhost:5433/tpch", "", "", Map.of()),
                new DatabaseSettings(
                    "jdbc:postgresql://localhost:5433/lakexpress", "", "", Map.of()),
                new TableRules(
                    List.of(), List.of(), List.of(), OptionalLong.empty(), OptionalLong.empty()),
                List.of(),
                new SourceConfig.Reading(
                    new TableZones(null, Map.of()),
                    Duration.ZERO,
                    new SourceConfig.Guard("auto", Duration.ofSeconds(5), Duration.ofMinutes(15)),
                    "skip",
                    10_000,
                    16_777_216,
                    5000),
                new SourceConfig.Records("", "primary-key", "micros", "precise", "none", 1_048_576),
                new SourceConfig.Slices(1, 100_000, List.of())));
  }

  @Test
  void aSqlServerIsReadByUrl() {
    SourceConfig config =
        SourceConfig.parse(
            with(
                "source.url", "jdbc:sqlserver://db.example.com:1433;databaseName=shop",
                "source.user", "reader",
                "source.password", "hunter2",
                "source.jdbc.encrypt", "strict",
                "incremental.tables", "dbo.orders:rv:rowversion"));

    assertThat(config.source())
        .isEqualTo(
            new DatabaseSettings(
                "jdbc:sqlserver://db.example.com:1433;databaseName=shop",
                "reader",
                "hunter2",
                Map.of("encrypt", "strict")));
    assertThat(config.specs()).containsExactly(TableSpec.parse("dbo.orders:rv:rowversion:e"));
  }

  @Test
  void aSqlServerIsReadByCredential(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("credentials.json"),
            """
            {"shop": {"ds_type": "mssql", "auth_mode": "classic", "info": {
              "username": "reader", "password": "hunter2", "server": "db.example.com",
              "database": "shop", "options": "encrypt=true;trustServerCertificate=true"}}}
            """);
    Map<String, String> properties =
        with(
            "credentials.file", file.toString(),
            "source.db.auth.id", "shop",
            "source.db.name", "shop {2}",
            "source.jdbc.trustServerCertificate", "false");
    properties.remove("source.url");

    assertThat(SourceConfig.parse(properties).source())
        .isEqualTo(
            new DatabaseSettings(
                "jdbc:sqlserver://db.example.com:1433;databaseName={shop {2}}}",
                "reader", "hunter2", Map.of("encrypt", "true", "trustServerCertificate", "false")));
  }

  @Test
  void everyKeyIsRead() {
    SourceConfig config =
        SourceConfig.parse(
            with(
                "env.name", "test",
                "exactly.once.support", "REQUIRED",
                "source.user", "me",
                "source.password", "hunter2",
                "source.jdbc.sslmode", "require",
                "source.schema.name", "sales, \"odd,name\"",
                "table.include", "order%",
                "table.exclude", "%_old",
                "table.min.rows", "1",
                "table.max.rows", "1000",
                "incremental.tables", "sales.orders:at:timestamp, sales.items:id:int:e@5",
                "incremental.safety.lag.seconds", "3600",
                "incremental.late.commit.guard", "off",
                "incremental.late.commit.wait.ms", "250",
                "incremental.late.commit.reader.hold.ms", "60000",
                "incremental.null.policy", "fail",
                "source.time.zone", "Europe/Berlin",
                "source.time.zone.overrides", "sales.orders:+01:00, \"a:b\".c:UTC",
                "sync.cron", "0 2 * * *",
                "error.action", "skip",
                "lxdb.retention.days", "7",
                "topic.prefix", "shop.",
                "record.key", "none",
                "time.precision.mode", "nanos",
                "decimal.handling.mode", "string",
                "field.name.adjustment.mode", "avro",
                "batch.max.rows", "10",
                "source.fetch.rows", "20",
                "source.fetch.bytes", "1000000",
                "record.max.bytes", "5000"));

    assertThat(config.source())
        .isEqualTo(
            new DatabaseSettings(
                "jdbc:postgresql://localhost:5433/tpch",
                "me",
                "hunter2",
                Map.of("sslmode", "require")));
    assertThat(config.sync())
        .isEqualTo(
            new SourceConfig.Sync(
                "tpch",
                "test",
                "continuous",
                Duration.ofMinutes(10),
                "0 2 * * *",
                "skip",
                Duration.ofDays(7),
                true));
    assertThat(config.tables().include()).containsExactly(new LikePattern("order%"));
    assertThat(config.tables().minRows()).hasValue(1);
    assertThat(config.specs())
        .isEqualTo(TableSpec.parseList("sales.orders:at:timestamp,sales.items:id:integer:e@5"));
    assertThat(config.reading().safetyLag()).isEqualTo(Duration.ofHours(1));
    assertThat(config.reading().guard())
        .isEqualTo(new SourceConfig.Guard("off", Duration.ofMillis(250), Duration.ofMinutes(1)));
    assertThat(config.reading().zones())
        .isEqualTo(
            new TableZones(
                ZoneId.of("Europe/Berlin"),
                Map.of(
                    new TableId("sales", "orders"), ZoneId.of("+01:00"),
                    new TableId("a:b", "c"), ZoneId.of("UTC"))));
    assertThat(config.records())
        .isEqualTo(new SourceConfig.Records("shop.", "none", "nanos", "string", "avro", 5000));
    assertThat(config.toString()).doesNotContain("hunter2");
  }

  @Test
  void largestRecordFollowsTheProducersLimit() {
    assertThat(
            SourceConfig.parse(with("producer.override.max.request.size", "2000000"))
                .records()
                .maxBytes())
        .isEqualTo(2_000_000);
  }

  @Test
  void everyProblemIsThrownWithItsKey() {
    assertThatThrownBy(
            () ->
                SourceConfig.parse(
                    with(
                        "sync.interval.seconds", "60",
                        "sync.cron", "0 2 * *",
                        "table.min.rows", "9",
                        "table.max.rows", "3",
                        "source.db.name", "shop",
                        "source.time.zone", "Mars/Base",
                        "source.time.zone.overrides", "orders:UTC",
                        "error.action", "explode",
                        "incremental.tables", "a.b:c:when, a.b:c:date, a.b:d:date")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "sync.cron: Contradicts sync.interval.seconds: expected one of the two")
        .hasMessageContaining("Invalid cron expression '0 2 * *': expected five fields")
        .hasMessageContaining("table.max.rows: Contradicts table.min.rows: expected at least 9")
        .hasMessageContaining("source.db.name: Contradicts source.url")
        .hasMessageContaining("source.time.zone: Invalid source.time.zone 'Mars/Base'")
        .hasMessageContaining("source.time.zone.overrides: Invalid override 'orders:UTC'")
        .hasMessageContaining("error.action: Invalid value explode")
        .hasMessageContaining("incremental.tables: Invalid table spec 'a.b:c:when'")
        .hasMessageContaining("Invalid table spec 'a.b:d:date': the table has a spec already");
  }

  @Test
  void timesOfRunsContradictRunsOnDemand() {
    assertThat(SourceConfig.parse(with("sync.mode", "on-demand")).sync().mode())
        .isEqualTo("on-demand");
    assertThatThrownBy(
            () ->
                SourceConfig.parse(
                    with(
                        "sync.mode", "on-demand",
                        "sync.interval.seconds", "600",
                        "sync.cron", "")))
        .hasMessage(
            "Invalid configuration: sync.interval.seconds: Contradicts sync.mode=on-demand, where"
                + " runs start only when asked for: expected only with continuous");
    assertThatThrownBy(
            () -> SourceConfig.parse(with("sync.mode", "on-demand", "sync.cron", "0 2 * * *")))
        .hasMessageContaining("sync.cron: Contradicts sync.mode=on-demand");
  }

  @Test
  void badZonesAreToldOneByOne() {
    assertThatThrownBy(
            () ->
                SourceConfig.parse(
                    with(
                        "source.time.zone.overrides",
                        "a.b:Europe/Berln, a.c:UTC, a.c:+01:00, a.d")))
        .hasMessageContaining("Invalid override 'a.b:Europe/Berln': expected schema.table:zone")
        .hasMessageContaining("Invalid override 'a.c:+01:00': table a.c has a zone already")
        .hasMessageContaining("Invalid override 'a.d': expected schema.table:zone");
  }

  @Test
  void onlyPostgresqlIsReadFrom() {
    assertThatThrownBy(() -> SourceConfig.parse(with("source.url", "jdbc:oracle:thin:@db")))
        .hasMessageContaining(
            "source.url: Invalid JDBC URL: expected for example jdbc:postgresql:");
  }

  @Test
  void slicesAreReadAsWritten() {
    SourceConfig.Slices slices =
        SourceConfig.parse(
                with(
                    "table.parallelism", "-2",
                    "large.table.threshold", "5",
                    "table.parallelism.overrides", "sales.orders:Ntile:id:4; items:None"))
            .slices();

    assertThat(slices.degree()).isEqualTo(-2);
    assertThat(slices.threshold()).isEqualTo(5);
    assertThat(slices.overrides())
        .extracting(Object::toString)
        .containsExactly("sales.orders:Ntile:id:4", "items:None::");
  }
}
