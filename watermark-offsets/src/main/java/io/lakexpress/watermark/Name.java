package io.lakexpress.watermark;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A name as a user wrote it. Quoted names match exactly; unquoted ones match exactly first, then
 * ignoring case if that finds a single candidate.
 */
public record Name(String text, boolean quoted) {
  public Name {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("Invalid name '': expected at least one character");
    }
  }

  /** The candidate this name means, if it means exactly one. */
  public Optional<String> resolve(Collection<String> candidates) {
    if (candidates.contains(text)) {
      return Optional.of(text);
    }
    if (quoted) {
      return Optional.empty();
    }
    List<String> alike = candidates.stream().filter(text::equalsIgnoreCase).distinct().toList();
    return alike.size() == 1 ? Optional.of(alike.get(0)) : Optional.empty();
  }

  @Override
  public String toString() {
    return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
