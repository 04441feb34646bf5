package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Status;
import io.lakexpress.standalone.ChildProcess;
import io.lakexpress.standalone.ConnectRest;
import io.lakexpress.standalone.ListenPorts;
import io.lakexpress.standalone.WorkerSettings;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Case S22: the first load of a big table must not need memory for the table. */
@ExtendWith(StackExtension.class)
final class BigTableIT {
  private static final int ROWS = 320_000;

  private final TestingStack stack;

  BigTableIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void tableLargerThanTheHeapOfTheWorkerLandsWhole() {
    WorkerSettings settings =
        new WorkerSettings(
                stack.kafka().bootstrapServers(), ListenPorts.free(), TestingStack.plugins())
            .with("group.id", "big-workers")
            .with("config.storage.topic", "big-configs")
            .with("offset.storage.topic", "big-offsets")
            .with("status.storage.topic", "big-status");
    ChildProcess worker =
        ChildProcess.worker(settings, stack.directory().resolve("worker-big"), "256m");
    try {
      worker.awaitReady(Duration.ofMinutes(2));
      ConnectRest rest = new ConnectRest(URI.create("http://localhost:" + settings.restPort()));
      try (TestingSync sync = stack.sync("big", rest)) {
        sync.sql(
                """
                CREATE TABLE big AS SELECT g id, now() updated_at, repeat('x', 1000) v
                  FROM generate_series(1, %d) g
                """
                    .formatted(ROWS))
            .sql("CREATE INDEX ON big (updated_at, id); ALTER TABLE big ADD PRIMARY KEY (id)")
            .source("incremental.tables", "public.big:updated_at:timestamp")
            .start();
        var run = sync.run(Status.LANDED);
        assertThat(sync.job(run, "big").rows()).isEqualTo(ROWS);
        assertThat(sync.lake("big", "SELECT count(DISTINCT id) FROM lake"))
            .isEqualTo(Integer.toString(ROWS));
      }
    } finally {
      worker.close();
    }
  }
}
