package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.LakexpressDbException.Kind;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the file in an SQLite URL. */
final class SqliteFile {
  private static final String FILE_SCHEME = "file:";

  private SqliteFile() {}

  /** Empty if the URL is not one of SQLite; a database in memory is refused. */
  static Optional<Path> of(String url) {
    if (!url.startsWith(Flavour.SQLITE.urlPrefix())) {
      return Optional.empty();
    }
    String name = url.substring(Flavour.SQLITE.urlPrefix().length());
    int options = name.indexOf('?');
    if (options >= 0) {
      name = name.substring(0, options);
    }
    if (name.startsWith(FILE_SCHEME)) {
      name = name.substring(FILE_SCHEME.length());
    }
    if (name.isEmpty() || name.startsWith(":")) {
      throw new LakexpressDbException(
          "Invalid LakeXpress DB URL '"
              + Flavour.SQLITE.urlPrefix()
              + name
              + "': expected a file, the connectors would each see an empty database",
          null,
          Kind.LASTING);
    }
    return Optional.of(Path.of(name).toAbsolutePath());
  }
}
