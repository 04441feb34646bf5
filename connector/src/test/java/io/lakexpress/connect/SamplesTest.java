package io.lakexpress.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Connector;
import org.apache.kafka.connect.sink.SinkConnector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SamplesTest {
  private static final Set<String> CONNECT_KEYS =
      Set.of("connector.class", "tasks.max", "topics", "topics.regex", "exactly.once.support");
  private static final Set<String> CONNECT_PREFIXES =
      Set.of(
          "topic.creation.",
          "producer.override.",
          "consumer.override.",
          "errors.",
          "key.converter",
          "value.converter");
  private static final Set<String> DRIVER_PREFIXES = Set.of("lxdb.jdbc.", "source.jdbc.");

  static Stream<Path> samples() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "config-samples"))) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
    }
  }

  private static Map<String, String> config(Path sample) throws IOException {
    JsonNode posted = new ObjectMapper().readTree(sample.toFile());
    assertThat(posted.path("name").asText()).isNotEmpty();
    Map<String, String> config = new HashMap<>();
    posted
        .path("config")
        .properties()
        .forEach(
            property -> {
              assertThat(property.getValue().isTextual()).as(property.getKey()).isTrue();
              config.put(property.getKey(), property.getValue().asText());
            });
    return config;
  }

  private static Connector connector(Map<String, String> config) {
    try {
      return Class.forName(config.get("connector.class"))
          .asSubclass(Connector.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("No such connector: " + config.get("connector.class"), e);
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void sampleHoldsOnlyKnownKeysAndGoodValues(Path sample) throws IOException {
    Map<String, String> config = config(sample);
    ConfigDef definition = connector(config).config();

    assertThat(config.keySet())
        .allMatch(
            key ->
                definition.names().contains(key)
                    || CONNECT_KEYS.contains(key)
                    || Stream.concat(CONNECT_PREFIXES.stream(), DRIVER_PREFIXES.stream())
                        .anyMatch(key::startsWith));
    assertThat(definition.validate(config))
        .allSatisfy(value -> assertThat(value.errorMessages()).as(value.name()).isEmpty())
        .extracting(ConfigValue::name)
        .contains("sync.id");
  }

  @ParameterizedTest
  @MethodSource("samples")
  void sampleAsksForExactlyOnce(Path sample) throws IOException {
    Map<String, String> config = config(sample);

    if (connector(config) instanceof SinkConnector) {
      assertThat(config).containsEntry("consumer.override.isolation.level", "read_committed");
    } else {
      assertThat(config)
          .containsEntry("exactly.once.support", "required")
          .containsEntry("producer.override.enable.idempotence", "true")
          .containsKeys(
              "topic.creation.default.replication.factor", "topic.creation.default.partitions");
    }
  }
}
