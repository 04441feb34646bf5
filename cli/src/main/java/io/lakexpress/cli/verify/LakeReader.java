package io.lakexpress.cli.verify;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads a lake folder with DuckDB, which shares no code with the writer of the files. */
public final class LakeReader implements AutoCloseable {
  private final Connection connection;
  private final Path base;

  private LakeReader(Connection connection, Path base) {
    this.connection = connection;
    this.base = base;
  }

  /** One visible file. */
  public record LakeFile(String name, long rows) {}

  public static LakeReader open(Path base) throws SQLException {
    return new LakeReader(DriverManager.getConnection("jdbc:duckdb:"), base);
  }

  /** Every value of a table's visible files. */
  public Checksum checksum(String folder, String columns) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT " + columns + " FROM read_parquet(?)")) {
      statement.setString(1, glob(folder));
      try (ResultSet result = statement.executeQuery()) {
        return Checksum.of(result);
      }
    }
  }

  /** A table's visible files with their rows, by name. */
  public List<LakeFile> files(String folder) throws SQLException {
    List<LakeFile> files = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT file_name, num_rows FROM parquet_file_metadata(?) ORDER BY 1")) {
      statement.setString(1, glob(folder));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          Path file = Path.of(result.getString(1));
          files.add(new LakeFile(file.getFileName().toString(), result.getLong(2)));
        }
      }
    }
    return files;
  }

  private String glob(String folder) {
    return base.resolve(folder) + "/*.parquet";
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
