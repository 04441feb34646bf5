package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.lakexpress.connect.DatabaseSettings;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.lxdb.LakexpressDb;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.junit.jupiter.api.Test;

class LakeXpressSourceConnectorTest {
  private static final Map<String, String> PROPERTIES =
      Map.of(
          "name", "shop-source",
          "sync.id", "shop",
          "lxdb.url", "jdbc:postgresql://localhost:1/lakexpress",
          "source.url", "jdbc:postgresql://localhost:1/shop",
          "incremental.tables", "sales.orders:day:date");

  private final FakeLakexpressDb lakexpressDb = new FakeLakexpressDb();
  private final LakeXpressSourceConnector connector =
      new LakeXpressSourceConnector(
          new SourceConnections() {
            @Override
            public SourceDatabase source(SourceConfig config, DatabaseSettings settings) {
              return new FakeSourceDatabase().down();
            }

            @Override
            public LakexpressDb lakexpressDb(DatabaseSettings settings) {
              return lakexpressDb;
            }
          });

  @Test
  void startsWhileItsServicesAreDownAndSharesOutTasks() {
    lakexpressDb.down();
    connector.start(PROPERTIES);

    List<Map<String, String>> configs = connector.taskConfigs(2);

    assertThat(configs)
        .hasSize(2)
        .allSatisfy(config -> assertThat(config).containsAllEntriesOf(PROPERTIES));
    assertThat(configs)
        .extracting(TaskShare::of)
        .extracting(TaskShare::index, TaskShare::count, TaskShare::connector)
        .containsExactly(tuple(0, 2, "shop-source"), tuple(1, 2, "shop-source"));
    connector.stop();
  }

  @Test
  void refusesToStartWithAConfigurationThatIsWrongInItself() {
    assertThatThrownBy(() -> connector.start(Map.of("sync.id", "shop")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("source.url: Cannot reach the source database");
  }

  @Test
  void validationReportsServicesThatAreDown() {
    lakexpressDb.down();

    assertThat(connector.validate(PROPERTIES).configValues())
        .filteredOn(value -> !value.errorMessages().isEmpty())
        .extracting("name", "errorMessages")
        .containsExactlyInAnyOrder(
            tuple("source.url", List.of("Cannot reach the source database: connection refused")),
            tuple("lxdb.url", List.of("Cannot reach the LakeXpress DB: connection refused")));
  }

  @Test
  void offsetsAreSetThroughTheConnector() {
    assertThat(
            connector.alterOffsets(
                PROPERTIES,
                Map.of(
                    Map.of("sync_id", "shop", "table", "sales.orders"),
                    Map.of("last_exported_value", "2026-11-01"))))
        .isTrue();
    assertThat(lakexpressDb.changes()).hasSize(2);
    Map<String, String> broken = new HashMap<>(PROPERTIES);
    broken.remove("sync.id");
    assertThatThrownBy(() -> connector.alterOffsets(broken, Map.of()))
        .isInstanceOf(ConnectException.class)
        .hasMessageStartingWith("Cannot alter offsets: Invalid configuration: sync.id: ");
  }

  @Test
  void saysWhatItIs() throws ReflectiveOperationException {
    Task task = connector.taskClass().getDeclaredConstructor().newInstance();
    assertThat(task.version()).isEqualTo(connector.version());
    assertThat(connector.version()).matches("[0-9]+\\.[0-9]+\\..*");
    assertThat(connector.exactlyOnceSupport(PROPERTIES)).isEqualTo(ExactlyOnceSupport.SUPPORTED);
    assertThat(ServiceLoader.load(SourceConnector.class).stream().map(ServiceLoader.Provider::type))
        .contains(LakeXpressSourceConnector.class);
  }
}
