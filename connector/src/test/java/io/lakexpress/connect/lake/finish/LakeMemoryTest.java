package io.lakexpress.connect.lake.finish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory follows data and stays within its budget, whatever the number of open files is. */
class LakeMemoryTest {
  private static final int SMALL = 100;
  private static final int LARGE = 400_000;

  @TempDir Path folder;

  private record Outcome(int code, String output) {}

  private Outcome inHeapOf(String megabytes, int topics, int rowBytes, long budget)
      throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + megabytes,
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                ThousandRows.class.getName(),
                folder.resolve("lake").toString(),
                Integer.toString(topics),
                Integer.toString(rowBytes),
                Long.toString(budget))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("ends in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
  }

  private long filesInLake() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("lake"))) {
      return files.filter(file -> file.toString().endsWith(".parquet")).count();
    }
  }

  /** Case K1: a fixed buffer for each open file, whatever is in it, kills the worker. */
  @Test
  void aRowOfEachOfAThousandTopicsFitsInHalfAGigabyte() throws Exception {
    Outcome outcome = inHeapOf("512m", 1_000, SMALL, 0);

    assertThat(outcome.output()).contains("open 1000, early 0");
    assertThat(outcome.code()).isZero();
    assertThat(filesInLake()).isEqualTo(1_000);
  }

  /** Case K2: a backlog larger than the heap is rolled early, instead of killing the worker. */
  @Test
  void rowsThatAreLargerThanTheHeapTogetherAreRolledEarly() throws Exception {
    Outcome outcome = inHeapOf("256m", 1_000, LARGE, 0);

    assertThat(outcome.output()).doesNotContain("early 0");
    assertThat(outcome.code()).isZero();
    assertThat(filesInLake()).isEqualTo(1_000);
  }

  /** Case K3: rows go into the file as they come, not when Connect flushes; it never does here. */
  @Test
  @Tag("long")
  void oneFileLargerThanTheHeapIsWrittenAsItsRowsCome() throws Exception {
    Outcome outcome = inHeapOf("256m", 1, LARGE, Long.MAX_VALUE);

    assertThat(outcome.output()).contains("early 0");
    assertThat(outcome.code()).isZero();
    assertThat(filesInLake()).isEqualTo(1L);
  }

  /** Proves that the other tests notice: without its budget the same rows do not fit. */
  @Test
  @Tag("long")
  void withoutTheBudgetTheSameRowsDoNotFit() throws Exception {
    assertThat(inHeapOf("256m", 1_000, LARGE, Long.MAX_VALUE).code()).isEqualTo(3);
  }
}
