package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lakexpress.connect.lake.file.LakeStorage;
import java.net.URLDecoder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

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
   * A folder of a bucket.
   *
   * @param prefix without slashes at its ends; empty for the whole bucket
   */
  record Bucket(String bucket, String prefix, S3Access access) implements LakeLocation {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,254}");

    public Bucket {
      if (!NAME.matcher(bucket).matches()) {
        throw new IllegalArgumentException(
            "Invalid lake URL: expected the name of a bucket after s3://, as in s3://bucket/dir");
      }
    }

    @Override
    public LakeStorage open() {
      return new S3Storage(bucket, prefix, access);
    }

    @Override
    public String text() {
      return prefix.isEmpty() ? "s3://" + bucket : "s3://" + bucket + "/" + prefix;
    }
  }

  /** A folder of a container of an Azure account. */
  record Container(AzurePlace place, AzureAccess.Login login) implements LakeLocation {
    @Override
    public LakeStorage open() {
      return new AzureStorage(place, login);
    }

    @Override
    public String text() {
      return place.text();
    }
  }

  /** How the stores are reached that need more than a place. */
  record Access(S3Access s3, AzureAccess azure) {
    /** The default chains of all stores. */
    public static Access byDefault() {
      return new Access(S3Access.byDefaultChain(), AzureAccess.byManagedIdentity());
    }
  }

  /**
   * Parses {@code file:///dir}, a plain absolute path, {@code s3://bucket/dir}, or {@code
   * abfss://container@account.dfs.core.windows.net/dir}.
   *
   * @throws IllegalArgumentException saying what is expected; it never repeats a URL that could
   *     hold a secret
   */
  static LakeLocation parse(String url, Access access) {
    String text = url.strip();
    if (text.startsWith("/")) {
      return folder(text);
    }
    int colon = text.indexOf(':');
    String scheme = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "file" -> folder(pathOf(text.substring(colon + 1)));
      case "s3", "s3a", "s3n" -> bucket(text.substring(colon + 1), access);
      case "abfss", "abfs", "abs", "wasbs" -> container(text.substring(colon + 1), access);
      default ->
          throw new IllegalArgumentException(
              "Invalid lake URL: expected file:///dir, s3://bucket/dir,"
                  + " abfss://container@account.dfs.core.windows.net/dir or an absolute path");
    };
  }

  private static LakeLocation bucket(String afterScheme, Access access) {
    if (!afterScheme.startsWith("//")) {
      throw new IllegalArgumentException("Invalid lake URL: expected s3://bucket/dir");
    }
    String path = afterScheme.substring(2);
    int slash = path.indexOf('/');
    String bucket = slash < 0 ? path : path.substring(0, slash);
    String prefix = prefix(slash < 0 ? "" : path.substring(slash));
    return new Bucket(bucket, prefix, access.s3());
  }

  private static LakeLocation container(String afterScheme, Access access) {
    if (!afterScheme.startsWith("//")) {
      throw new IllegalArgumentException(
          "Invalid lake URL: expected abfss://container@account.dfs.core.windows.net/dir");
    }
    String path = afterScheme.substring(2);
    int slash = path.indexOf('/');
    String authority = slash < 0 ? path : path.substring(0, slash);
    String prefix = prefix(slash < 0 ? "" : path.substring(slash));
    return new Container(AzureUrl.place(authority, prefix, access.azure()), access.azure().login());
  }

  private static String prefix(String path) {
    String prefix = decoded(path).replaceAll("^/+|/+$", "");
    for (String folder : prefix.split("/", -1)) {
      if (!prefix.isEmpty() && (folder.isEmpty() || folder.equals(".") || folder.equals(".."))) {
        throw new IllegalArgumentException(
            "Invalid lake URL: expected folders separated by one '/', as in a/b");
      }
    }
    return prefix;
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
    return decoded(path);
  }

  private static String decoded(String path) {
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
