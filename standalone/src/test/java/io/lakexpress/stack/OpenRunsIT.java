package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.standalone.ConnectRestException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** No run stays open for ever, whatever happens to those who work on it. */
@ExtendWith(StackExtension.class)
final class OpenRunsIT {
  private static final String EV =
      """
      CREATE TABLE ev (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
      INSERT INTO ev(at) SELECT now() FROM generate_series(1, 20);
      """;

  private final TestingStack stack;

  OpenRunsIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void aDroppedTableFailsAloneAndTheOthersLand() {
    try (TestingSync sync = stack.sync("dropped")) {
      sync.sql(EV)
          .sql(
              "CREATE TABLE gone (id int PRIMARY KEY, at timestamptz); INSERT INTO gone VALUES (1, now())")
          .source("incremental.tables", "public.ev:at:timestamp,public.gone:at:timestamp")
          .start();
      sync.run();
      sync.sql("DROP TABLE gone; INSERT INTO ev DEFAULT VALUES");
      Run second = sync.run(Status.FAILED);

      assertThat(second.error()).contains("public.gone");
      Job gone = sync.job(second, "gone");
      assertThat(gone.status()).isEqualTo(Status.FAILED);
      assertThat(gone.failure().orElseThrow()).contains("public.gone").doesNotContain("Exception");
      Awaitility.await()
          .atMost(TestingSync.PATIENCE)
          .untilAsserted(() -> assertThat(sync.lakeRows("ev")).isEqualTo(21));
      assertThat(sync.trouble()).isEmpty();

      sync.sql(
          "CREATE TABLE gone (id int PRIMARY KEY, at timestamptz); INSERT INTO gone VALUES (2, now())");
      sync.run();
      assertThat(sync.lakeRows("gone")).isEqualTo(2);
    }
  }

  @Test
  void aTaskThatFailsForGoodLeavesNoRunOpen() {
    try (TestingSync sync = stack.sync("failing")) {
      sync.sql(EV)
          .sql(
              "CREATE TABLE bad (id int PRIMARY KEY, at timestamptz); INSERT INTO bad VALUES (1, now())")
          .source("incremental.tables", "public.ev:at:timestamp,public.bad:at:timestamp")
          .source("error.action", "fail")
          .source("tasks.max", "1")
          .start();
      sync.run();
      sync.sql("ALTER TABLE bad DROP COLUMN at");
      sync.db().syncs().requestRun(sync.id(), "requested");
      Run second = sync.awaitRun(2, Status.FAILED);
      assertThat(second.isOpen()).isFalse();
      assertThat(sync.job(second, "bad").failure().orElseThrow()).contains("public.bad");
      Awaitility.await()
          .atMost(TestingSync.PATIENCE)
          .until(() -> sync.trouble().contains("public.bad"));
    }
  }

  @Test
  void fewerTasksGoOnWithTheSameRun() {
    try (TestingSync sync = stack.sync("fewer")) {
      for (int table = 1; table <= 4; table++) {
        sync.sql(
            "CREATE TABLE t%1$d (id int PRIMARY KEY, at timestamptz NOT NULL, v text); INSERT INTO t%1$d SELECT g, now(), repeat('x', 200) FROM generate_series(1, 40000) g"
                .formatted(table));
      }
      sync.source(
              "incremental.tables",
              "public.t1:at:timestamp,public.t2:at:timestamp,public.t3:at:timestamp,public.t4:at:timestamp")
          .source("tasks.max", "4")
          .source("batch.max.rows", "200")
          .start();
      sync.db().syncs().requestRun(sync.id(), "requested");
      Awaitility.await()
          .atMost(TestingSync.PATIENCE)
          .until(() -> sync.db().runs().openRun(sync.id()).isPresent());
      sync.source("tasks.max", "1").startSource();
      Awaitility.await()
          .atMost(TestingSync.PATIENCE)
          .until(() -> sync.db().runs().openRun(sync.id()).isEmpty());
      // Jobs of the tasks that are gone may have failed with their lease; the next run has their
      // rows.
      sync.run();
      for (int table = 1; table <= 4; table++) {
        assertThat(sync.lakeRows("t" + table)).isEqualTo(40_000);
      }
    }
  }

  @Test
  void theRunOfADeletedConnectorIsClosedByTheSink() {
    try (TestingSync sync = stack.sync("deleted")) {
      sync.sql(
              "CREATE TABLE big (id int PRIMARY KEY, at timestamptz NOT NULL, v text); INSERT INTO big SELECT g, now(), repeat('x', 500) FROM generate_series(1, 60000) g")
          .source("incremental.tables", "public.big:at:timestamp")
          .source("batch.max.rows", "100")
          .start();
      sync.db().syncs().requestRun(sync.id(), "requested");
      Awaitility.await()
          .atMost(TestingSync.PATIENCE)
          .until(() -> sync.db().runs().openRun(sync.id()).isPresent());
      sync.rest().delete(sync.sourceName());
      Awaitility.await()
          .atMost(Duration.ofSeconds(90))
          .until(() -> sync.db().runs().openRun(sync.id()).isEmpty());
      sync.startSource();
      sync.run();
      assertThat(sync.lakeRows("big")).isEqualTo(60_000);
    }
  }

  @Test
  void twoConnectorsWithOneSyncAreKeptApart() {
    try (TestingSync sync = stack.sync("twice")) {
      sync.sql(EV).source("incremental.tables", "public.ev:at:timestamp").start();
      sync.run();
      var second = sync.sourceConfig();
      String name = sync.id() + "-second";
      try {
        sync.rest().configure(name, second);
        Awaitility.await().atMost(TestingSync.PATIENCE).until(() -> failed(sync, name));
        assertThat(traces(sync, name)).contains(sync.sourceName()).contains(sync.id());
      } catch (ConnectRestException refused) {
        assertThat(refused).hasMessageContaining(sync.sourceName());
      } finally {
        deleteQuietly(sync, name);
      }
      sync.sql("INSERT INTO ev DEFAULT VALUES");
      sync.run();
      assertThat(sync.lakeRows("ev")).isEqualTo(21);
    }
  }

  @Test
  void aSecondLakeSinkOfOneSyncIsRefused() {
    try (TestingSync sync = stack.sync("sinks")) {
      sync.sql(EV).source("incremental.tables", "public.ev:at:timestamp").start();
      sync.run();
      String name = sync.id() + "-second";
      try {
        sync.rest().configure(name, sync.sinkConfig());
        Awaitility.await().atMost(TestingSync.PATIENCE).until(() -> failed(sync, name));
        assertThat(traces(sync, name)).contains(sync.sinkName());
      } catch (ConnectRestException refused) {
        assertThat(refused).hasMessageContaining(sync.sinkName());
      } finally {
        deleteQuietly(sync, name);
      }
    }
  }

  private static boolean failed(TestingSync sync, String name) {
    try {
      return !traces(sync, name).isEmpty();
    } catch (ConnectRestException notYet) {
      return false;
    }
  }

  private static String traces(TestingSync sync, String name) {
    var status = sync.rest().status(name);
    StringBuilder traces = new StringBuilder(status.path("connector").path("trace").asText(""));
    status.path("tasks").forEach(task -> traces.append(task.path("trace").asText("")));
    return traces.toString();
  }

  private static void deleteQuietly(TestingSync sync, String name) {
    if (sync.rest().connectors().toString().contains('"' + name + '"')) {
      sync.rest().delete(name);
    }
  }
}
