package io.lakexpress.connect.source;

import java.util.Collection;
import java.util.regex.Pattern;

/**
 * A SQL LIKE pattern: {@code %} for any text, {@code _} for one character, a backslash before
 * either for itself.
 */
record LikePattern(String text) {
  /** The pattern that matches a name alone. */
  static LikePattern exactly(String name) {
    return new LikePattern(name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_"));
  }

  /**
   * Whether it takes a name among others: a pattern that spells one of them means that one alone.
   */
  boolean takes(String name, Collection<String> names) {
    return names.contains(text) ? name.equals(text) : matches(name);
  }

  boolean matches(String name) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        regex.append(Pattern.quote(text.substring(i + 1, i + 2)));
        i++;
      } else if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(name).matches();
  }

  /** Whether it is a name rather than a pattern; {@code _} is common in names. */
  boolean isPlainName() {
    return text.indexOf('%') < 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
