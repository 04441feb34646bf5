package io.lakexpress.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.lake.LakeXpressSinkConnector;
import io.lakexpress.connect.source.LakeXpressSourceConnector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Web UIs build their forms from what Connect tells of a definition. */
class ConfigFormTest {
  private static final ConfigDef SOURCE = new LakeXpressSourceConnector().config();
  private static final ConfigDef SINK = new LakeXpressSinkConnector().config();

  static Stream<ConfigDef> definitions() {
    return Stream.of(SOURCE, SINK);
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void everyKeyIsDescribed(ConfigDef definition) {
    assertThat(definition.configKeys().values())
        .allSatisfy(
            key -> {
              assertThat(key.documentation).as(key.name).hasSizeGreaterThan(10).endsWith(".");
              assertThat(key.displayName).as(key.name).matches("[A-Z].*").isNotEqualTo(key.name);
              assertThat(key.group).as(key.name).matches("[A-Z].*");
              assertThat(key.width).as(key.name).isNotEqualTo(Width.NONE);
              assertThat(key.importance).as(key.name).isNotNull();
            });
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void keysHaveAnOrderAndANameOfTheirOwnInTheirGroup(ConfigDef definition) {
    Set<String> orders = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (ConfigKey key : definition.configKeys().values()) {
      assertThat(key.orderInGroup).as(key.name).isPositive();
      assertThat(orders.add(key.group + key.orderInGroup)).as("order of " + key.name).isTrue();
      assertThat(names.add(key.group + key.displayName)).as("name of " + key.name).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void everyChoiceOffersItsWordsAndItsDefaultIsOneOfThem(ConfigDef definition) {
    Map<String, ConfigValue> values = validated(definition, Map.of());
    for (ConfigKey key : definition.configKeys().values()) {
      List<Object> words = values.get(key.name).recommendedValues();
      boolean isChoice = key.validator instanceof ValidString || key.type == ConfigDef.Type.BOOLEAN;
      if (isChoice) {
        assertThat(words).as(key.name).hasSizeGreaterThan(1);
      }
      if (!words.isEmpty()) {
        assertThat(words).as(key.name).contains(key.defaultValue);
      }
      for (Object word : words) {
        assertThat(
                validated(definition, Map.of(key.name, word.toString()))
                    .get(key.name)
                    .errorMessages())
            .as(key.name + "=" + word)
            .isEmpty();
      }
    }
    assertThat(values.values()).anyMatch(value -> !value.recommendedValues().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void everyKeyIsReachedFromTheForm(ConfigDef definition) {
    assertThat(definition.validate(Map.of("sync.id", "s")))
        .hasSameSizeAs(definition.configKeys().keySet())
        .allSatisfy(value -> assertThat(value.errorMessages()).isEmpty());
  }

  @Test
  void wordsOfTheSourceAreRecommended() {
    Map<String, ConfigValue> values = validated(SOURCE, Map.of());

    assertThat(values.get("sync.mode").recommendedValues())
        .containsExactly("continuous", "on-demand");
    assertThat(values.get("time.precision.mode").recommendedValues())
        .containsExactly("micros", "nanos", "connect");
    assertThat(validated(SINK, Map.of()).get("parquet.compression").recommendedValues())
        .containsExactlyInAnyOrder("zstd", "snappy", "gzip", "lz4_raw", "none");
  }

  @Test
  void keysThatMakeNoSenseBesideAnotherAreHidden() {
    Map<String, ConfigValue> plain = validated(SOURCE, Map.of());
    assertThat(plain.get("source.url").visible()).isTrue();
    assertThat(plain.get("source.db.name").visible()).isFalse();
    assertThat(plain.get("sync.cron").visible()).isTrue();
    assertThat(plain.get("incremental.safety.lag.seconds").visible()).isFalse();

    Map<String, ConfigValue> other =
        validated(
            SOURCE,
            Map.of(
                "source.db.auth.id", "shop",
                "sync.mode", "on-demand",
                "incremental.tables", "a.b:c:date"));
    assertThat(other.get("source.url").visible()).isFalse();
    assertThat(other.get("source.password").visible()).isFalse();
    assertThat(other.get("source.db.name").visible()).isTrue();
    assertThat(other.get("lxdb.url").visible()).isTrue();
    assertThat(other.get("sync.cron").visible()).isFalse();
    assertThat(other.get("sync.interval.seconds").visible()).isFalse();
    assertThat(other.get("incremental.safety.lag.seconds").visible()).isTrue();
    assertThat(other.get("source.time.zone").visible()).isTrue();
    assertThat(SOURCE.configKeys().get("sync.mode").dependents)
        .containsExactlyInAnyOrder("sync.interval.seconds", "sync.cron");
    assertThat(validated(SINK, Map.of("target.storage.id", "lake")).get("lake.url").visible())
        .isFalse();
  }

  @Test
  void aMistakeInAHiddenKeyIsToldOnce() {
    assertThat(
            validated(SOURCE, Map.of("incremental.safety.lag.seconds", "soon"))
                .get("incremental.safety.lag.seconds")
                .errorMessages())
        .filteredOn(message -> message.contains("soon"))
        .hasSize(1);
  }

  @Test
  void aKeyDependsOnOneOther() {
    ConfigForm form =
        new ConfigForm(
                new ConfigDef()
                    .define("a", ConfigDef.Type.STRING, Importance.LOW, "A.")
                    .define("b", ConfigDef.Type.STRING, Importance.LOW, "B."))
            .showWith("a", "b");

    assertThatThrownBy(() -> form.showWithout("a", "b"))
        .hasMessage("Key b depends on another one already");
    assertThatThrownBy(() -> form.showWith("c", "a")).hasMessage("Invalid keys a and c");
  }

  private static Map<String, ConfigValue> validated(
      ConfigDef definition, Map<String, String> properties) {
    Map<String, String> all = new HashMap<>(properties);
    all.putIfAbsent("sync.id", "s");
    Map<String, ConfigValue> values = new HashMap<>();
    definition.validate(all).forEach(value -> values.put(value.name(), value));
    return values;
  }
}
