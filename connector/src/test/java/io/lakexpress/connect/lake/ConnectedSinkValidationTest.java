package io.lakexpress.connect.lake;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.storage.LakeLocation;
import io.lakexpress.lxdb.LakexpressDb;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.kafka.common.config.ConfigValue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectedSinkValidationTest {
  /** So much of the time is gone when the answers are waited for. */
  private static final long NEARLY_ALL = 16_500_000_000L;

  @TempDir Path folder;

  private ConfigReader config() {
    return new ConfigReader(
        SinkConfig.definition(),
        Map.of(
            "sync.id",
            "shop",
            "lake.url",
            folder.resolve("lake").toUri().toString(),
            "lxdb.url",
            "jdbc:sqlite:" + folder.resolve("lakexpress.db")));
  }

  private static Map<String, String> problems(ConfigReader config) {
    Map<String, String> problems = new HashMap<>();
    for (ConfigValue value : config.validated().configValues()) {
      if (!value.errorMessages().isEmpty()) {
        problems.put(value.name(), String.join("; ", value.errorMessages()));
      }
    }
    return problems;
  }

  /** Zero once, then nearly the end. */
  private static LongSupplier clockThatJumps() {
    AtomicBoolean isLater = new AtomicBoolean();
    return () -> isLater.getAndSet(true) ? NEARLY_ALL : 0;
  }

  /** A service whose every call hangs until it is interrupted. */
  private static <T> T hanging(Class<T> type, AtomicReference<Thread> caller) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("close")) {
                caller.set(Thread.currentThread());
                new CountDownLatch(1).await();
              }
              return null;
            }));
  }

  @Test
  void servicesThatAnswerHaveNoProblems() {
    ConfigReader config = config();

    new ConnectedSinkValidation(LakeLocation::open, LakeConnections::ofConnector, System::nanoTime)
        .run(config, SinkConfig.read(config));

    assertThat(problems(config)).isEmpty();
  }

  @Test
  void storageAndDatabaseThatHangAreReportedInTime() {
    ConfigReader config = config();
    AtomicReference<Thread> ofLake = new AtomicReference<>();
    AtomicReference<Thread> ofDatabase = new AtomicReference<>();

    new ConnectedSinkValidation(
            location -> hanging(LakeStorage.class, ofLake),
            settings -> hanging(LakexpressDb.class, ofDatabase),
            clockThatJumps())
        .run(config, SinkConfig.read(config));

    assertThat(problems(config))
        .isEqualTo(
            Map.of(
                "lake.url",
                "Cannot check the lake to the end: no answer within 17 seconds",
                "lxdb.url",
                "Cannot check the LakeXpress DB to the end: no answer within 17 seconds"));
    Awaitility.await().until(() -> !ofLake.get().isAlive() && !ofDatabase.get().isAlive());
  }
}
