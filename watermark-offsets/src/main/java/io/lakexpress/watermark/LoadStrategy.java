package io.lakexpress.watermark;

import java.util.Locale;
import java.util.Optional;

/** How a published table takes the rows. The Parquet files themselves only ever gain rows. */
public enum LoadStrategy {
  APPEND("append"),
  UPSERT("upsert"),
  DELETE_INSERT("delete-insert");

  private final String text;

  LoadStrategy(String text) {
    this.text = text;
  }

  /** The word as written in a spec. */
  public String text() {
    return text;
  }

  /** Reads a word; {@code delete_insert} is an alias. Empty for an unknown one. */
  public static Optional<LoadStrategy> parse(String word) {
    String text = word.toLowerCase(Locale.ROOT).replace('_', '-');
    for (LoadStrategy strategy : values()) {
      if (strategy.text.equals(text)) {
        return Optional.of(strategy);
      }
    }
    return Optional.empty();
  }
}
