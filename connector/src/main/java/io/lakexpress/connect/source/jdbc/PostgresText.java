package io.lakexpress.connect.source.jdbc;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/**
 * Reads PostgreSQL's text forms, as a session with ISO dates, zone UTC and hexadecimal bytes writes
 * them.
 */
final class PostgresText {
  private PostgresText() {}

  static LocalDate date(String text) {
    if (text.equals("infinity")) {
      return LocalDate.MAX;
    }
    if (text.equals("-infinity")) {
      return LocalDate.MIN;
    }
    boolean beforeChrist = text.endsWith(" BC");
    String digits = beforeChrist ? text.substring(0, text.length() - 3) : text;
    int dayAt = digits.lastIndexOf('-');
    int monthAt = digits.lastIndexOf('-', dayAt - 1);
    int year = Integer.parseInt(digits.substring(0, monthAt));
    return LocalDate.of(
        beforeChrist ? 1 - year : year,
        Integer.parseInt(digits.substring(monthAt + 1, dayAt)),
        Integer.parseInt(digits.substring(dayAt + 1)));
  }

  static LocalTime time(String text) {
    return text.startsWith("24:") ? LocalTime.MAX : LocalTime.parse(text);
  }

  static LocalDateTime local(String text) {
    if (text.equals("infinity")) {
      return LocalDateTime.MAX;
    }
    if (text.equals("-infinity")) {
      return LocalDateTime.MIN;
    }
    int blank = text.indexOf(' ');
    boolean beforeChrist = text.endsWith(" BC");
    String day = text.substring(0, blank) + (beforeChrist ? " BC" : "");
    String time = text.substring(blank + 1, beforeChrist ? text.length() - 3 : text.length());
    return LocalDateTime.of(date(day), LocalTime.parse(time));
  }

  static OffsetDateTime instant(String text) {
    if (text.equals("infinity")) {
      return OffsetDateTime.MAX;
    }
    if (text.equals("-infinity")) {
      return OffsetDateTime.MIN;
    }
    int zone = text.indexOf("+00");
    return local(text.substring(0, zone) + text.substring(zone + 3)).atOffset(ZoneOffset.UTC);
  }

  static byte[] bytes(String text) {
    return HexFormat.of().parseHex(text, 2, text.length());
  }

  /** Reads an array of one dimension; NULL elements become null. */
  static List<Object> array(String text, char delimiter, Function<String, Object> element) {
    return new ArrayScanner(text, delimiter, element).scan();
  }

  /** One pass over {@code {a,"b c",NULL}}. */
  private static final class ArrayScanner {
    private final String text;
    private final char delimiter;
    private final Function<String, Object> element;
    private int at;

    private ArrayScanner(String text, char delimiter, Function<String, Object> element) {
      this.text = text;
      this.delimiter = delimiter;
      this.element = element;
      // A lower bound other than 1 is written in front: [0:2]={1,2,3}.
      this.at = text.charAt(0) == '[' ? text.indexOf('=') + 2 : 1;
    }

    private List<Object> scan() {
      List<Object> items = new ArrayList<>();
      while (text.charAt(at) != '}') {
        char c = text.charAt(at);
        if (c == delimiter) {
          at++;
        } else if (c == '{') {
          throw new UnreadableValueException(
              "an array of several dimensions in a column declared with one");
        } else if (c == '"') {
          items.add(element.apply(quoted()));
        } else {
          String plain = plain();
          items.add(plain.equals("NULL") ? null : element.apply(plain));
        }
      }
      return items;
    }

    private String quoted() {
      StringBuilder item = new StringBuilder();
      at++;
      while (text.charAt(at) != '"') {
        if (text.charAt(at) == '\\') {
          at++;
        }
        item.append(text.charAt(at));
        at++;
      }
      at++;
      return item.toString();
    }

    private String plain() {
      int from = at;
      while (text.charAt(at) != delimiter && text.charAt(at) != '}') {
        at++;
      }
      return text.substring(from, at);
    }
  }
}
