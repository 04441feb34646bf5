package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.StagingHandle;
import java.util.OptionalLong;

/**
 * A staged blob as the ledger keeps it: {@code <mark>} and, once it is whole, its length. The mark
 * is part of its hidden name.
 *
 * @param mark the blob's own, beginning with the writer's epoch, by which a published blob is told
 *     from a foreign one
 * @param length empty while blocks may still come
 */
record AzureHandle(String mark, OptionalLong length) {
  static AzureHandle begun(String mark) {
    return new AzureHandle(mark, OptionalLong.empty());
  }

  static AzureHandle parse(StagingHandle handle) {
    String[] words = handle.text().split(" ", -1);
    boolean isStaged = words.length == 2 && words[1].matches("[0-9]{1,18}");
    if (!words[0].matches("[0-9]+-[0-9a-f-]{36}") || (words.length > 1 && !isStaged)) {
      throw new IllegalArgumentException(
          "Invalid staging handle '" + handle.text() + "': expected a mark and a length");
    }
    return isStaged
        ? new AzureHandle(words[0], OptionalLong.of(Long.parseLong(words[1])))
        : begun(words[0]);
  }

  AzureHandle staged(long bytes) {
    return new AzureHandle(mark, OptionalLong.of(bytes));
  }

  StagingHandle toHandle() {
    return new StagingHandle(length.isPresent() ? mark + " " + length.getAsLong() : mark);
  }
}
