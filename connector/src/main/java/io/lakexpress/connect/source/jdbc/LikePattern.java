package io.lakexpress.connect.source.jdbc;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * A pattern as SQL's LIKE reads it: {@code %} for any text, {@code _} for one character, a
 * backslash before either to mean itself. A pattern that spells an existing name means that name
 * alone.
 */
final class LikePattern {
  private final String text;
  private final Pattern pattern;

  LikePattern(String text) {
    this.text = text;
    this.pattern = Pattern.compile(regex(text), Pattern.DOTALL);
  }

  /** Whether the pattern takes a name, given all the names there are. */
  boolean takes(String name, Set<String> names) {
    return names.contains(text) ? name.equals(text) : pattern.matcher(name).matches();
  }

  private static String regex(String like) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < like.length(); i++) {
      char c = like.charAt(i);
      if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else {
        if (c == '\\' && i + 1 < like.length()) {
          i++;
          c = like.charAt(i);
        }
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return regex.toString();
  }
}
