package io.lakexpress.connect.lake.finish;

import io.lakexpress.connect.lake.file.Faults;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.storage.TestingS3;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

/** Dies around every call of the store; the local suite dies around every other call as well. */
final class CrashEverywhereOnS3Test extends CrashEverywhereContract {
  private static final int PART_BYTES = 5 << 20;

  private final TestingS3 s3 = new TestingS3();

  @AfterEach
  void stop() {
    s3.close();
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
    return s3.storage(lake.getFileName().toString(), PART_BYTES);
  }

  @Override
  void fetch(Path lake) throws IOException {
    s3.download(lake.getFileName().toString(), lake);
  }
}
