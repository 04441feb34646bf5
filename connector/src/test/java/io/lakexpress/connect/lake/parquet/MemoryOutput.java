package io.lakexpress.connect.lake.parquet;

import io.lakexpress.connect.lake.file.FileOutput;
import io.lakexpress.connect.lake.file.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps a file's bytes on the heap; fails on demand. */
final class MemoryOutput implements FileOutput {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long failAt = Long.MAX_VALUE;

  /** Lets every write fail that would reach this position. */
  void failAt(long position) {
    failAt = position;
  }

  @Override
  public void write(byte[] data, int offset, int length) {
    if (bytes.size() + length > failAt) {
      throw StorageException.passing("Cannot write: the store is down", null);
    }
    bytes.write(data, offset, length);
  }

  @Override
  public long position() {
    return bytes.size();
  }

  Path saveIn(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "rows-", ".parquet");
    Files.write(file, bytes.toByteArray());
    return file;
  }
}
