package io.lakexpress.watermark;

import java.util.Objects;
import java.util.Optional;

/**
 * The rows of one job of an incremental table: {@code (lower, upper]}, or {@code [lower, upper)}
 * with {@link Direction#EXCLUSIVE}. Without a lower bound every row up to the upper one belongs to
 * it. A window never runs backwards: an upper bound below the lower one is lifted to it, which
 * makes the window empty.
 *
 * @param from the lower bound, or null for an open one
 */
public record Window(WatermarkValue from, WatermarkValue upper, Direction direction) {
  public Window {
    Objects.requireNonNull(upper, "upper");
    Objects.requireNonNull(direction, "direction");
    if (from != null && from.kind() != upper.kind()) {
      throw new IllegalArgumentException(
          "Invalid window from "
              + from.text()
              + " to "
              + upper.text()
              + ": expected bounds of one kind, not "
              + from.kind()
              + " and "
              + upper.kind());
    }
    if (from != null && upper.compareTo(from) < 0) {
      upper = from;
    }
  }

  /** A window without lower bound. */
  public static Window first(WatermarkValue upper, Direction direction) {
    return new Window(null, upper, direction);
  }

  public Optional<WatermarkValue> lower() {
    return Optional.ofNullable(from);
  }

  /** Whether no row can belong to it, so that nothing need be read. */
  public boolean isEmpty() {
    return from != null && from.compareTo(upper) == 0;
  }

  /** Whether a row with this watermark belongs to the window. */
  public boolean contains(WatermarkValue value) {
    return switch (direction) {
      case INCLUSIVE -> (from == null || value.compareTo(from) > 0) && value.compareTo(upper) <= 0;
      case EXCLUSIVE -> (from == null || value.compareTo(from) >= 0) && value.compareTo(upper) < 0;
    };
  }

  @Override
  public String toString() {
    String lower = from == null ? "-∞" : from.text();
    return direction == Direction.INCLUSIVE
        ? "(" + lower + ", " + upper.text() + "]"
        : "[" + lower + ", " + upper.text() + ")";
  }
}
