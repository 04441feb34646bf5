package io.lakexpress.connect.lake.file;

/** Takes the bytes of one file in order. Owned by one thread. */
public interface FileOutput {
  /**
   * Appends bytes.
   *
   * @throws StorageException if the store did not take them; the file can then only be discarded
   */
  void write(byte[] bytes, int offset, int length);

  /** The number of bytes appended so far. */
  long position();
}
