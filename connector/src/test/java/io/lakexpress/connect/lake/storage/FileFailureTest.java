package io.lakexpress.connect.lake.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lakexpress.connect.lake.file.StorageException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class FileFailureTest {
  @ParameterizedTest
  @MethodSource("failures")
  void tableDecidesWhetherAFailureMayPass(IOException failure, boolean retriable, String message) {
    StorageException result = FileFailure.of("Cannot write /lake/x", failure);
    assertThat(result.isRetriable()).isEqualTo(retriable);
    assertThat(result).hasMessage("Cannot write /lake/x: " + message).hasCause(failure);
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(
            new AccessDeniedException("/lake/x"),
            false,
            "access denied (give the worker's user the right to write there)"),
        arguments(
            new FileSystemException("/lake/x", null, "Read-only file system"),
            false,
            "Read-only file system (mount the file system for writing)"),
        arguments(
            new IOException("No space left on device"),
            true,
            "No space left on device (free space or raise the quota)"),
        arguments(
            new IOException("Disk quota exceeded"),
            true,
            "Disk quota exceeded (free space or raise the quota)"),
        arguments(
            new NotDirectoryException("/lake"),
            false,
            "not a folder (something else than a folder is in the way)"),
        arguments(
            new FileSystemException("/lake/x", null, "File name too long"),
            false,
            "File name too long (the file system cannot hold this name)"),
        arguments(new IOException("Input/output error"), true, "Input/output error"),
        arguments(
            new FileSystemException("/lake/x", null, "Stale file handle"),
            true,
            "Stale file handle"),
        arguments(new NoSuchFileException("/lake/x"), true, "NoSuchFileException"));
  }
}
