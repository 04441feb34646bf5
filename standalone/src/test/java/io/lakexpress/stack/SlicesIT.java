package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Run;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Large tables in slices on the whole stack: read by two tasks, landed as one. */
@ExtendWith(StackExtension.class)
final class SlicesIT {
  private final TestingStack stack;

  SlicesIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void slicedWindowsAndExportsLandWholeAndLeaveNoOffsetsOfSlices() {
    try (TestingSync sync = stack.sync("slices")) {
      sync.sql(
              """
              CREATE TABLE ev (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), v text);
              CREATE TABLE ref (code int PRIMARY KEY, name text);
              CREATE TABLE heap (code int, name text);
              INSERT INTO ev(v) SELECT 'e' || g FROM generate_series(1, 20000) g;
              INSERT INTO ref SELECT g, 'r' || g FROM generate_series(1, 9000) g;
              INSERT INTO heap SELECT g, repeat('h', 300) FROM generate_series(1, 3000) g;
              ANALYZE;
              """)
          .source("incremental.tables", "public.ev:at:timestamp")
          .source("table.parallelism", "4")
          .source("table.parallelism.overrides", "public.heap:Ctid::3")
          .source("large.table.threshold", "1000")
          .start();

      Run first = sync.run();

      assertSliced(sync, first, "ev", 4, 20000);
      assertSliced(sync, first, "ref", 4, 9000);
      assertSliced(sync, first, "heap", 3, 3000);
      assertThat(sync.lake("ev", "SELECT count(DISTINCT id) || '/' || count(*) FROM lake"))
          .isEqualTo("20000/20000");
      assertThat(sync.lake("ref", "SELECT count(DISTINCT code) || '/' || count(*) FROM lake"))
          .isEqualTo("9000/9000");
      assertThat(sync.lake("heap", "SELECT count(DISTINCT code) || '/' || count(*) FROM lake"))
          .isEqualTo("3000/3000");
      assertThat(sync.topic("ev")).hasSize(20000);
      assertNoOffsetsOfSlices(sync);
      List<String> replaced = sync.visible("ref");

      sync.sql(
          """
          INSERT INTO ev(v) SELECT 'late' || g FROM generate_series(1, 500) g;
          DELETE FROM ref WHERE code > 8000;
          """);
      Run second = sync.run();

      assertSliced(sync, second, "ev", 4, 500);
      assertSliced(sync, second, "ref", 4, 8000);
      assertThat(sync.lakeRows("ev")).isEqualTo(20500);
      assertThat(sync.lakeRows("ref")).isEqualTo(8000);
      assertThat(sync.topic("ev")).hasSize(20500);
      assertThat(sync.visible("ref")).doesNotContainAnyElementsOf(replaced);
      assertThat(sync.offset("ev").path("last_exported_value").asText())
          .isEqualTo(sync.job(second, "ev").upper().orElseThrow());
      assertThat(sync.offset("ev").path("rows").asLong()).isEqualTo(500);
      assertThat(sync.offset("ref").path("exported_at").asText()).isNotEmpty();
      assertNoOffsetsOfSlices(sync);
    }
  }

  private static void assertSliced(TestingSync sync, Run run, String table, int slices, long rows) {
    List<Job> jobs =
        sync.db().runs().jobs(run.runId()).stream()
            .filter(job -> job.table().table().equals(table))
            .toList();
    assertThat(jobs).hasSize(slices);
    assertThat(jobs.stream().mapToLong(Job::rows).sum()).isEqualTo(rows);
    assertThat(jobs).extracting(Job::upperBound).containsOnly(jobs.get(0).upperBound());
    // A fair share each, as the keys are spread.
    assertThat(jobs)
        .allSatisfy(job -> assertThat(job.rows()).isGreaterThan(rows / slices * 6 / 10));
  }

  private static void assertNoOffsetsOfSlices(TestingSync sync) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              JsonNode offsets = sync.rest().offsets(sync.sourceName()).path("offsets");
              assertThat(offsets).isNotEmpty();
              assertThat(offsets)
                  .allSatisfy(
                      offset -> assertThat(offset.path("partition").has("slice")).isFalse());
            });
  }
}
