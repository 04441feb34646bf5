package io.lakexpress.connect.source.read;

import java.util.Map;

/** The offsets that Connect keeps. Thread-safe. */
@FunctionalInterface
public interface StoredOffsets {
  /** The offset of a partition, or null without one. */
  Map<String, Object> offset(Map<String, Object> partition);
}
