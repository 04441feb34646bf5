package io.lakexpress.stack;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Rows as lines of text, each with the number of times it is there. */
final class Bag {
  private static final int SHOWN = 20;

  private final Map<String, Long> lines;

  private Bag(Map<String, Long> lines) {
    this.lines = lines;
  }

  static Bag of(Collection<String> lines) {
    return new Bag(
        lines.stream()
            .collect(Collectors.groupingBy(line -> line, TreeMap::new, Collectors.counting())));
  }

  /** What is here more often than there; empty if nothing is. Only the first lines are told. */
  List<String> beyond(Bag other) {
    return lines.entrySet().stream()
        .filter(line -> line.getValue() > other.count(line.getKey()))
        .map(line -> line.getKey() + " x" + line.getValue() + " not x" + other.count(line.getKey()))
        .limit(SHOWN)
        .toList();
  }

  /** Lines that are here more than once. Only the first are told. */
  List<String> doubled() {
    return beyond(new Bag(lines.keySet().stream().collect(Collectors.toMap(k -> k, k -> 1L))));
  }

  Set<String> distinct() {
    return lines.keySet();
  }

  long size() {
    return lines.values().stream().mapToLong(Long::longValue).sum();
  }

  private long count(String line) {
    return lines.getOrDefault(line, 0L);
  }
}
