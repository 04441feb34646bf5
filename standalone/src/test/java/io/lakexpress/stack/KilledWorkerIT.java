package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.standalone.ChildProcess;
import io.lakexpress.standalone.ConnectRest;
import io.lakexpress.standalone.ListenPorts;
import io.lakexpress.standalone.WorkerSettings;
import java.net.URI;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** kill -9 of the worker in the middle of a first sync: nothing lost, nothing doubled. */
@ExtendWith(StackExtension.class)
final class KilledWorkerIT {
  private static final int ROWS = 300_000;
  private static final Duration START_PATIENCE = Duration.ofMinutes(2);

  private final TestingStack stack;

  KilledWorkerIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void withExactlyOnceEveryRowIsOnceInTopicAndLake() {
    try (TestingSync sync = killedInTheMiddle("eos", "required")) {
      assertThat(sync.topic("keyed")).hasSize(ROWS);
      assertThat(
              sync.topic("keyed").stream().map(row -> row.value().path("id").asLong()).distinct())
          .hasSize(ROWS);
      assertThat(sync.rowsByJob("keyed")).hasSize(1);
      assertThat(sync.topic("keyless")).hasSize(ROWS);
      assertThat(sync.rowsByJob("keyless")).hasSize(1);
      assertThat(
              sync.topic("keyless").stream().mapToLong(row -> row.value().path("n").asLong()).sum())
          .isEqualTo(Long.parseLong(sync.database("SELECT sum(n) FROM keyless")));
    }
  }

  @Test
  void withoutExactlyOnceEveryRowIsOnceInTheLake() {
    try (TestingSync sync = killedInTheMiddle("alo", "requested")) {
      // The broken attempt stays in the topic, told apart by its job id; the lake took the whole
      // one.
      assertThat(sync.rowsByJob("keyed")).hasSizeGreaterThan(1).containsValue((long) ROWS);
    }
  }

  /** A sync that has landed although its worker was killed while both tables were half read. */
  private TestingSync killedInTheMiddle(String name, String exactlyOnce) {
    WorkerSettings settings =
        new WorkerSettings(
                stack.kafka().bootstrapServers(), ListenPorts.free(), TestingStack.plugins())
            .with("group.id", name + "-workers")
            .with("config.storage.topic", name + "-configs")
            .with("offset.storage.topic", name + "-offsets")
            .with("status.storage.topic", name + "-status");
    ChildProcess worker = worker(settings, name);
    ConnectRest rest = new ConnectRest(URI.create("http://localhost:" + settings.restPort()));
    TestingSync sync = stack.sync(name, rest);
    sync.sql(
            """
            CREATE TABLE keyed (id int PRIMARY KEY, at timestamptz NOT NULL, v text);
            CREATE TABLE keyless (n int, at timestamptz NOT NULL, v text);
            INSERT INTO keyed SELECT g, now() - (g %% 1000) * interval '1 minute', repeat('x', 50)
              FROM generate_series(1, %1$d) g;
            INSERT INTO keyless SELECT g / 3, now() - (g %% 10) * interval '1 hour', 'same'
              FROM generate_series(1, %1$d) g;
            CREATE INDEX ON keyed (at, id);
            """
                .formatted(ROWS))
        .source("incremental.tables", "public.keyed:at:timestamp,public.keyless:at:timestamp")
        .source("exactly.once.support", exactlyOnce)
        .source("batch.max.rows", "300")
        .start();
    try {
      sync.db().syncs().requestRun(sync.id(), "requested");
      awaitHalfRead(sync);
    } finally {
      worker.kill();
    }
    assertThat(sync.lastNumber()).isEqualTo(1);
    worker = worker(settings, name);
    try {
      assertEveryRowOnceInTheLake(sync, sync.awaitRun(1, Status.LANDED));
      deleteConnectors(sync);
    } finally {
      worker.close();
    }
    sync.on(stack.rest());
    return sync;
  }

  private static void assertEveryRowOnceInTheLake(TestingSync sync, Run run) {
    for (String table : new String[] {"keyed", "keyless"}) {
      assertThat(sync.job(run, table).rows()).isEqualTo(ROWS);
      assertThat(sync.lakeRows(table)).isEqualTo(ROWS);
      Awaitility.await("what broken attempts staged is swept")
          .atMost(TestingSync.PATIENCE)
          .untilAsserted(
              () -> assertThat(sync.names(table)).allMatch(file -> file.endsWith(".parquet")));
    }
    assertThat(sync.lake("keyed", "SELECT count(DISTINCT id) FROM lake"))
        .isEqualTo(Integer.toString(ROWS));
    assertThat(sync.lake("keyless", "SELECT sum(n) FROM lake"))
        .isEqualTo(sync.database("SELECT sum(n) FROM keyless"));
  }

  private static void deleteConnectors(TestingSync sync) {
    sync.rest().delete(sync.sourceName());
    sync.rest().delete(sync.sinkName());
  }

  private ChildProcess worker(WorkerSettings settings, String name) {
    ChildProcess worker =
        ChildProcess.worker(settings, stack.directory().resolve("worker-" + name), "768m");
    worker.awaitReady(START_PATIENCE);
    return worker;
  }

  /** Waits until both tables have rows in their topics, and neither has all. */
  private static void awaitHalfRead(TestingSync sync) {
    Awaitility.await()
        .atMost(TestingSync.PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .until(() -> started(sync, "keyed") && started(sync, "keyless"));
  }

  private static boolean started(TestingSync sync, String table) {
    var offset = sync.offset(table);
    return offset.path("rows").asLong() > 1_500 && offset.has("window_upper");
  }
}
