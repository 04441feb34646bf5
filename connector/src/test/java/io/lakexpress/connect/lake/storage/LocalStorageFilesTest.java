package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.LakeStorage.PublishOutcome;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a lake on a file system does. */
final class LocalStorageFilesTest {
  private static final LakePath PATH = new LakePath("s/t/part-1.parquet");

  @TempDir Path folder;
  private Path base;
  private LocalStorage storage;

  @BeforeEach
  void open() {
    base = folder.resolve("missing/lake");
    storage = new LocalStorage(base);
  }

  @Test
  void missingBaseIsCreated() {
    storage.verifyWritable();
    assertThat(base).isEmptyDirectory();
    assertThat(storage.location()).isEqualTo("file://" + base);
  }

  @Test
  void stagedAndRetiredFilesAreHiddenAndNoParquetFiles() {
    StagingHandle staged = stage(17);
    assertThat(staged.text()).isEqualTo(".part-1.parquet.17.staged");
    assertThat(base.resolve("s/t/.part-1.parquet.17.staged")).hasContent("rows");
    storage.publish(PATH, staged);
    storage.retire(PATH);
    assertThat(base.resolve("s/t/.part-1.parquet.retired")).hasContent("rows");
  }

  @Test
  void crashBetweenNamingAndUnlinkingIsFinishedByTheNextPublish() throws IOException {
    StagingHandle staged = stage(1);
    Files.createLink(base.resolve(PATH.value()), base.resolve("s/t").resolve(staged.text()));
    assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
    assertThat(base.resolve("s/t").toFile().list()).containsExactly("part-1.parquet");
  }

  /** A file system that is not mounted has lost nothing. */
  @Test
  void lakeThatIsAwayAsAWholeHasNotLostAFile() throws IOException {
    StagingHandle staged = stage(1);
    Path away = folder.resolve("away");
    Files.move(base, away);
    assertThatThrownBy(() -> storage.publish(PATH, staged))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("is it mounted?");
    Files.createDirectory(base);
    assertThatThrownBy(() -> storage.publish(PATH, staged))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("is it mounted?");
    Files.delete(base);
    Files.move(away, base);
    assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
  }

  /** Root may look into every folder, so a loop of links stands for one that nobody may read. */
  @Test
  void fileThatCannotBeLookedAtIsNotLost() throws IOException {
    StagingHandle staged = stage(1);
    Path table = base.resolve("s/t");
    Files.move(table, base.resolve("s/moved"));
    Files.createSymbolicLink(table, table);
    assertThatThrownBy(() -> storage.publish(PATH, staged)).isInstanceOf(StorageException.class);
  }

  @Test
  void writingUnderAStagedNameAgainLeavesWhatWasPublishedFromIt() throws IOException {
    StagingHandle staged = stage(1);
    Files.createLink(base.resolve(PATH.value()), base.resolve("s/t").resolve(staged.text()));
    StagedFile again = storage.open(PATH, staged);
    byte[] other = "other rows".getBytes(UTF_8);
    again.write(other, 0, other.length);
    again.stage();
    assertThat(base.resolve(PATH.value())).hasContent("rows");
  }

  @Test
  void fileInTheWayOfTheBaseIsALastingFailure() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> new LocalStorage(file).verifyWritable())
        .isInstanceOfSatisfying(
            StorageException.class, failure -> assertThat(failure.isRetriable()).isFalse())
        .hasMessage(
            "Cannot create the lake folder "
                + file
                + ": not a folder (something else than a folder is in the way)");
  }

  @Test
  void handleOfAnotherStoreOrFileIsRefused() {
    assertThatThrownBy(() -> storage.publish(PATH, new StagingHandle("upload-4711")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Invalid staging handle 'upload-4711': expected the hidden name of a staged"
                + " s/t/part-1.parquet");
    assertThatThrownBy(
            () ->
                storage.discard(PATH, new StagingHandle(".part-1.parquet./../../../secret.staged")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void relativeBaseIsRefused() {
    assertThatThrownBy(() -> new LocalStorage(Path.of("lake")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid lake folder 'lake': expected an absolute path");
  }

  private StagingHandle stage(long epoch) {
    StagedFile file = storage.open(PATH, storage.begin(PATH, epoch));
    byte[] rows = "rows".getBytes(UTF_8);
    file.write(rows, 0, rows.length);
    return file.stage();
  }
}
