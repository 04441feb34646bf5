package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.StorageException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lake in a folder of a file system. A staged file is a hidden sibling of its final place, {@code
 * .<file>.<epoch>.staged}; publishing gives it its name and never takes a name that another file
 * has. Retired files are hidden siblings too, {@code .<file>.retired}. File and folder are synced
 * to disk at every step.
 *
 * <p>Thread-safe. The base is created on first use.
 */
public final class LocalStorage implements LakeStorage {
  private static final Logger LOG = LoggerFactory.getLogger(LocalStorage.class);
  private static final String STAGED = ".staged";
  private static final String RETIRED = ".retired";

  private final Path base;

  /**
   * @param base an absolute path
   */
  public LocalStorage(Path base) {
    if (!base.isAbsolute()) {
      throw new IllegalArgumentException(
          "Invalid lake folder '" + base + "': expected an absolute path");
    }
    this.base = base.normalize();
  }

  @Override
  public StagingHandle begin(LakePath path, long writerEpoch) {
    return new StagingHandle("." + path.fileName() + "." + writerEpoch + STAGED);
  }

  @Override
  public StagedFile open(LakePath path, StagingHandle handle) {
    Path staged = stagedPlace(path, handle);
    try {
      Folders.create(staged.getParent());
      return LocalStagedFile.create(staged, handle);
    } catch (IOException failure) {
      throw FileFailure.of("Cannot write " + staged, failure);
    }
  }

  @Override
  public PublishOutcome publish(LakePath path, StagingHandle handle) {
    Path staged = stagedPlace(path, handle);
    Path place = place(path);
    try {
      if (isThere(staged)) {
        name(staged, place);
      }
      return published(place);
    } catch (IOException failure) {
      throw FileFailure.of("Cannot publish " + place, failure);
    }
  }

  @Override
  public void discard(LakePath path, StagingHandle handle) {
    Path staged = stagedPlace(path, handle);
    try {
      remove(staged);
    } catch (IOException failure) {
      throw FileFailure.of("Cannot discard " + staged, failure);
    }
  }

  @Override
  public void retire(LakePath path) {
    Path place = place(path);
    try {
      Files.move(place, retiredPlace(place), StandardCopyOption.ATOMIC_MOVE);
      Folders.sync(place.getParent());
    } catch (NoSuchFileException gone) {
      // Retired or deleted before.
    } catch (IOException failure) {
      throw FileFailure.of("Cannot retire " + place, failure);
    }
  }

  @Override
  public void delete(LakePath path) {
    Path place = place(path);
    try {
      remove(place);
      remove(retiredPlace(place));
    } catch (IOException failure) {
      throw FileFailure.of("Cannot delete " + place, failure);
    }
  }

  @Override
  public boolean exists(LakePath path) {
    Path place = place(path);
    try {
      return isThere(place);
    } catch (IOException failure) {
      throw FileFailure.of("Cannot look for " + place, failure);
    }
  }

  @Override
  public void verifyWritable() {
    try {
      Folders.create(base);
    } catch (IOException failure) {
      throw FileFailure.of("Cannot create the lake folder " + base, failure);
    }
    LakePath probe = new LakePath("lakexpress-probe-" + UUID.randomUUID());
    byte[] content = "LakeXpress Connect looks whether it can write here\n".getBytes(UTF_8);
    StagingHandle handle = begin(probe, 0);
    StagedFile file = open(probe, handle);
    try {
      file.write(content, 0, content.length);
      file.stage();
      publish(probe, handle);
    } catch (StorageException failure) {
      file.discard();
      throw failure;
    }
    delete(probe);
  }

  @Override
  public String location() {
    return "file://" + base;
  }

  @Override
  public void close() {}

  /** Syncs even what was published before: that try may have died in front of its own sync. */
  private PublishOutcome published(Path place) throws IOException {
    if (!isThere(place)) {
      requireMounted();
      return PublishOutcome.LOST;
    }
    Folders.sync(place.getParent());
    return PublishOutcome.PUBLISHED;
  }

  /** What cannot be looked at is not gone. */
  private static boolean isThere(Path file) throws IOException {
    try {
      Files.readAttributes(file, BasicFileAttributes.class);
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  /** A lake without anything in it has not lost a file: it is away as a whole. */
  private void requireMounted() throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(base)) {
      if (entries.iterator().hasNext()) {
        return;
      }
    } catch (NoSuchFileException gone) {
      LOG.debug("The lake folder {} is gone", base, gone);
    }
    throw StorageException.lasting(
        "Cannot find the lake in " + base + ": the folder is empty or gone (is it mounted?)", null);
  }

  private static void name(Path staged, Path place) throws IOException {
    try {
      Files.createLink(place, staged);
    } catch (NoSuchFileException overtaken) {
      // Another finisher was quicker.
      return;
    } catch (FileAlreadyExistsException taken) {
      if (!Files.isSameFile(place, staged)) {
        throw StorageException.lasting(
            "Cannot publish " + place + ": another file has this name", taken);
      }
    } catch (UnsupportedOperationException | FileSystemException noLinks) {
      moveWithoutLinks(staged, place);
      return;
    }
    Files.deleteIfExists(staged);
  }

  /** For file systems without hard links; names are never reused, so looking first is enough. */
  private static void moveWithoutLinks(Path staged, Path place) throws IOException {
    if (isThere(place)) {
      throw StorageException.lasting(
          "Cannot publish " + place + ": another file has this name",
          new FileAlreadyExistsException(place.toString()));
    }
    Files.move(staged, place, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void remove(Path file) throws IOException {
    if (Files.deleteIfExists(file)) {
      Folders.sync(file.getParent());
    }
  }

  private Path place(LakePath path) {
    try {
      return base.resolve(path.value());
    } catch (InvalidPathException invalid) {
      throw StorageException.lasting(
          "Cannot name '"
              + path
              + "' on this file system: "
              + invalid.getReason()
              + " (start the worker in a UTF-8 locale, for example LC_ALL=C.UTF-8)",
          invalid);
    }
  }

  private Path stagedPlace(LakePath path, StagingHandle handle) {
    String name = handle.text();
    if (!name.startsWith("." + path.fileName() + ".")
        || !name.endsWith(STAGED)
        || name.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "Invalid staging handle '" + name + "': expected the hidden name of a staged " + path);
    }
    return place(path).resolveSibling(name);
  }

  private static Path retiredPlace(Path place) {
    return place.resolveSibling("." + place.getFileName() + RETIRED);
  }
}
