package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.StorageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/**
 * A lake in a bucket of S3, or of a store that speaks its protocol. A staged object is a multipart
 * upload whose parts are all there; publishing completes it, on the condition that nothing has the
 * name. An object carries the mark of its upload as metadata, so that a publisher who comes late
 * tells its own object from a foreign one. Retired objects are kept under a hidden name, {@code
 * .<file>.retired}.
 *
 * <p>Thread-safe. Parts are uploaded by two threads of its own while the file is being written.
 */
final class S3Storage implements LakeStorage {
  /** The smallest part that S3 takes is 5 MiB; the last one may be smaller. */
  static final int PART_BYTES = 8 << 20;

  private static final String MARK = "lakexpress-upload";
  private static final String RETIRED = ".retired";
  private static final int UPLOADERS = 2;
  private static final int PUBLISH_TRIES = 5;
  private static final long PUBLISH_PAUSE_MILLIS = 200;

  /** Larger objects cannot be copied by one request. */
  private static final long LARGEST_COPY = 5L << 30;

  private static final long COPY_PART = 1L << 30;

  private final String bucket;
  private final String prefix;
  private final S3Access access;
  private final int partBytes;
  private final S3Clients.Patience patience;
  private final ExecutorService uploaders;

  /** Upload ids by mark, of the latest files that this process has opened. */
  private final Map<String, String> opened = Collections.synchronizedMap(new Latest());

  private S3Client client;

  S3Storage(String bucket, String prefix, S3Access access) {
    this(bucket, prefix, access, PART_BYTES, S3Clients.Patience.USUAL);
  }

  S3Storage(
      String bucket, String prefix, S3Access access, int partBytes, S3Clients.Patience patience) {
    this.patience = patience;
    this.bucket = bucket;
    this.prefix = prefix;
    this.access = access;
    this.partBytes = partBytes;
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            UPLOADERS,
            UPLOADERS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "lakexpress-s3-upload-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    this.uploaders = threads;
  }

  @Override
  public StagingHandle begin(LakePath path, long writerEpoch) {
    // The store is asked once the ledger knows the name: what it began is then found by a sweep.
    return S3Handle.begun(writerEpoch + "-" + UUID.randomUUID()).toHandle();
  }

  @Override
  public StagedFile open(LakePath path, StagingHandle handle) {
    String mark = S3Handle.parse(handle).mark();
    String id =
        ask(
            "Cannot begin " + text(path),
            s3 ->
                s3.createMultipartUpload(
                        request -> {
                          request
                              .bucket(bucket)
                              .key(key(path))
                              .contentType("application/vnd.apache.parquet")
                              .metadata(Map.of(MARK, mark));
                          encryption().ifPresent(request::serverSideEncryption);
                          request.ssekmsKeyId(access.encryption().kmsKeyId());
                        })
                    .uploadId());
    opened.put(mark, id);
    return new PartedFile(parts(path, new S3Handle(mark, id, List.of())), uploaders, partBytes);
  }

  private S3Parts parts(LakePath path, S3Handle handle) {
    return new S3Parts(client(), bucket, key(path), text(path), handle);
  }

  @Override
  public PublishOutcome publish(LakePath path, StagingHandle handle) {
    S3Handle staged = S3Handle.parse(handle);
    if (staged.tags().isEmpty()) {
      return found(path, staged);
    }
    String deed = "Cannot publish " + text(path);
    for (int number = 1; ; number++) {
      try {
        complete(path, staged);
        return PublishOutcome.PUBLISHED;
      } catch (SdkException failure) {
        if (S3Failure.isMissing(failure)) {
          // Completed by somebody else, aborted, or dropped by a rule of the bucket.
          return found(path, staged);
        }
        if (isPublished(path, staged)) {
          return PublishOutcome.PUBLISHED;
        }
        if (!S3Failure.isConfused(failure) || number == PUBLISH_TRIES) {
          throw S3Failure.of(deed, failure);
        }
        pause(deed);
      }
    }
  }

  /** Two publishers at once may confuse a store: the later one sees half of what the other does. */
  private static void pause(String deed) {
    try {
      Thread.sleep(PUBLISH_PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StorageException.passing(deed + ": interrupted", e);
    }
  }

  private boolean isPublished(LakePath path, S3Handle staged) {
    Optional<HeadObjectResponse> there = head(path, "Cannot look for " + text(path));
    there.ifPresent(object -> requireOwn(path, staged, object));
    return there.isPresent();
  }

  private void complete(LakePath path, S3Handle staged) {
    if (access.compatibility() == S3Access.Compatibility.PLAIN) {
      // A store that passes over the condition below would replace what is there.
      if (isPublished(path, staged)) {
        return;
      }
    }
    List<CompletedPart> parts = new ArrayList<>();
    for (String tag : staged.tags()) {
      int number = parts.size() + 1;
      parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
    }
    CompleteMultipartUploadRequest request =
        CompleteMultipartUploadRequest.builder()
            .bucket(bucket)
            .key(key(path))
            .uploadId(staged.uploadId())
            .ifNoneMatch("*")
            .multipartUpload(upload -> upload.parts(parts))
            .build();
    try {
      client().completeMultipartUpload(request);
    } catch (SdkException failure) {
      boolean isPlain = access.compatibility() == S3Access.Compatibility.PLAIN;
      if (!isPlain || !S3Failure.isNotImplemented(failure)) {
        throw failure;
      }
      // Looked for above; names are never used twice, so that is enough.
      client().completeMultipartUpload(request.toBuilder().ifNoneMatch(null).build());
    }
  }

  /** What became of an upload that the store does not know any more. */
  private PublishOutcome found(LakePath path, S3Handle staged) {
    return isPublished(path, staged) ? PublishOutcome.PUBLISHED : PublishOutcome.LOST;
  }

  private void requireOwn(LakePath path, S3Handle staged, HeadObjectResponse there) {
    if (!staged.mark().equals(there.metadata().get(MARK))) {
      throw StorageException.lasting(
          "Cannot publish " + text(path) + ": another object has this name", null);
    }
  }

  @Override
  public void discard(LakePath path, StagingHandle handle) {
    S3Handle begun = S3Handle.parse(handle);
    if (!begun.uploadId().isEmpty()) {
      parts(path, begun).discard();
      return;
    }
    String known = opened.get(begun.mark());
    List<String> uploads = known == null ? uploadsOf(path) : List.of(known);
    uploads.forEach(id -> parts(path, new S3Handle(begun.mark(), id, List.of())).discard());
  }

  /**
   * What writers that died have begun under this name; one that lives and was replaced knows its
   * own upload, and so never touches another's.
   */
  private List<String> uploadsOf(LakePath path) {
    String key = key(path);
    return ask(
        "Cannot sweep " + text(path),
        s3 ->
            s3
                .listMultipartUploadsPaginator(request -> request.bucket(bucket).prefix(key))
                .uploads()
                .stream()
                .filter(upload -> upload.key().equals(key))
                .map(MultipartUpload::uploadId)
                .toList());
  }

  @Override
  public void retire(LakePath path) {
    String deed = "Cannot retire " + text(path);
    Optional<HeadObjectResponse> there = head(path, deed);
    if (there.isEmpty()) {
      return;
    }
    if (there.get().contentLength() > LARGEST_COPY) {
      copyInParts(path, there.get(), deed);
    } else {
      ask(
          deed,
          s3 ->
              s3.copyObject(
                  request -> {
                    request
                        .sourceBucket(bucket)
                        .sourceKey(key(path))
                        .destinationBucket(bucket)
                        .destinationKey(retiredKey(path));
                    encryption().ifPresent(request::serverSideEncryption);
                    request.ssekmsKeyId(access.encryption().kmsKeyId());
                  }));
    }
    remove(key(path), deed);
  }

  private void copyInParts(LakePath path, HeadObjectResponse there, String deed) {
    String target = retiredKey(path);
    String id =
        ask(
            deed,
            s3 ->
                s3.createMultipartUpload(
                        request -> {
                          request.bucket(bucket).key(target).metadata(there.metadata());
                          encryption().ifPresent(request::serverSideEncryption);
                          request.ssekmsKeyId(access.encryption().kmsKeyId());
                        })
                    .uploadId());
    List<CompletedPart> parts = new ArrayList<>();
    for (long from = 0; from < there.contentLength(); from += COPY_PART) {
      long first = from;
      long last = Math.min(from + COPY_PART, there.contentLength()) - 1;
      int number = parts.size() + 1;
      String tag =
          ask(
              deed,
              s3 ->
                  s3.uploadPartCopy(
                          request ->
                              request
                                  .sourceBucket(bucket)
                                  .sourceKey(key(path))
                                  .copySourceRange("bytes=" + first + "-" + last)
                                  .destinationBucket(bucket)
                                  .destinationKey(target)
                                  .uploadId(id)
                                  .partNumber(number))
                      .copyPartResult()
                      .eTag());
      parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
    }
    ask(
        deed,
        s3 ->
            s3.completeMultipartUpload(
                request ->
                    request
                        .bucket(bucket)
                        .key(target)
                        .uploadId(id)
                        .multipartUpload(upload -> upload.parts(parts))));
  }

  @Override
  public void delete(LakePath path) {
    String deed = "Cannot delete " + text(path);
    remove(key(path), deed);
    remove(retiredKey(path), deed);
  }

  @Override
  public boolean exists(LakePath path) {
    return head(path, "Cannot look for " + text(path)).isPresent();
  }

  @Override
  public void verifyWritable() {
    LakePath probe = new LakePath("lakexpress-probe-" + UUID.randomUUID());
    byte[] content = "LakeXpress Connect looks whether it can write here\n".getBytes(UTF_8);
    StagedFile file = open(probe, begin(probe, 0));
    try {
      file.write(content, 0, content.length);
      publish(probe, file.stage());
    } catch (StorageException failure) {
      file.discard();
      throw failure;
    }
    delete(probe);
  }

  @Override
  public String location() {
    return prefix.isEmpty() ? "s3://" + bucket : "s3://" + bucket + "/" + prefix;
  }

  @Override
  public synchronized void close() {
    uploaders.shutdown();
    if (client != null) {
      client.close();
    }
  }

  private Optional<HeadObjectResponse> head(LakePath path, String deed) {
    try {
      return Optional.of(client().headObject(request -> request.bucket(bucket).key(key(path))));
    } catch (SdkException failure) {
      if (S3Failure.isMissing(failure)) {
        return Optional.empty();
      }
      throw S3Failure.of(deed, failure);
    }
  }

  private void remove(String key, String deed) {
    ask(deed, s3 -> s3.deleteObject(request -> request.bucket(bucket).key(key)));
  }

  private Optional<ServerSideEncryption> encryption() {
    return switch (access.encryption().kind()) {
      case BUCKET_DEFAULT -> Optional.empty();
      case AES256 -> Optional.of(ServerSideEncryption.AES256);
      case AWS_KMS -> Optional.of(ServerSideEncryption.AWS_KMS);
    };
  }

  private static final class Latest extends LinkedHashMap<String, String> {
    private static final long serialVersionUID = 1L;
    private static final int MOST = 10_000;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
      return size() > MOST;
    }
  }

  /** A request to the store. */
  private interface Request<T> {
    T send(S3Client client);
  }

  private <T> T ask(String deed, Request<T> request) {
    try {
      return request.send(client());
    } catch (SdkException failure) {
      throw S3Failure.of(deed, failure);
    }
  }

  /** Made by the first request, since finding credentials and region may reach for services. */
  private synchronized S3Client client() {
    if (client == null) {
      try {
        client = S3Clients.of(access, patience);
      } catch (SdkException failure) {
        throw S3Failure.of("Cannot reach " + location(), failure);
      }
    }
    return client;
  }

  private String key(LakePath path) {
    return prefix.isEmpty() ? path.value() : prefix + "/" + path.value();
  }

  private String retiredKey(LakePath path) {
    String key = key(path);
    int slash = key.lastIndexOf('/');
    return key.substring(0, slash + 1) + "." + path.fileName() + RETIRED;
  }

  private String text(LakePath path) {
    return "s3://" + bucket + "/" + key(path);
  }
}
