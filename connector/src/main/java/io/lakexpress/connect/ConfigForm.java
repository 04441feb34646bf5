package io.lakexpress.connect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Recommender;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * What a web form needs besides a definition's texts and order: the words a key may have, and which
 * keys make no sense beside the value of another one. Connect's validation answers both. Keys whose
 * validator lists words, and yes-or-no keys, get their words by themselves.
 */
public final class ConfigForm {
  private final Map<String, List<Object>> words = new LinkedHashMap<>();
  private final Map<String, Shown> shown = new LinkedHashMap<>();
  private final ConfigDef described;

  public ConfigForm(ConfigDef described) {
    this.described = described;
    described.configKeys().values().forEach(this::addOwnWords);
  }

  /** Where a key makes sense. */
  private record Shown(String other, Predicate<String> fits) {}

  /** Offers words for a key that accepts others too. */
  public ConfigForm recommend(String key, Collection<String> choice) {
    words.put(key, List.copyOf(choice));
    return this;
  }

  /**
   * Shows a key only beside fitting values of another one.
   *
   * @param fits asked with the other key's value, empty if it has none
   */
  public ConfigForm showWhen(String key, String other, Predicate<String> fits) {
    if (described.configKeys().get(key) == null || described.configKeys().get(other) == null) {
      throw new IllegalArgumentException("Invalid keys " + key + " and " + other);
    }
    if (shown.putIfAbsent(key, new Shown(other, fits)) != null) {
      // Connect's validation would report a problem of the key once for each.
      throw new IllegalArgumentException("Key " + key + " depends on another one already");
    }
    return this;
  }

  /** Shows keys only where another one is left empty. */
  public ConfigForm showWithout(String other, String... keys) {
    for (String key : keys) {
      showWhen(key, other, String::isBlank);
    }
    return this;
  }

  /** Shows keys only where another one has a value. */
  public ConfigForm showWith(String other, String... keys) {
    for (String key : keys) {
      showWhen(key, other, value -> !value.isBlank());
    }
    return this;
  }

  /** The definition with all of it. */
  public ConfigDef definition() {
    ConfigDef complete = new ConfigDef();
    described.configKeys().values().forEach(key -> complete.define(completed(key)));
    return complete;
  }

  /** Words a key's own definition lists. */
  private void addOwnWords(ConfigKey key) {
    if (key.validator instanceof ValidString list) {
      // It shows its words in no other way: [one, two].
      String text = list.toString();
      words.put(key.name, List.of((Object[]) text.substring(1, text.length() - 1).split(", ")));
    } else if (key.type == ConfigDef.Type.BOOLEAN) {
      words.put(key.name, List.of(true, false));
    }
  }

  private ConfigKey completed(ConfigKey key) {
    List<String> dependents = new ArrayList<>(key.dependents);
    shown.forEach(
        (child, rule) -> {
          if (rule.other().equals(key.name)) {
            dependents.add(child);
          }
        });
    boolean isPlain = !words.containsKey(key.name) && !shown.containsKey(key.name);
    return new ConfigKey(
        key.name,
        key.type,
        key.defaultValue,
        key.validator,
        key.importance,
        key.documentation,
        key.group,
        key.orderInGroup,
        key.width,
        key.displayName,
        dependents,
        isPlain ? key.recommender : recommender(key.name),
        key.internalConfig);
  }

  private Recommender recommender(String key) {
    List<Object> choice = words.getOrDefault(key, List.of());
    Shown rule = shown.get(key);
    return new Recommender() {
      @Override
      public List<Object> validValues(String name, Map<String, Object> parsed) {
        // Connect removes from the list what it likes.
        return new ArrayList<>(choice);
      }

      @Override
      public boolean visible(String name, Map<String, Object> parsed) {
        return rule == null || rule.fits().test(text(parsed.get(rule.other())));
      }
    };
  }

  private static String text(Object value) {
    return value == null ? "" : value.toString().strip();
  }
}
