package io.lakexpress.connect.lake.finish;

import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.storage.LocalStorage;
import java.nio.file.Path;

final class CrashEverywhereTest extends CrashEverywhereContract {
  @Override
  LakeStorage open(Path lake) {
    return new LocalStorage(lake);
  }

  @Override
  int leastSteps() {
    return 200;
  }

  /** It is there. */
  @Override
  void fetch(Path lake) {}
}
