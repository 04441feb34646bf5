package io.lakexpress.lxdb;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads enum words as the LakeXpress DB spells them. */
final class Words {
  private Words() {}

  static <T> T parse(T[] values, Function<T, String> text, String thing, String word) {
    for (T value : values) {
      if (text.apply(value).equals(word)) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "Invalid "
            + thing
            + " '"
            + word
            + "': expected one of "
            + Arrays.stream(values).map(text).collect(Collectors.joining(", ")));
  }
}
