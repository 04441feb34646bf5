package io.lakexpress.lxdb.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** SQLite files in a folder that goes away with the JVM. */
final class TestingSqlite {
  private TestingSqlite() {}

  static DatabaseTarget newDatabase() {
    return new DatabaseTarget("jdbc:sqlite:" + newFolder().resolve("lakexpress.db"), "", "");
  }

  static Path newFolder() {
    try {
      Path folder = Files.createTempDirectory("lakexpress-db");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
