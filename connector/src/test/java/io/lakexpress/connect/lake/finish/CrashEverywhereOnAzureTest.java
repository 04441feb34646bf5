package io.lakexpress.connect.lake.finish;

import io.lakexpress.connect.lake.file.Faults;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.storage.TestingAzure;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

/** It dies around every call of the store; the local suite covers the steps of the database. */
final class CrashEverywhereOnAzureTest extends CrashEverywhereContract {
  private static final int BLOCK_BYTES = 512;

  private final TestingAzure azure = new TestingAzure();

  @AfterEach
  void clear() {
    azure.close();
  }

  @Override
  void prepare(Faults faults) {
    faults.countOnly(LakeStorage.class, StagedFile.class);
  }

  @Override
  int leastSteps() {
    return 60;
  }

  @Override
  LakeStorage open(Path lake) {
    return azure.storage(lake.getFileName().toString(), BLOCK_BYTES);
  }

  @Override
  void fetch(Path lake) throws IOException {
    azure.download(lake.getFileName().toString(), lake);
  }
}
