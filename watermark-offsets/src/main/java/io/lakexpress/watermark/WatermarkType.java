package io.lakexpress.watermark;

import java.util.Locale;
import java.util.Optional;

/** The type word of a table spec. */
public enum WatermarkType {
  DATE,
  DATETIME,
  TIMESTAMP,
  INTEGER,
  ROWVERSION;

  /** The word as written in a spec and kept in the LakeXpress DB. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads a word; {@code int} is an alias of {@code integer}. Empty for an unknown one. */
  public static Optional<WatermarkType> parse(String word) {
    String text = word.toUpperCase(Locale.ROOT);
    if (text.equals("INT")) {
      return Optional.of(INTEGER);
    }
    for (WatermarkType type : values()) {
      if (type.name().equals(text)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** Whether a column of this kind can be tracked under this word. */
  public boolean accepts(ColumnKind kind) {
    return switch (this) {
      case DATE -> kind == ColumnKind.DATE;
      case DATETIME, TIMESTAMP -> kind == ColumnKind.LOCAL_TIME || kind == ColumnKind.INSTANT;
      case INTEGER -> kind == ColumnKind.INTEGER;
      case ROWVERSION -> kind == ColumnKind.ROWVERSION;
    };
  }
}
