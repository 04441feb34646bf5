package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.LakeStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

final class LocalStorageTest extends LakeStorageContract {
  @TempDir Path base;

  @Override
  LakeStorage newStorage() {
    return new LocalStorage(base);
  }

  @Override
  List<String> visible() throws IOException {
    return everything().stream()
        .filter(path -> path.endsWith(".parquet") && !path.contains("/."))
        .toList();
  }

  @Override
  List<String> everything() throws IOException {
    try (Stream<Path> files = Files.walk(base)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> base.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @Override
  byte[] read(String path) throws IOException {
    return Files.readAllBytes(base.resolve(path));
  }
}
