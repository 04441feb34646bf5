package io.lakexpress.connect.source.jdbc;

import java.math.BigDecimal;
import java.util.List;

/** About how many bytes a value takes once it is converted. */
final class ValueSize {
  private ValueSize() {}

  static long of(Object value) {
    if (value == null) {
      return 4;
    }
    if (value instanceof String text) {
      return utf8(text);
    }
    if (value instanceof byte[] bytes) {
      return bytes.length * 4L / 3 + 4;
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.precision() + 4L;
    }
    if (value instanceof List<?> items) {
      long sum = 2;
      for (Object item : items) {
        sum += 1 + of(item);
      }
      return sum;
    }
    return 12;
  }

  private static long utf8(String text) {
    long bytes = 2;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // A surrogate pair is four bytes: two for each half.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }
}
