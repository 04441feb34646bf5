package io.lakexpress.offset;

import java.util.ArrayList;
import java.util.List;

/** JSON arrays of texts and whole numbers, the only JSON inside an offset. */
final class JsonArray {
  private final String text;
  private int position;

  private JsonArray(String text) {
    this.text = text;
  }

  static String write(List<?> items) {
    StringBuilder json = new StringBuilder("[");
    for (Object item : items) {
      if (json.length() > 1) {
        json.append(',');
      }
      if (item instanceof Number number) {
        json.append(number);
      } else {
        writeText(json, (String) item);
      }
    }
    return json.append(']').toString();
  }

  private static void writeText(StringBuilder json, String item) {
    json.append('"');
    for (int i = 0; i < item.length(); i++) {
      char c = item.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }

  static List<Object> parse(String text) {
    return new JsonArray(text).items();
  }

  private List<Object> items() {
    List<Object> items = new ArrayList<>();
    expect('[');
    if (peek() != ']') {
      items.add(item());
      while (peek() == ',') {
        position++;
        items.add(item());
      }
    }
    expect(']');
    if (!text.substring(position).isBlank()) {
      throw invalid();
    }
    return items;
  }

  private Object item() {
    return peek() == '"' ? textItem() : (Object) numberItem();
  }

  private Long numberItem() {
    int start = position;
    while (position < text.length() && "-0123456789".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    try {
      return Long.valueOf(text.substring(start, position));
    } catch (NumberFormatException e) {
      throw invalid();
    }
  }

  private String textItem() {
    position++;
    StringBuilder item = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') {
        return item.toString();
      }
      item.append(c == '\\' ? escaped(next()) : c);
    }
  }

  private char escaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> codeUnit();
      case '"', '\\', '/' -> c;
      default -> throw invalid();
    };
  }

  /** The four hexadecimal digits after a backslash and u. */
  private char codeUnit() {
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      char c = next();
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw invalid();
      }
      unit = unit * 16 + digit;
    }
    return (char) unit;
  }

  /** The next character that is not white space, not consumed. */
  private char peek() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
    if (position >= text.length()) {
      throw invalid();
    }
    return text.charAt(position);
  }

  private char next() {
    if (position >= text.length()) {
      throw invalid();
    }
    return text.charAt(position++);
  }

  private void expect(char c) {
    if (peek() != c) {
      throw invalid();
    }
    position++;
  }

  private IllegalArgumentException invalid() {
    return new IllegalArgumentException(
        "Invalid JSON array " + text + ": expected for example [\"4711\"]");
  }
}
