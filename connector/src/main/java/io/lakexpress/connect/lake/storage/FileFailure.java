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
 * A failure of a file system that a person must mend, with what to do. What fits none of the known
 * kinds may pass by itself: lost mounts, stale handles, failing disks, too many open files.
 */
record FileFailure(Predicate<IOException> fits, String advice) {
  /** The one table; the first row that fits counts. */
  private static final List<FileFailure> LASTING =
      List.of(
          new FileFailure(
              failure ->
                  failure instanceof AccessDeniedException
                      || says(failure, "permission denied", "operation not permitted"),
              "give the worker's user the right to write there"),
          new FileFailure(
              failure -> says(failure, "read-only file system"),
              "mount the file system for writing"),
          new FileFailure(
              failure -> says(failure, "no space left", "quota exceeded"),
              "free space or raise the quota"),
          new FileFailure(
              failure ->
                  failure instanceof NotDirectoryException
                      || failure instanceof FileAlreadyExistsException
                      || says(failure, "not a directory"),
              "something else than a folder is in the way"),
          new FileFailure(
              failure ->
                  failure instanceof FileSystemLoopException
                      || says(failure, "file name too long", "too many levels of symbolic links"),
              "the file system cannot hold this name"));

  /**
   * @param deed what could not be done, as in "Cannot publish /lake/a/b.parquet"
   */
  static StorageException of(String deed, IOException failure) {
    String message = deed + ": " + reason(failure);
    return LASTING.stream()
        .filter(kind -> kind.fits.test(failure))
        .findFirst()
        .map(kind -> StorageException.lasting(message + " (" + kind.advice + ")", failure))
        .orElseGet(() -> StorageException.passing(message, failure));
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
