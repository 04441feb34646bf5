package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.StagingHandle;
import java.util.List;

/** Where the parts of one staged object go. */
interface StagedParts {
  /** Uploads a part and returns its tag; a part of the same number is replaced. */
  String upload(int number, byte[] bytes, int length);

  /**
   * Makes the uploaded parts last.
   *
   * @param tags of all parts in order
   * @param length of all parts together
   */
  StagingHandle stage(List<String> tags, long length);

  /** Frees what was uploaded, if it is not published. */
  void discard();

  /** The object as people read it. */
  String text();
}
