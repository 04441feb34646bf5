package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.LakeStorage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

final class AzureStorageTest extends LakeStorageContract {
  private static final String PREFIX = "raw/lake 1/";

  private final TestingAzure azure = new TestingAzure();

  @AfterEach
  void clear() {
    azure.close();
  }

  @Override
  LakeStorage newStorage() {
    return new AzureStorage(
        azure.place("raw/lake 1"),
        TestingAzure.login(),
        AzureConnection.Patience.usual(),
        new AzureStorage.Sizes(1 << 20, 256L << 20));
  }

  @Override
  List<String> visible() {
    return azure.blobs().stream()
        .filter(name -> name.endsWith(".parquet"))
        .map(name -> name.substring(PREFIX.length()))
        .toList();
  }

  @Override
  List<String> everything() {
    return azure.everything().stream().map(name -> name.substring(PREFIX.length())).toList();
  }

  @Override
  byte[] read(String path) {
    return azure.read(PREFIX + path);
  }
}
