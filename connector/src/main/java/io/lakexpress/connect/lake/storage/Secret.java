package io.lakexpress.connect.lake.storage;

import java.util.Objects;

/** A text that is never printed. */
public record Secret(String value) {
  public Secret {
    Objects.requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return "[hidden]";
  }
}
