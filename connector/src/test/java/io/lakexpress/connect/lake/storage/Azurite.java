package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Microsoft's emulator of Azure storage as a process of its own, one for all tests of this JVM. It
 * is an npm package: where Node or npm is absent it says so once and is absent, too.
 */
final class Azurite {
  private static final String VERSION = "3.35.0";
  private static final Duration INSTALL = Duration.ofMinutes(5);
  private static final Optional<Azurite> SHARED = start();

  private final int port;

  private Azurite(int port) {
    this.port = port;
  }

  /** The running emulator; empty where it cannot run. */
  static Optional<Azurite> shared() {
    return SHARED;
  }

  int port() {
    return port;
  }

  private static Optional<Azurite> start() {
    try {
      if (!runs("node", "--version")) {
        System.out.println("SKIPPED: the Azure tests need Node.js for Azurite " + VERSION);
        return Optional.empty();
      }
      Optional<Path> program = installed();
      if (program.isEmpty()) {
        System.out.println("SKIPPED: the Azure tests need npm to install Azurite " + VERSION);
        return Optional.empty();
      }
      return Optional.of(started(program.get()));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start Azurite", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while starting Azurite", e);
    }
  }

  private static Azurite started(Path program) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path log = Files.createTempFile("azurite", ".log");
    Process process =
        new ProcessBuilder(
                "node",
                program.toString(),
                "--inMemoryPersistence",
                "--skipApiVersionCheck",
                "--disableTelemetry",
                "--silent",
                "--blobHost",
                "127.0.0.1",
                "--blobPort",
                Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Awaitility.await("Azurite, see " + log)
        .pollInSameThread()
        .atMost(Duration.ofSeconds(60))
        .until(() -> answers(port));
    return new Azurite(port);
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** The emulator's program, installed once for this user. */
  private static Optional<Path> installed() throws IOException, InterruptedException {
    Path folder =
        Path.of(System.getProperty("user.home"), ".cache", "lakexpress", "azurite-" + VERSION);
    Path program = folder.resolve("node_modules/azurite/dist/src/blob/main.js");
    Path mark = folder.resolve("installed");
    Files.createDirectories(folder);
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid() && Files.exists(mark)) {
        return Optional.of(program);
      }
      List<String> install =
          List.of(
              "npm",
              "install",
              "--no-audit",
              "--no-fund",
              "--no-save",
              "--prefix",
              folder.toString(),
              "azurite@" + VERSION);
      if (!runs(install.toArray(String[]::new)) || !Files.exists(program)) {
        return Optional.empty();
      }
      Files.writeString(mark, VERSION, UTF_8);
      return Optional.of(program);
    }
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(INSTALL.toSeconds(), TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException absent) {
      return false;
    }
  }
}
