package io.lakexpress.connect.lake.file;

import java.util.Objects;

/**
 * The place of one file below the base of the lake, folders separated by {@code /}, for example
 * {@code sales/orders/part-….parquet}. It never begins or ends with a slash and never holds an
 * empty folder, {@code .} or {@code ..}, so that it cannot leave the base.
 */
public record LakePath(String value) {
  public LakePath {
    Objects.requireNonNull(value, "value");
    for (String folder : value.split("/", -1)) {
      if (folder.isEmpty() || folder.equals(".") || folder.equals("..")) {
        throw new IllegalArgumentException(
            "Invalid lake path '" + value + "': expected folders and a file name separated by '/'");
      }
    }
  }

  /** The last part of the path. */
  public String fileName() {
    return value.substring(value.lastIndexOf('/') + 1);
  }

  /** The path without its last part; empty for a file directly below the base. */
  public String folder() {
    int slash = value.lastIndexOf('/');
    return slash < 0 ? "" : value.substring(0, slash);
  }

  @Override
  public String toString() {
    return value;
  }
}
