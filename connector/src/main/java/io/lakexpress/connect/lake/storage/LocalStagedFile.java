package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.StagingHandle;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A hidden file being written. Owned by one thread. */
final class LocalStagedFile implements StagedFile {
  private static final Logger LOG = LoggerFactory.getLogger(LocalStagedFile.class);
  private static final int BUFFER_BYTES = 8 << 10;

  private final Path place;
  private final StagingHandle handle;
  private final FileOutputStream stream;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int buffered;
  private long position;
  private boolean ended;

  private LocalStagedFile(Path place, StagingHandle handle, FileOutputStream stream) {
    this.place = place;
    this.handle = handle;
    this.stream = stream;
  }

  /**
   * Begins an empty file. What an earlier try left under the name is unlinked, never overwritten:
   * after a crash in the middle of publishing its bytes may be those of a published file.
   */
  static LocalStagedFile create(Path place, StagingHandle handle) throws IOException {
    Files.deleteIfExists(place);
    Files.createFile(place);
    return new LocalStagedFile(place, handle, new FileOutputStream(place.toFile()));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    requireOpen();
    try {
      if (length > buffer.length - buffered) {
        flush();
      }
      if (length >= buffer.length) {
        stream.write(bytes, offset, length);
      } else {
        System.arraycopy(bytes, offset, buffer, buffered, length);
        buffered += length;
      }
      position += length;
    } catch (IOException failure) {
      throw FileFailure.of("Cannot write " + place, failure);
    }
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long bufferedBytes() {
    return ended ? 0 : buffer.length;
  }

  @Override
  public StagingHandle stage() {
    requireOpen();
    try {
      flush();
      stream.getFD().sync();
      stream.close();
      Folders.sync(place.getParent());
    } catch (IOException failure) {
      throw FileFailure.of("Cannot stage " + place, failure);
    }
    ended = true;
    return handle;
  }

  @Override
  public void discard() {
    if (ended) {
      return;
    }
    ended = true;
    try (stream) {
      Files.deleteIfExists(place);
    } catch (IOException failure) {
      LOG.warn("Cannot discard {}; a later sweep removes it", place, failure);
    }
  }

  private void flush() throws IOException {
    stream.write(buffer, 0, buffered);
    buffered = 0;
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException("Cannot go on with " + place + ": it has been ended");
    }
  }
}
