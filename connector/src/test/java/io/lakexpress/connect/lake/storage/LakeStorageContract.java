package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.lake.file.LakeLayout;
import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.LakeStorage.PublishOutcome;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every store of the lake does. A store's own test says how to build it and to look inside.
 */
abstract class LakeStorageContract {
  private static final LakePath PATH = new LakePath("sales/orders/part-1.parquet");

  private LakeStorage storage;

  /** A storage over the same, at first empty, place each time. */
  abstract LakeStorage newStorage();

  /** The paths below the base that a glob over all {@code *.parquet} files finds. */
  abstract List<String> visible() throws IOException;

  /** Everything that takes room below the base: visible, hidden and half-written objects. */
  abstract List<String> everything() throws IOException;

  /** The bytes of a visible object. */
  abstract byte[] read(String path) throws IOException;

  @BeforeEach
  final void open() {
    storage = newStorage();
  }

  @AfterEach
  final void close() {
    storage.close();
  }

  @Test
  final void stagedObjectIsInvisibleUntilItIsPublished() throws IOException {
    StagingHandle begun = storage.begin(PATH, 1);
    StagedFile file = storage.open(PATH, begun);
    write(file, "rows");
    assertThat(visible()).isEmpty();
    StagingHandle staged = file.stage();
    assertThat(visible()).isEmpty();
    assertThat(storage.exists(PATH)).isFalse();
    assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
    assertThat(visible()).containsExactly(PATH.value());
    assertThat(storage.exists(PATH)).isTrue();
    assertThat(everything()).containsExactly(PATH.value());
  }

  @Test
  final void everyByteArrivesInOrder() throws IOException {
    Random random = new Random(7);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    StagedFile file = storage.open(PATH, storage.begin(PATH, 1));
    int[] lengths = {0, 1, 8191, 8192, 8193, 3, 5 << 20, 17, (5 << 20) + 1, 100};
    for (int length : lengths) {
      byte[] chunk = new byte[length + 4];
      random.nextBytes(chunk);
      file.write(chunk, 2, length);
      expected.write(chunk, 2, length);
      assertThat(file.position()).isEqualTo(expected.size());
    }
    storage.publish(PATH, file.stage());
    assertThat(read(PATH.value())).isEqualTo(expected.toByteArray());
    assertThat(file.bufferedBytes()).isZero();
  }

  /** K18, K35: recovery steps may run any number of times. */
  @Test
  final void publishingTwiceIsPublishingOnce() throws IOException {
    StagingHandle staged = stage(1, "rows");
    assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
    assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
    assertThat(text(PATH)).isEqualTo("rows");
    assertThat(everything()).containsExactly(PATH.value());
  }

  @Test
  final void handleKeptAsTextPublishesAfterARestart() throws IOException {
    String kept = stage(1, "rows").text();
    try (LakeStorage restarted = newStorage()) {
      assertThat(restarted.publish(PATH, new StagingHandle(kept)))
          .isEqualTo(PublishOutcome.PUBLISHED);
    }
    assertThat(text(PATH)).isEqualTo("rows");
  }

  /** K37: whoever sees the job complete may publish. */
  @Test
  final void manyFinishersAtOncePublishOnce() throws Exception {
    StagingHandle staged = stage(1, "rows");
    ExecutorService finishers = Executors.newFixedThreadPool(8);
    try {
      List<Future<PublishOutcome>> outcomes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        outcomes.add(finishers.submit(() -> storage.publish(PATH, staged)));
      }
      for (Future<PublishOutcome> outcome : outcomes) {
        assertThat(outcome.get(30, TimeUnit.SECONDS)).isEqualTo(PublishOutcome.PUBLISHED);
      }
    } finally {
      finishers.shutdownNow();
    }
    assertThat(text(PATH)).isEqualTo("rows");
    assertThat(everything()).containsExactly(PATH.value());
  }

  @Test
  final void objectThatTheStoreLostIsReported() {
    StagingHandle staged = stage(1, "rows");
    storage.discard(PATH, staged);
    assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.LOST);
    LakePath other = new LakePath("sales/never/part-1.parquet");
    assertThat(storage.publish(other, storage.begin(other, 1))).isEqualTo(PublishOutcome.LOST);
  }

  /** K42: nothing that costs room stays behind. */
  @Test
  final void discardRemovesAStagedObjectAtEveryStageOfItsLife() throws IOException {
    StagingHandle begun = storage.begin(PATH, 1);
    storage.discard(PATH, begun);
    StagingHandle opened = storage.begin(PATH, 2);
    StagedFile half = storage.open(PATH, opened);
    write(half, "half");
    storage.discard(PATH, opened);
    half.discard();
    StagingHandle staged = stage(3, "whole");
    storage.discard(PATH, staged);
    storage.discard(PATH, staged);
    assertThat(everything()).isEmpty();
  }

  @Test
  final void discardedFileIsAsIfNeverWritten() throws IOException {
    StagedFile file = storage.open(PATH, storage.begin(PATH, 1));
    write(file, "rows");
    file.discard();
    file.discard();
    assertThat(everything()).isEmpty();
    assertThat(file.bufferedBytes()).isZero();
    assertThatThrownBy(() -> write(file, "more")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  final void discardLeavesAPublishedObject() throws IOException {
    StagingHandle staged = stage(1, "rows");
    storage.publish(PATH, staged);
    storage.discard(PATH, staged);
    assertThat(text(PATH)).isEqualTo("rows");
  }

  /** K12, K39: the later writer of a name never wins over a published file. */
  @Test
  final void publishedObjectIsNeverReplaced() throws IOException {
    storage.publish(PATH, stage(1, "good"));
    StagingHandle other = stage(2, "shorter");
    assertThatThrownBy(() -> storage.publish(PATH, other))
        .isInstanceOfSatisfying(
            StorageException.class, failure -> assertThat(failure.isRetriable()).isFalse())
        .hasMessageContaining("part-1.parquet");
    assertThat(text(PATH)).isEqualTo("good");
  }

  @Test
  final void writersOfTwoEpochsShareNothing() throws IOException {
    StagingHandle oldHandle = storage.begin(PATH, 1);
    StagedFile oldFile = storage.open(PATH, oldHandle);
    write(oldFile, "old-");
    StagingHandle newHandle = storage.begin(PATH, 2);
    StagedFile newFile = storage.open(PATH, newHandle);
    write(newFile, "new");
    write(oldFile, "old");
    StagingHandle staleStaged = oldFile.stage();
    storage.publish(PATH, newFile.stage());
    storage.discard(PATH, staleStaged);
    assertThat(text(PATH)).isEqualTo("new");
    assertThat(everything()).containsExactly(PATH.value());
  }

  @Test
  final void retiredObjectLeavesTheGlobAndKeepsItsBytesUntilDeleted() throws IOException {
    storage.publish(PATH, stage(1, "rows"));
    storage.retire(PATH);
    storage.retire(PATH);
    assertThat(visible()).isEmpty();
    assertThat(storage.exists(PATH)).isFalse();
    assertThat(everything()).hasSize(1);
    storage.delete(PATH);
    storage.delete(PATH);
    assertThat(everything()).isEmpty();
  }

  @Test
  final void publishedObjectCanBeDeletedAtOnce() throws IOException {
    storage.publish(PATH, stage(1, "rows"));
    storage.delete(PATH);
    assertThat(everything()).isEmpty();
    storage.delete(new LakePath("no/such/file.parquet"));
    storage.retire(new LakePath("no/such/file.parquet"));
  }

  @Test
  final void folderMayHaveAnyName() throws IOException {
    LakeLayout layout = LakeLayout.below("raw/a b+c#d");
    List<String> names =
        List.of("..", "a/b", "Order Lines", "gr\u00f6\u00dfe \uD83D\uDE80", "x".repeat(300), "50%");
    List<String> expected = new ArrayList<>();
    for (String name : names) {
      LakePath path = layout.foreignFile(name + "." + name, 1, 0, 0);
      StagedFile file = storage.open(path, storage.begin(path, 1));
      write(file, name);
      storage.publish(path, file.stage());
      assertThat(new String(read(path.value()), UTF_8)).isEqualTo(name);
      expected.add(path.value());
    }
    assertThat(visible()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  final void stagedFileTakesNoMore() {
    StagedFile file = storage.open(PATH, storage.begin(PATH, 1));
    write(file, "rows");
    file.stage();
    assertThatThrownBy(() -> write(file, "more")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(file::stage).isInstanceOf(IllegalStateException.class);
  }

  @Test
  final void verifyingLeavesNothingBehind() throws IOException {
    storage.verifyWritable();
    assertThat(everything()).isEmpty();
  }

  private StagingHandle stage(long epoch, String content) {
    StagedFile file = storage.open(PATH, storage.begin(PATH, epoch));
    write(file, content);
    return file.stage();
  }

  private String text(LakePath path) throws IOException {
    return new String(read(path.value()), UTF_8);
  }

  private static void write(StagedFile file, String content) {
    byte[] bytes = content.getBytes(UTF_8);
    file.write(bytes, 0, bytes.length);
  }
}
