package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.read.ReaderSettings.Slicing;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.SliceSpec;
import io.lakexpress.watermark.TableId;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sliced tables of a real PostgreSQL, by each method, with a real LakeXpress DB. */
class PostgresSlicedTest {
  @TempDir Path folder;

  private static Slicing slicing(int degree, String... overrides) {
    return new Slicing(degree, 2, 0, Stream.of(overrides).map(SliceSpec::parse).toList());
  }

  private static Integer[] ids(int first, int last) {
    return IntStream.rangeClosed(first, last).boxed().toArray(Integer[]::new);
  }

  private static List<Object> ids(List<Struct> rows) {
    return rows.stream().map(row -> row.get("id")).toList();
  }

  @Test
  void windowsAndExportsOfEachMethodAreWholeAlsoAfterARestartInside() {
    try (PostgresTask task =
        new PostgresTask(folder, "public.ev:at:timestamp,public.rg:at:timestamp")) {
      task.slicing =
          slicing(3, "public.rg:RangeId:id:4", "public.nt:Ntile:id:4", "public.ct:Ctid::4");
      task.batchRows = 10;
      for (String table : List.of("ev", "rg", "nt", "ct", "md")) {
        String key = table.equals("ct") ? "" : " PRIMARY KEY";
        task.postgres.run(
            "CREATE TABLE " + table + " (id int" + key + ", at timestamptz NOT NULL, t text)",
            "INSERT INTO "
                + table
                + " SELECT g, '2024-06-01Z', '"
                + table
                + "' FROM generate_series(1, 200) g");
      }
      task.windowsEndAt("2024-12-01T00:00:00Z").start();
      task.until(() -> task.rows().size() > 300);
      task.restart();
      task.firstRun();

      Run run = task.db.runs().latestRun(PostgresTask.SYNC).orElseThrow();
      assertThat(run.status()).isEqualTo(Status.DELIVERED);
      List<Job> jobs = task.db.runs().jobs(run.runId());
      assertThat(jobs).hasSize(3 + 4 + 4 + 4 + 3);
      assertThat(jobs.stream().mapToLong(Job::rows).sum()).isEqualTo(1000);
      for (String table : List.of("ev", "rg")) {
        assertThat(ids(rowsOf(task.rows(), table)))
            .containsExactlyInAnyOrder((Object[]) ids(1, 200));
        assertThat(task.offsetValue(new TableId("public", table)))
            .isEqualTo(task.mirroredValue(new TableId("public", table)))
            .isEqualTo("2024-12-01T00:00:00Z");
      }
      for (Job job : jobs) {
        assertThat(task.rowsOf(job.jobId()))
            .as("%s %s", job.table(), job.slice())
            .hasSize((int) job.rows());
      }

      for (String table : List.of("ev", "rg")) {
        task.postgres.run(
            "INSERT INTO "
                + table
                + " SELECT g, '2025-06-01Z', '"
                + table
                + "' FROM generate_series(201, 260) g");
      }
      List<Struct> second = PostgresTask.rows(task.windowsEndAt("2025-12-01T00:00:00Z").run());
      assertThat(ids(rowsOf(second, "ev"))).containsExactlyInAnyOrder((Object[]) ids(201, 260));
      assertThat(ids(rowsOf(second, "rg"))).containsExactlyInAnyOrder((Object[]) ids(201, 260));
      assertThat(ids(rowsOf(second, "ct"))).containsExactlyInAnyOrder((Object[]) ids(1, 200));
    }
  }

  private static List<Struct> rowsOf(List<Struct> rows, String table) {
    return rows.stream().filter(row -> table.equals(row.get("t"))).toList();
  }
}
