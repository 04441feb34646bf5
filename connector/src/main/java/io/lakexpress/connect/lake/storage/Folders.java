package io.lakexpress.connect.lake.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Folders whose entries survive a power cut. */
final class Folders {
  private Folders() {}

  /** Creates a folder and all above it that are missing; each is on disk when this returns. */
  static void create(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null) {
      create(parent);
    }
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException present) {
      if (!Files.isDirectory(folder)) {
        throw new NotDirectoryException(folder.toString());
      }
      return;
    }
    if (parent != null) {
      sync(parent);
    }
  }

  /** Makes names that came or went in a folder durable. */
  static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
