package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Status;
import io.lakexpress.standalone.EmbeddedDatabase;
import io.lakexpress.standalone.ListenPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The LakeXpress DB is away for a while: nothing is lost, and nobody else stops. */
@ExtendWith(StackExtension.class)
final class DatabaseDownIT {
  private final TestingStack stack;

  DatabaseDownIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void anOutageOfTheLakexpressDbLosesNothingAndStopsNobody() throws Exception {
    Path directory = stack.directory().resolve("second-postgres");
    int port = ListenPorts.free();
    EmbeddedDatabase database = EmbeddedDatabase.start(directory, port, Map.of());
    try (TestingSync sync = stack.sync("outage");
        TestingSync neighbour = stack.sync("neighbour")) {
      for (TestingSync one : new TestingSync[] {sync, neighbour}) {
        one.sql(
                """
                CREATE TABLE ev (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
                INSERT INTO ev(at) SELECT now() FROM generate_series(1, 1000);
                """)
            .source("incremental.tables", "public.ev:at:timestamp");
      }
      String url = database.jdbcUrl(EmbeddedDatabase.LAKEXPRESS_DATABASE);
      sync.source("lxdb.url", url)
          .source("lxdb.user", EmbeddedDatabase.USER)
          .source("lxdb.password", EmbeddedDatabase.PASSWORD)
          .sink("lxdb.url", url)
          .sink("lxdb.user", EmbeddedDatabase.USER)
          .sink("lxdb.password", EmbeddedDatabase.PASSWORD)
          .source("sync.mode", "continuous")
          .source("sync.interval.seconds", "3")
          .start();
      neighbour.start();
      neighbour.run();
      awaitLakeRows(sync, 1000);

      database.close();
      sync.sql("INSERT INTO ev(at) SELECT now() FROM generate_series(1, 500)");
      neighbour.sql("INSERT INTO ev(at) SELECT now() FROM generate_series(1, 500)");
      neighbour.run(Status.LANDED);
      assertThat(neighbour.lakeRows("ev")).isEqualTo(1500);
      assertThat(sync.trouble()).isEmpty();

      database = EmbeddedDatabase.start(directory, port, Map.of());
      awaitLakeRows(sync, 1500);
      assertThat(sync.lake("ev", "SELECT count(DISTINCT id) FROM lake")).isEqualTo("1500");
      assertThat(sync.trouble()).isEmpty();
    } finally {
      database.close();
    }
  }

  private static void awaitLakeRows(TestingSync sync, long rows) {
    Awaitility.await()
        .atMost(TestingSync.PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              assertThat(sync.trouble()).isEmpty();
              assertThat(sync.lakeRows("ev")).isEqualTo(rows);
            });
  }
}
