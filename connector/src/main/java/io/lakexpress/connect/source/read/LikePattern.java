package io.lakexpress.connect.source.read;

import java.util.Collection;
import java.util.regex.Pattern;

/**
 * A pattern as SQL's LIKE reads it: {@code %} for any text, {@code _} for one character, a
 * backslash before either to mean itself.
 */
public record LikePattern(String text) {
  /** The pattern that matches a name alone. */
  public static LikePattern exactly(String name) {
    return new LikePattern(name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_"));
  }

  /**
   * Whether it takes a name among others: a pattern that spells one of them means that one alone.
   */
  public boolean takes(String name, Collection<String> names) {
    return names.contains(text) ? name.equals(text) : matches(name);
  }

  /** Whether the name has this form, whatever other names there are. */
  public boolean matches(String name) {
    return Pattern.compile(regex(), Pattern.DOTALL).matcher(name).matches();
  }

  private String regex() {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else {
        if (c == '\\' && i + 1 < text.length()) {
          i++;
          c = text.charAt(i);
        }
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return regex.toString();
  }

  /** Whether it is a name rather than a pattern; {@code _} is common in names. */
  public boolean isPlainName() {
    return text.indexOf('%') < 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
