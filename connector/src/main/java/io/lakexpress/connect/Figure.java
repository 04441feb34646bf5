package io.lakexpress.connect;

import java.util.Locale;
import java.util.function.Function;

/**
 * One thing a connector tells about itself: an attribute of an MBean, and a metric of Connect's.
 *
 * @param name as an attribute is named
 * @param type String or Long
 */
public record Figure<T>(String name, String description, Class<?> type, Function<T, Object> value) {

  /** A figure in words. */
  public static <T> Figure<T> text(String name, String description, Function<T, String> value) {
    return new Figure<>(name, description, String.class, value::apply);
  }

  /** A figure that is a number. */
  public static <T> Figure<T> number(String name, String description, Function<T, Long> value) {
    return new Figure<>(name, description, Long.class, value::apply);
  }

  /** The name as Connect's metrics are named: words in lower case, with dashes. */
  public String dashed() {
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }
}
