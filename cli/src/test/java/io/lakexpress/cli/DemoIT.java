package io.lakexpress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's first command, as its reader types it. */
final class DemoIT {
  @TempDir private Path directory;

  @Test
  void demoLandsBothSyncsAndEveryTableAgrees() throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process demo =
        new ProcessBuilder("./LakeXpress", "demo")
            .directory(Path.of("..").toAbsolutePath().normalize().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(demo.waitFor(8, TimeUnit.MINUTES)).as("the demo ends by itself").isTrue();
    } finally {
      demo.destroy();
    }
    String told = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(demo.exitValue()).as(told).isZero();
    assertThat(told)
        .contains("run 1 opened")
        .contains("run 2 opened")
        .contains("inserted 250 orders")
        .containsPattern("landed +tpch_1_incremental.orders +250 rows +above")
        .contains("\"last_exported_value\"")
        .contains("All tables agree.")
        .doesNotContain("DIFFERS")
        .doesNotContain("\tat ");
    assertThat(told.lines().filter(line -> line.startsWith("  agrees "))).hasSize(8);
  }
}
