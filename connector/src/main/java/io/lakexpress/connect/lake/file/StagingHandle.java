package io.lakexpress.connect.lake.file;

import java.util.Objects;

/**
 * What a store needs to find a staged, still invisible object again: an upload id with its parts,
 * block ids, or a hidden file name. Its text is the store's own and is kept in the ledger as it is.
 */
public record StagingHandle(String text) {
  public StagingHandle {
    Objects.requireNonNull(text, "text");
  }
}
