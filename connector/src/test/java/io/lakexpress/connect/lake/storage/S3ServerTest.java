package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.LakeStorage.PublishOutcome;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.StorageException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

/** What an S3 store does beyond the contract of all stores, on a server that speaks S3. */
final class S3ServerTest {
  private static final LakePath PATH = new LakePath("sales/orders/part-1.parquet");
  private static final int PART_BYTES = 5 << 20;

  private final TestingS3 s3 = new TestingS3();

  @AfterEach
  void stop() {
    s3.close();
  }

  private static void write(StagedFile file, int length) {
    byte[] content = new byte[length];
    file.write(content, 0, content.length);
  }

  @Test
  void wrongSecretIsSaidAndNotShown() {
    try (S3Storage storage = new S3Storage(s3.bucket(), "raw", s3.access("wrong-secret"))) {
      StorageException failure =
          catchThrowableOfType(StorageException.class, storage::verifyWritable);

      assertThat(failure.isRetriable()).isFalse();
      assertThat(failure)
          .hasMessageContaining("correct the access key and its secret")
          .hasMessageNotContaining("wrong-secret");
    }
  }

  @Test
  void missingBucketIsSaid() {
    try (S3Storage storage = new S3Storage("no-such-bucket", "raw", s3.access())) {
      StorageException failure =
          catchThrowableOfType(StorageException.class, storage::verifyWritable);

      assertThat(failure.isRetriable()).isFalse();
      assertThat(failure).hasMessageContaining("create the bucket or correct lake.url");
    }
  }

  @Test
  void uploadThatARuleOfTheBucketDroppedIsLost() {
    try (LakeStorage storage = s3.storage("raw", PART_BYTES);
        S3Client client = s3.client()) {
      StagedFile file = storage.open(PATH, storage.begin(PATH, 1));
      write(file, 10);
      StagingHandle staged = file.stage();
      String id = S3Handle.parse(staged).uploadId();
      client.abortMultipartUpload(
          request -> request.bucket(s3.bucket()).key("raw/" + PATH.value()).uploadId(id));

      assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.LOST);
      assertThat(s3.objects()).isEmpty();
    }
  }

  /** K42. */
  @Test
  void uploadOfAProcessThatDiedIsSweptByItsNameAlone() {
    LakePath longer = new LakePath(PATH.value() + ".other");
    try (LakeStorage dead = s3.storage("raw", PART_BYTES);
        LakeStorage next = s3.storage("raw", PART_BYTES)) {
      StagingHandle registered = dead.begin(PATH, 1);
      write(dead.open(PATH, registered), PART_BYTES + 1);
      dead.open(longer, dead.begin(longer, 1));

      next.discard(PATH, registered);

      assertThat(s3.uploads()).containsExactly("raw/" + longer.value());
    }
  }

  /** K12: a writer that was replaced frees its own upload, never its successor's. */
  @Test
  void replacedWriterNeverTouchesItsSuccessorsUpload() {
    try (LakeStorage zombie = s3.storage("raw", PART_BYTES);
        LakeStorage successor = s3.storage("raw", PART_BYTES)) {
      StagingHandle old = zombie.begin(PATH, 1);
      zombie.open(PATH, old);
      StagedFile file = successor.open(PATH, successor.begin(PATH, 2));
      file.write("good".getBytes(UTF_8), 0, 4);
      StagingHandle staged = file.stage();

      zombie.discard(PATH, old);

      assertThat(successor.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
      assertThat(new String(s3.read("raw/" + PATH.value()), UTF_8)).isEqualTo("good");
    }
  }

  /** K1. */
  @Test
  void memoryFollowsWhatWasWritten() {
    try (LakeStorage storage = s3.storage("raw", PART_BYTES)) {
      List<StagedFile> files = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        LakePath path = new LakePath("t" + i + "/part.parquet");
        StagedFile file = storage.open(path, storage.begin(path, 1));
        write(file, 100);
        files.add(file);
      }
      assertThat(files).allMatch(file -> file.bufferedBytes() <= 4096);
      StagedFile large = files.get(0);
      for (int i = 0; i < 20; i++) {
        write(large, 1 << 20);
        assertThat(large.bufferedBytes()).isLessThanOrEqualTo(2L * PART_BYTES);
      }
      files.forEach(StagedFile::discard);
    }
    assertThat(s3.uploads()).isEmpty();
  }
}
