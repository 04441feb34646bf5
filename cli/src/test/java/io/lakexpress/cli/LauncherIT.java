package io.lakexpress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script at the root, on what the build has just packaged. */
final class LauncherIT {
  private static final Path LAUNCHER = Path.of("..", "LakeXpress").toAbsolutePath().normalize();

  @TempDir Path directory;

  private record Ended(int exitCode, String printed) {}

  @Test
  void itWorksFromAnyDirectoryAndThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("lx"), LAUNCHER);

    Ended ended = run(Map.of(), link.toString(), "--version");

    assertThat(ended.printed()).startsWith("LakeXpress Connect ");
    assertThat(ended.exitCode()).isZero();
    Files.delete(link);
  }

  @Test
  void aPortInUseIsOneLineAndExitCodeTwo() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());

      Ended ended =
          run(Map.of(), LAUNCHER.toString(), "up", "--data-dir", "data", "--rest-port", port);

      assertThat(ended.printed())
          .isEqualTo(
              "Cannot listen on port " + port + ": it is in use; give another with --rest-port\n");
      assertThat(ended.exitCode()).isEqualTo(2);
    }
  }

  @Test
  void aJavaThatIsTooOldIsNamed() throws Exception {
    Path java = directory.resolve("jdk").resolve("bin").resolve("java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();

    Ended ended =
        run(
            Map.of("JAVA_HOME", directory.resolve("jdk").toString()),
            LAUNCHER.toString(),
            "--version");

    assertThat(ended.printed())
        .isEqualTo("Cannot start: " + java + " is version 11; LakeXpress needs Java 17 or newer\n");
    assertThat(ended.exitCode()).isEqualTo(2);
  }

  private Ended run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), printed);
  }
}
