package io.lakexpress.connect.source.read;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Names that a misspelt one may have meant. */
public final class NearestNames {
  private static final int SHOWN = 3;

  private NearestNames() {}

  /** A text to end a message with: the nearest names, or how many there are. */
  public static String hint(String wanted, Collection<String> known) {
    if (known.isEmpty()) {
      return "there are none that may be seen";
    }
    int limit = Math.max(2, wanted.length() / 3);
    List<String> near =
        known.stream()
            .distinct()
            .filter(name -> distance(wanted, name) <= limit)
            .sorted(
                Comparator.comparingInt((String name) -> distance(wanted, name))
                    .thenComparing(Comparator.naturalOrder()))
            .limit(SHOWN)
            .toList();
    if (!near.isEmpty()) {
      return "nearest are " + String.join(", ", near);
    }
    List<String> some = known.stream().distinct().sorted().limit(SHOWN).toList();
    return "there are " + known.size() + ", such as " + String.join(", ", some);
  }

  /** Edits that turn one name into the other, whatever their case. */
  private static int distance(String one, String other) {
    String from = one.toLowerCase(Locale.ROOT);
    String to = other.toLowerCase(Locale.ROOT);
    int[] previous = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] current = new int[to.length() + 1];
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
