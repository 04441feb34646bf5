package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.LakeStorage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

final class S3StorageTest extends LakeStorageContract {
  private static final String PREFIX = "raw/lake 1/";

  private final TestingS3 s3 = new TestingS3();

  @AfterEach
  void stop() {
    s3.close();
  }

  @Override
  LakeStorage newStorage() {
    return new S3Storage(s3.bucket(), "raw/lake 1", s3.access(), 5 << 20, S3Clients.Patience.USUAL);
  }

  @Override
  List<String> visible() {
    return s3.objects().stream()
        .map(key -> key.substring(PREFIX.length()))
        .filter(path -> path.endsWith(".parquet"))
        .toList();
  }

  @Override
  List<String> everything() {
    List<String> all = new ArrayList<>(s3.objects());
    all.addAll(s3.uploads());
    return all.stream().map(key -> key.substring(PREFIX.length())).sorted().toList();
  }

  @Override
  byte[] read(String path) {
    return s3.read(PREFIX + path);
  }
}
