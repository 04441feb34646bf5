package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.StagingHandle;
import java.util.List;

/**
 * A multipart upload as the ledger keeps it: {@code <mark>} before there is an upload, then {@code
 * <mark> <upload id>} and the tags of its parts in order.
 *
 * @param mark the object's own mark, by which a published object is told from a foreign one
 * @param uploadId empty before there is an upload
 */
record S3Handle(String mark, String uploadId, List<String> tags) {
  S3Handle {
    tags = List.copyOf(tags);
  }

  static S3Handle begun(String mark) {
    return new S3Handle(mark, "", List.of());
  }

  static S3Handle parse(StagingHandle handle) {
    String[] words = handle.text().split(" ", -1);
    if (List.of(words).contains("")) {
      throw new IllegalArgumentException(
          "Invalid staging handle '" + handle.text() + "': expected a mark and an upload id");
    }
    return words.length == 1
        ? begun(words[0])
        : new S3Handle(words[0], words[1], List.of(words).subList(2, words.length));
  }

  StagingHandle toHandle() {
    StringBuilder text = new StringBuilder(mark);
    if (!uploadId.isEmpty()) {
      text.append(' ').append(uploadId);
    }
    tags.forEach(tag -> text.append(' ').append(tag));
    return new StagingHandle(text.toString());
  }

  S3Handle staged(List<String> partTags) {
    return new S3Handle(mark, uploadId, partTags);
  }
}
