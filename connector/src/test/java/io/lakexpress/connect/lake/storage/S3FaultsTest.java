package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.LakeStorage.PublishOutcome;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.StorageException;
import io.lakexpress.connect.lake.storage.S3Access.Addressing;
import io.lakexpress.connect.lake.storage.S3Access.Compatibility;
import io.lakexpress.connect.lake.storage.S3Access.Encryption;
import io.lakexpress.connect.lake.storage.ScriptedStore.Answer;
import io.lakexpress.connect.lake.storage.ScriptedStore.Request;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an S3 store may say, word for word, and what becomes of it. */
@Timeout(120)
final class S3FaultsTest {
  private static final LakePath PATH = new LakePath("sales/orders/part-1.parquet");
  private static final int PART_BYTES = 5 << 20;

  private static S3Access access(ScriptedStore store, Encryption encryption) {
    return new S3Access(
        "eu-central-1",
        store.endpoint(),
        Addressing.PATH,
        null,
        "id",
        new Secret("hush"),
        null,
        encryption,
        Compatibility.AWS);
  }

  private static S3Storage storage(ScriptedStore store) {
    return storage(store, Encryption.bucketDefault(), S3Clients.Patience.USUAL);
  }

  private static S3Storage storage(
      ScriptedStore store, Encryption encryption, S3Clients.Patience patience) {
    return new S3Storage("lake", "raw", access(store, encryption), PART_BYTES, patience);
  }

  private static StagingHandle stage(S3Storage storage) {
    StagedFile file = storage.open(PATH, storage.begin(PATH, 1));
    byte[] content = "rows".getBytes(UTF_8);
    file.write(content, 0, content.length);
    return file.stage();
  }

  private static StorageException probe(Function<Request, Answer> script) {
    try (ScriptedStore store = new ScriptedStore(script);
        S3Storage storage = storage(store)) {
      return catchThrowableOfType(StorageException.class, storage::verifyWritable);
    }
  }

  @Test
  void wrongRegionIsNamedWithTheRightOne() {
    StorageException redirected =
        probe(
            request ->
                new Answer(
                    301,
                    Map.of("x-amz-bucket-region", "us-west-2"),
                    ScriptedStore.errorBody("PermanentRedirect", "Use another endpoint.")));
    StorageException malformed =
        probe(
            request ->
                new Answer(
                    400,
                    Map.of("x-amz-bucket-region", "us-west-2"),
                    ScriptedStore.errorBody("AuthorizationHeaderMalformed", "Wrong region.")));

    for (StorageException failure : new StorageException[] {redirected, malformed}) {
      assertThat(failure.isRetriable()).isFalse();
      assertThat(failure)
          .hasMessageStartingWith("Cannot begin s3://lake/raw/lakexpress-probe-")
          .hasMessageContaining("set s3.region to the bucket's region, which is us-west-2")
          .hasMessageNotContaining("hush");
    }
  }

  @Test
  void bucketPolicyThatRefusesSaysWhatToGive() {
    StorageException failure = probe(request -> Answer.error(403, "AccessDenied", "Access Denied"));

    assertThat(failure.isRetriable()).isFalse();
    assertThat(failure)
        .hasMessageContaining("AccessDenied Access Denied")
        .hasMessageContaining("s3:ListBucketMultipartUploads")
        .hasMessageContaining("s3.sse");
  }

  @Test
  void fullStorePassesOnceThereIsRoom() {
    StorageException failure =
        probe(request -> Answer.error(507, "XMinioStorageFull", "Storage reached its limit"));

    assertThat(failure.isRetriable()).isTrue();
    assertThat(failure).hasMessageContaining("free space or raise the quota");
  }

  /** K41. */
  @Test
  void encryptionHeadersAreTheOnesOfTheirKind() {
    assertThat(encryptionHeaders(Encryption.bucketDefault())).isEmpty();
    assertThat(encryptionHeaders(new Encryption(Encryption.Kind.AES256, null)))
        .isEqualTo(Map.of("x-amz-server-side-encryption", "AES256"));
    assertThat(encryptionHeaders(new Encryption(Encryption.Kind.AWS_KMS, null)))
        .isEqualTo(Map.of("x-amz-server-side-encryption", "aws:kms"));
    assertThat(encryptionHeaders(new Encryption(Encryption.Kind.AWS_KMS, "key-7")))
        .isEqualTo(
            Map.of(
                "x-amz-server-side-encryption",
                "aws:kms",
                "x-amz-server-side-encryption-aws-kms-key-id",
                "key-7"));
  }

  private static Map<String, String> encryptionHeaders(Encryption encryption) {
    try (ScriptedStore store = new ScriptedStore(ScriptedStore::healthy);
        S3Storage storage = storage(store, encryption, S3Clients.Patience.USUAL)) {
      storage.publish(PATH, stage(storage));
      Map<String, String> headers = new java.util.TreeMap<>();
      for (Request request : store.requests()) {
        request
            .headers()
            .forEach(
                (name, value) -> {
                  if (name.startsWith("x-amz-server-side-encryption")) {
                    assertThat(request.is("POST", "uploads")).as(request.toString()).isTrue();
                    headers.put(name, value);
                  }
                });
      }
      return headers;
    }
  }

  /** K14. */
  @Test
  void throttlingIsWaitedOut() {
    AtomicInteger refusals = new AtomicInteger(3);
    Function<Request, Answer> script =
        request ->
            request.method().equals("PUT") && refusals.getAndDecrement() > 0
                ? Answer.error(503, "SlowDown", "Please reduce your request rate.")
                : ScriptedStore.healthy(request);
    try (ScriptedStore store = new ScriptedStore(script);
        S3Storage storage = storage(store)) {
      assertThat(storage.publish(PATH, stage(storage))).isEqualTo(PublishOutcome.PUBLISHED);
      assertThat(store.requests()).filteredOn(request -> request.method().equals("PUT")).hasSize(4);
    }
  }

  /** K14: it stays the caller's to try again later. */
  @Test
  void throttlingWithoutEndPassesOn() {
    StorageException failure =
        probe(request -> Answer.error(503, "SlowDown", "Please reduce your request rate."));

    assertThat(failure.isRetriable()).isTrue();
    assertThat(failure).hasMessageContaining("SlowDown");
  }

  /** K13. */
  @Test
  void successThatHoldsAnErrorIsNoPublishing() {
    Function<Request, Answer> script =
        request ->
            request.is("POST", "uploadId")
                ? Answer.ok(ScriptedStore.errorBody("InternalError", "We met an error."))
                : ScriptedStore.healthy(request);
    try (ScriptedStore store = new ScriptedStore(script);
        S3Storage storage = storage(store)) {
      StagingHandle staged = stage(storage);

      StorageException failure =
          catchThrowableOfType(StorageException.class, () -> storage.publish(PATH, staged));

      assertThat(failure.isRetriable()).isTrue();
      assertThat(failure)
          .hasMessageContaining("Cannot publish s3://lake/raw/sales/orders/part-1.parquet")
          .hasMessageContaining("InternalError");
    }
  }

  /** K13: the store did it, and only its answer was lost. */
  @Test
  void publishingWhoseAnswerWasLostIsFoundOut() {
    AtomicInteger completions = new AtomicInteger();
    Function<Request, Answer> script =
        request -> {
          if (request.is("POST", "uploadId")) {
            return completions.getAndIncrement() == 0
                ? Answer.error(500, "InternalError", "We met an error.")
                : Answer.error(404, "NoSuchUpload", "The upload does not exist.");
          }
          return ScriptedStore.healthy(request);
        };
    String[] mark = new String[1];
    Function<Request, Answer> withObject =
        request -> {
          if (request.is("POST", "uploads")) {
            mark[0] = request.headers().get("x-amz-meta-lakexpress-upload");
          }
          return request.method().equals("HEAD")
              ? new Answer(200, Map.of("x-amz-meta-lakexpress-upload", mark[0]), "")
              : script.apply(request);
        };
    try (ScriptedStore store = new ScriptedStore(withObject);
        S3Storage storage = storage(store)) {
      assertThat(storage.publish(PATH, stage(storage))).isEqualTo(PublishOutcome.PUBLISHED);
    }
  }

  @Test
  void fileWhosePartFailedCanOnlyBeDiscarded() {
    Function<Request, Answer> script =
        request ->
            request.is("PUT", "partNumber=2")
                ? Answer.error(500, "InternalError", "We met an error.")
                : ScriptedStore.healthy(request);
    try (ScriptedStore store = new ScriptedStore(script);
        S3Storage storage = storage(store)) {
      StagedFile file = storage.open(PATH, storage.begin(PATH, 1));
      byte[] part = new byte[PART_BYTES];
      file.write(part, 0, part.length);
      file.write(part, 0, part.length);

      assertThatThrownBy(file::stage)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("Cannot write part 2 of s3://lake/raw/sales/orders/part-1.parquet");
      assertThatThrownBy(file::stage).isInstanceOf(StorageException.class);
      file.discard();

      assertThat(store.requests()).noneMatch(request -> request.is("POST", "uploadId"));
      assertThat(store.requests()).anyMatch(request -> request.is("DELETE", "uploadId=up-1"));
      assertThat(file.bufferedBytes()).isZero();
    }
  }

  @Test
  void storeThatHangsIsGivenUp() {
    CountDownLatch end = new CountDownLatch(1);
    S3Clients.Patience impatient =
        new S3Clients.Patience(
            Duration.ofMillis(500),
            Duration.ofMillis(300),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3));
    Function<Request, Answer> script =
        request -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return ScriptedStore.healthy(request);
        };
    try (ScriptedStore store = new ScriptedStore(script);
        S3Storage storage = storage(store, Encryption.bucketDefault(), impatient)) {
      StorageException failure =
          catchThrowableOfType(StorageException.class, storage::verifyWritable);

      assertThat(failure.isRetriable()).isTrue();
      assertThat(failure).hasMessageStartingWith("Cannot begin s3://lake/raw/lakexpress-probe-");
    } finally {
      end.countDown();
    }
  }
}
