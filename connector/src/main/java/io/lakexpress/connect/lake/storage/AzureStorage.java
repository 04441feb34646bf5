package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.storage.blob.models.BlobProperties;
import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.StorageException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lake in a container of an Azure storage account, through the Blob service, which accounts with
 * a hierarchical namespace (Data Lake Gen2) have as well.
 *
 * <p>A staged object is a blob with a hidden name, {@code .<file>.<epoch>-<id>.staged}, whose
 * blocks are committed when it is whole; publishing has the account copy it to its own name, on the
 * condition that nothing is there, and deletes the hidden one. Blocks that wait uncommitted under
 * the file's own name would be cheaper to publish, but Azure drops them after a week, while their
 * rows may be gone from Kafka, and has no request that discards them: they go only by a commit that
 * shows readers an empty file.
 *
 * <p>A blob carries the mark of its staging as metadata, so that a publisher who comes late tells
 * its own from a foreign one. Retired blobs have a hidden name, {@code .<file>.retired}.
 *
 * <p>Thread-safe. Blocks are uploaded by two threads of its own while the file is being written.
 */
final class AzureStorage implements LakeStorage {
  /** How much is sent and copied by one request. */
  record Sizes(int blockBytes, long copyBytes) {
    /** Azure copies at most 256 MiB at once. */
    static Sizes usual() {
      return new Sizes(8 << 20, 256L << 20);
    }
  }

  private static final String STAGED = ".staged";
  private static final String RETIRED = ".retired";
  private static final int UPLOADERS = 2;

  private final AzurePlace place;
  private final AzureAccess.Login login;
  private final AzureConnection.Patience patience;
  private final Sizes sizes;
  private final ExecutorService uploaders;
  private AzureConnection connection;

  AzureStorage(AzurePlace place, AzureAccess.Login login) {
    this(place, login, AzureConnection.Patience.usual(), Sizes.usual());
  }

  AzureStorage(
      AzurePlace place, AzureAccess.Login login, AzureConnection.Patience patience, Sizes sizes) {
    this.place = place;
    this.login = login;
    this.patience = patience;
    this.sizes = sizes;
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            UPLOADERS,
            UPLOADERS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread =
                  new Thread(task, "lakexpress-azure-upload-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    this.uploaders = threads;
  }

  @Override
  public StagingHandle begin(LakePath path, long writerEpoch) {
    // A name of its own for every staged blob, so two writers never share a block.
    return AzureHandle.begun(writerEpoch + "-" + UUID.randomUUID()).toHandle();
  }

  @Override
  public StagedFile open(LakePath path, StagingHandle handle) {
    return new PartedFile(parts(path, handle), uploaders, sizes.blockBytes());
  }

  @Override
  public PublishOutcome publish(LakePath path, StagingHandle handle) {
    AzureHandle staged = AzureHandle.parse(handle);
    AzureBlob published = blob(key(path));
    AzureBlob hidden = hidden(path, staged);
    if (staged.length().isEmpty()) {
      return found(published, staged);
    }
    try {
      published.copyOf(
          hidden,
          staged.length().getAsLong(),
          sizes.copyBytes(),
          Map.of(AzureBlob.MARK, staged.mark()));
    } catch (RuntimeException failure) {
      if (!AzureFailure.isMissing(failure) && !AzureFailure.isTaken(failure)) {
        throw connection().failure("Cannot publish " + published.text(), failure);
      }
      // Somebody else published it, or something else has the name, or the staged blob is gone.
      Optional<BlobProperties> there = published.look("publish");
      if (there.isEmpty() && AzureFailure.isTaken(failure)) {
        throw connection().failure("Cannot publish " + published.text(), failure);
      }
      PublishOutcome outcome = outcome(published, staged, there);
      if (outcome == PublishOutcome.LOST) {
        return outcome;
      }
    }
    hidden.delete("tidy up after publishing");
    return PublishOutcome.PUBLISHED;
  }

  /** What became of a blob whose staged form is gone. */
  private static PublishOutcome found(AzureBlob published, AzureHandle staged) {
    return outcome(published, staged, published.look("look for"));
  }

  private static PublishOutcome outcome(
      AzureBlob published, AzureHandle staged, Optional<BlobProperties> there) {
    if (there.isEmpty()) {
      return PublishOutcome.LOST;
    }
    if (!staged.mark().equals(there.get().getMetadata().get(AzureBlob.MARK))) {
      throw StorageException.lasting(
          "Cannot publish " + published.text() + ": another blob has this name", null);
    }
    return PublishOutcome.PUBLISHED;
  }

  @Override
  public void discard(LakePath path, StagingHandle handle) {
    parts(path, handle).discard();
  }

  @Override
  public void retire(LakePath path) {
    AzureBlob visible = blob(key(path));
    Optional<BlobProperties> there = visible.look("retire");
    if (there.isEmpty()) {
      return;
    }
    AzureBlob retired = blob(beside(path, RETIRED));
    try {
      retired.copyOf(
          visible, there.get().getBlobSize(), sizes.copyBytes(), there.get().getMetadata());
    } catch (RuntimeException failure) {
      // Names are never used again: what is there is an earlier try's, and whole.
      if (!AzureFailure.isTaken(failure) && !AzureFailure.isMissing(failure)) {
        throw connection().failure("Cannot retire " + visible.text(), failure);
      }
    }
    visible.delete("retire");
  }

  @Override
  public void delete(LakePath path) {
    blob(key(path)).delete("delete");
    blob(beside(path, RETIRED)).delete("delete");
  }

  @Override
  public boolean exists(LakePath path) {
    return blob(key(path)).look("look for").isPresent();
  }

  @Override
  public void verifyWritable() {
    LakePath probe = new LakePath("lakexpress-probe-" + UUID.randomUUID());
    byte[] content = "LakeXpress Connect looks whether it can write here\n".getBytes(UTF_8);
    StagedFile file = open(probe, begin(probe, 0));
    StagingHandle staged;
    try {
      file.write(content, 0, content.length);
      staged = file.stage();
    } catch (StorageException failure) {
      file.discard();
      throw failure;
    }
    publish(probe, staged);
    delete(probe);
  }

  @Override
  public String location() {
    return place.text();
  }

  @Override
  public void close() {
    uploaders.shutdown();
  }

  private AzureParts parts(LakePath path, StagingHandle handle) {
    AzureHandle staged = AzureHandle.parse(handle);
    return new AzureParts(hidden(path, staged), staged);
  }

  private AzureBlob hidden(LakePath path, AzureHandle staged) {
    return blob(beside(path, "." + staged.mark() + STAGED));
  }

  private AzureBlob blob(String key) {
    return new AzureBlob(
        connection(), key, "abfss://" + place.container() + "@" + place.host() + "/" + key);
  }

  /** Made by the first request, so that a wrong secret stops no start. */
  private synchronized AzureConnection connection() {
    if (connection == null) {
      try {
        connection = AzureConnection.to(place, login, patience);
      } catch (IllegalArgumentException invalid) {
        throw AzureFailure.unusable("Cannot reach " + location(), invalid, login);
      }
    }
    return connection;
  }

  private String key(LakePath path) {
    return place.prefix().isEmpty() ? path.value() : place.prefix() + "/" + path.value();
  }

  private String beside(LakePath path, String ending) {
    String key = key(path);
    int slash = key.lastIndexOf('/');
    return key.substring(0, slash + 1) + "." + path.fileName() + ending;
  }
}
