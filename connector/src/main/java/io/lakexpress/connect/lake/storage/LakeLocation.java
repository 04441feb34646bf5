package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lakexpress.connect.lake.file.LakeStorage;
import java.net.URLDecoder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/** Where a lake is, parsed from {@code lake.url}; parsing reaches for nothing. */
public sealed interface LakeLocation {

  /** The storage at this place. Opening reaches for nothing either. */
  LakeStorage open();

  /** The place as people read it, without secrets. */
  String text();

  /** A folder of this machine or of a file system it mounts. */
  record LocalFolder(Path directory) implements LakeLocation {
    public LocalFolder {
      if (!directory.isAbsolute()) {
        throw new IllegalArgumentException(
            "Invalid lake folder '" + directory + "': expected an absolute path");
      }
      directory = directory.normalize();
    }

    @Override
    public LakeStorage open() {
      return new LocalStorage(directory);
    }

    @Override
    public String text() {
      return "file://" + directory;
    }
  }

  /**
   * Parses {@code file:///dir} or a plain absolute path.
   *
   * @throws IllegalArgumentException saying what is expected; it never repeats a URL that could
   *     hold a secret
   */
  static LakeLocation parse(String url) {
    String text = url.strip();
    if (text.startsWith("/")) {
      return folder(text);
    }
    int colon = text.indexOf(':');
    String scheme = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "file" -> folder(pathOf(text.substring(colon + 1)));
      case "s3", "s3a", "s3n", "abfss", "abfs", "abs", "azure", "wasbs", "gs" ->
          throw new IllegalArgumentException(
              "Invalid lake URL of scheme '"
                  + scheme
                  + "': this version writes lakes on file systems only (file:///dir); S3 and Azure"
                  + " come with the next release");
      default ->
          throw new IllegalArgumentException(
              "Invalid lake URL: expected file:///dir or an absolute path");
    };
  }

  private static String pathOf(String afterScheme) {
    String path = afterScheme;
    if (path.startsWith("//")) {
      int slash = path.indexOf('/', 2);
      String host = slash < 0 ? path.substring(2) : path.substring(2, slash);
      if (slash < 0 || !(host.isEmpty() || host.equals("localhost"))) {
        throw new IllegalArgumentException(
            "Invalid lake URL: expected three slashes and an absolute path, as in file:///dir");
      }
      path = path.substring(slash);
    }
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException invalid) {
      throw new IllegalArgumentException(
          "Invalid lake URL: expected %25 for a percent sign in the path", invalid);
    }
  }

  private static LakeLocation folder(String path) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("Invalid lake URL: expected an absolute path after file:");
    }
    try {
      return new LocalFolder(Path.of(path));
    } catch (InvalidPathException invalid) {
      throw new IllegalArgumentException(
          "Invalid lake URL: this machine cannot name the folder (" + invalid.getReason() + ")",
          invalid);
    }
  }
}
