package io.lakexpress.watermark;

import java.util.ArrayList;
import java.util.List;

/** Comma lists whose items may hold commas inside double quotes. Empty items are left out. */
public final class CommaList {
  private CommaList() {}

  /** The items in order, stripped of surrounding blanks. */
  public static List<String> split(String text) {
    List<String> items = new ArrayList<>();
    StringBuilder item = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      }
      if (c == ',' && !quoted) {
        add(items, item);
      } else {
        item.append(c);
      }
    }
    add(items, item);
    return List.copyOf(items);
  }

  private static void add(List<String> items, StringBuilder item) {
    String text = item.toString().strip();
    if (!text.isEmpty()) {
      items.add(text);
    }
    item.setLength(0);
  }
}
