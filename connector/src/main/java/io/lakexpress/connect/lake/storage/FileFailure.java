package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.StorageException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NotDirectoryException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * A known kind of failure of a file system, with what to do. What fits none of them may pass by
 * itself: lost mounts, stale handles, failing disks, too many open files.
 */
record FileFailure(Predicate<IOException> fits, Outlook outlook, String advice) {
  private enum Outlook {
    /** Trying again helps only after a person mended it; a task that waits would hide that. */
    LASTING,
    /** Writing goes on by itself as soon as there is room, and nothing is lost meanwhile. */
    PASSING
  }

  /** The one table; the first row that fits counts. */
  private static final List<FileFailure> KNOWN =
      List.of(
          new FileFailure(
              failure ->
                  failure instanceof AccessDeniedException
                      || says(failure, "permission denied", "operation not permitted"),
              Outlook.LASTING,
              "give the worker's user the right to write there"),
          new FileFailure(
              failure -> says(failure, "read-only file system"),
              Outlook.LASTING,
              "mount the file system for writing"),
          new FileFailure(
              failure -> says(failure, "no space left", "quota exceeded"),
              Outlook.PASSING,
              "free space or raise the quota"),
          new FileFailure(
              failure ->
                  failure instanceof NotDirectoryException
                      || failure instanceof FileAlreadyExistsException
                      || says(failure, "not a directory"),
              Outlook.LASTING,
              "something else than a folder is in the way"),
          new FileFailure(
              failure ->
                  failure instanceof FileSystemLoopException
                      || says(failure, "file name too long", "too many levels of symbolic links"),
              Outlook.LASTING,
              "the file system cannot hold this name"));

  /**
   * @param deed what could not be done, as in "Cannot publish /lake/a/b.parquet"
   */
  static StorageException of(String deed, IOException failure) {
    String message = deed + ": " + reason(failure);
    return KNOWN.stream()
        .filter(kind -> kind.fits.test(failure))
        .findFirst()
        .map(kind -> kind.exception(message, failure))
        .orElseGet(() -> StorageException.passing(message, failure));
  }

  private StorageException exception(String message, IOException failure) {
    String advised = message + " (" + advice + ")";
    return switch (outlook) {
      case LASTING -> StorageException.lasting(advised, failure);
      case PASSING -> StorageException.passing(advised, failure);
    };
  }

  /** The system's own words without the path, which the deed names already. */
  private static String reason(IOException failure) {
    if (failure instanceof FileSystemException detailed && detailed.getReason() != null) {
      return detailed.getReason();
    }
    if (failure instanceof AccessDeniedException) {
      return "access denied";
    }
    if (failure instanceof NotDirectoryException) {
      return "not a folder";
    }
    if (failure instanceof FileSystemException || failure.getMessage() == null) {
      return failure.getClass().getSimpleName();
    }
    return failure.getMessage();
  }

  private static boolean says(IOException failure, String... texts) {
    String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return Arrays.stream(texts).anyMatch(message::contains);
  }
}
