package io.lakexpress.connect;

import io.lakexpress.watermark.CommaList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.types.Password;

/**
 * A connector's configuration while it is read: values by key, and everything that is wrong with
 * it, each on its own key. The same reading serves Connect's validation, which shows all problems,
 * and the start, which throws them. A key that could not be parsed reads as its default, so that
 * one mistake does not hide the next. Used by one thread.
 */
public final class ConfigReader implements KeyProblems {
  private final ConfigDef definition;
  private final Map<String, String> properties;
  private final Map<String, ConfigValue> values = new LinkedHashMap<>();

  public ConfigReader(ConfigDef definition, Map<String, String> properties) {
    this.definition = definition;
    this.properties = Map.copyOf(withoutNulls(properties));
    for (ConfigValue value : definition.validate(this.properties)) {
      values.put(value.name(), value);
    }
  }

  private static Map<String, String> withoutNulls(Map<String, String> properties) {
    Map<String, String> present = new LinkedHashMap<>(properties);
    present.values().removeIf(value -> value == null);
    return present;
  }

  /** A text, if it is set to more than blanks. */
  public Optional<String> text(String key) {
    return value(key) instanceof String text && !text.isBlank()
        ? Optional.of(text.strip())
        : Optional.empty();
  }

  /** A text that has a default; empty if a required one is missing. */
  public String word(String key) {
    return text(key).orElse("");
  }

  public int whole(String key) {
    return value(key) instanceof Integer number ? number : 0;
  }

  public long big(String key) {
    return value(key) instanceof Long number ? number : 0;
  }

  /** A number that has no default, if it is set. */
  public OptionalLong number(String key) {
    return value(key) instanceof Number number
        ? OptionalLong.of(number.longValue())
        : OptionalLong.empty();
  }

  public boolean yes(String key) {
    return Boolean.TRUE.equals(value(key));
  }

  /** A password, if it is set. */
  public Optional<Password> secret(String key) {
    return value(key) instanceof Password password && !password.value().isEmpty()
        ? Optional.of(password)
        : Optional.empty();
  }

  /** The items of a comma list; commas inside double quotes do not separate. */
  public List<String> items(String key) {
    return text(key).map(CommaList::split).orElse(List.of());
  }

  /** Whether the user wrote the key. */
  public boolean isSet(String key) {
    return properties.containsKey(key);
  }

  /** Everything the user wrote under keys that begin with the prefix, without the prefix. */
  public Map<String, String> withPrefix(String prefix) {
    Map<String, String> found = new LinkedHashMap<>();
    properties.keySet().stream()
        .filter(key -> key.startsWith(prefix) && key.length() > prefix.length())
        .sorted()
        .forEach(key -> found.put(key.substring(prefix.length()), properties.get(key)));
    return found;
  }

  /** Any key as the user wrote it, also Connect's own ones. */
  public Optional<String> original(String key) {
    return Optional.ofNullable(properties.get(key));
  }

  /** Whether nothing is wrong with the key so far. */
  public boolean isValid(String key) {
    return values.get(key).errorMessages().isEmpty();
  }

  /** Whether nothing at all is wrong so far. */
  public boolean isValid() {
    return values.values().stream().allMatch(value -> value.errorMessages().isEmpty());
  }

  @Override
  public void refuse(String key, String message) {
    ConfigValue value = values.get(key);
    if (!value.errorMessages().contains(message)) {
      value.addErrorMessage(message);
    }
  }

  /** Notes a problem and keeps the value out of what Connect answers, since it holds a secret. */
  public void refuseAndHide(String key, String message) {
    refuse(key, message);
    values.get(key).value(Password.HIDDEN);
  }

  /** What Connect's validation answers. */
  public Config validated() {
    return new Config(List.copyOf(values.values()));
  }

  /**
   * Ends the reading of a start.
   *
   * @throws ConfigException naming every problem with its key
   */
  public void throwIfInvalid() {
    List<String> problems = new ArrayList<>();
    for (ConfigValue value : values.values()) {
      for (String message : value.errorMessages()) {
        problems.add(value.name() + ": " + message);
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigException("Invalid configuration: " + String.join("; ", problems));
    }
  }

  private Object value(String key) {
    Object value = values.get(key).value();
    if (value != null) {
      return value;
    }
    ConfigDef.ConfigKey described = definition.configKeys().get(key);
    return described.hasDefault() ? described.defaultValue : null;
  }
}
