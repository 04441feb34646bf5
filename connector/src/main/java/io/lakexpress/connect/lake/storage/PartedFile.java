package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.StorageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object being staged part by part: one part is uploaded while the next one fills. The buffer
 * grows with what is written, so that many small files need little memory. Owned by one thread.
 */
final class PartedFile implements StagedFile {
  private static final Logger LOG = LoggerFactory.getLogger(PartedFile.class);
  private static final int FIRST_BUFFER = 4 << 10;

  /** S3 takes 10,000 parts; larger ones from here on leave room for 5 TiB. */
  private static final int PARTS_OF_ONE_SIZE = 1_000;

  /** Longer than a request with all its tries, and than the part before it in the queue. */
  private static final long LONGEST_PART_MINUTES = 11;

  private final StagedParts parts;
  private final ExecutorService uploaders;
  private final List<Future<String>> sent = new ArrayList<>();
  private int partBytes;
  private byte[] buffer = new byte[FIRST_BUFFER];
  private int buffered;
  private int inFlight;
  private long position;
  private boolean ended;

  PartedFile(StagedParts parts, ExecutorService uploaders, int partBytes) {
    this.parts = parts;
    this.uploaders = uploaders;
    this.partBytes = partBytes;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    requireOpen();
    int from = offset;
    int left = length;
    while (left > 0) {
      if (buffered == partBytes) {
        send();
      }
      int taken = Math.min(left, partBytes - buffered);
      makeRoom(taken);
      System.arraycopy(bytes, from, buffer, buffered, taken);
      buffered += taken;
      position += taken;
      from += taken;
      left -= taken;
    }
  }

  private void makeRoom(int more) {
    int needed = buffered + more;
    if (needed > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.min(partBytes, Math.max(needed, buffer.length * 2)));
    }
  }

  /** Sends the buffer as the next part, once the one before is with the store. */
  private void send() {
    awaitLast();
    byte[] part = buffer;
    int length = buffered;
    int number = sent.size() + 1;
    sent.add(uploaders.submit(() -> parts.upload(number, part, length)));
    inFlight = part.length;
    if (number % PARTS_OF_ONE_SIZE == 0) {
      partBytes = Math.min(partBytes * 2, 1 << 30);
    }
    buffer = new byte[Math.min(partBytes, Math.max(FIRST_BUFFER, part.length))];
    buffered = 0;
  }

  private void awaitLast() {
    if (!sent.isEmpty()) {
      tag(sent.get(sent.size() - 1));
    }
    inFlight = 0;
  }

  private String tag(Future<String> part) {
    try {
      return part.get(LONGEST_PART_MINUTES, TimeUnit.MINUTES);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof StorageException known) {
        throw known;
      }
      throw new IllegalStateException("Cannot write " + parts.text(), failure.getCause());
    } catch (TimeoutException hangs) {
      throw StorageException.passing(
          "Cannot write " + parts.text() + ": the store does not take the part", hangs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StorageException.passing("Cannot write " + parts.text() + ": interrupted", e);
    }
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long bufferedBytes() {
    if (ended) {
      return 0;
    }
    boolean isSent = sent.isEmpty() || sent.get(sent.size() - 1).isDone();
    return buffer.length + (isSent ? 0L : inFlight);
  }

  @Override
  public StagingHandle stage() {
    requireOpen();
    if (buffered > 0 || sent.isEmpty()) {
      send();
    }
    List<String> tags = new ArrayList<>();
    for (Future<String> part : sent) {
      tags.add(tag(part));
    }
    StagingHandle staged = parts.stage(tags, position);
    end();
    return staged;
  }

  @Override
  public void discard() {
    if (ended) {
      return;
    }
    end();
    try {
      // A part that arrives after the end of its upload would stay behind.
      awaitLast();
    } catch (StorageException | IllegalStateException failure) {
      LOG.debug("The last part of {} did not arrive", parts.text(), failure);
    }
    try {
      parts.discard();
    } catch (StorageException failure) {
      LOG.warn("Cannot discard {}; a later sweep removes it", parts.text(), failure);
    }
  }

  private void end() {
    ended = true;
    buffer = new byte[0];
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException("Cannot go on with " + parts.text() + ": it has been ended");
    }
  }
}
