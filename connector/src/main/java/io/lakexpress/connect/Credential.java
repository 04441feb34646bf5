package io.lakexpress.connect;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.config.types.Password;

/** One entry of a credentials file. Secrets are held as passwords, which never show themselves. */
public sealed interface Credential {
  /** The name it is referred to by. */
  String id();

  /** The word under {@code ds_type}. */
  String type();

  /**
   * A database to read, or the LakeXpress DB.
   *
   * @param server empty for SQLite
   * @param database its name; the path of the file for SQLite
   * @param user empty for SQLite
   * @param password empty for SQLite
   * @param options further properties of the JDBC driver
   */
  record Database(
      String id,
      DatabaseProduct product,
      String server,
      int port,
      String database,
      String user,
      Password password,
      Map<String, String> options)
      implements Credential {
    public Database {
      Objects.requireNonNull(database, "database");
      options = Map.copyOf(options);
    }

    @Override
    public String type() {
      return product.type();
    }

    /**
     * How to reach it.
     *
     * @param otherDatabase the name of another database on the same server, or null
     * @param driver driver properties that come before the credential's own
     */
    public DatabaseSettings settings(String otherDatabase, Map<String, String> driver) {
      String name = otherDatabase == null ? database : otherDatabase;
      String host =
          server.indexOf(':') >= 0 && !server.startsWith("[") ? "[" + server + "]" : server;
      String url =
          switch (product) {
            case POSTGRESQL ->
                "jdbc:postgresql://"
                    + host
                    + ":"
                    + port
                    + "/"
                    + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
            case SQL_SERVER ->
                "jdbc:sqlserver://"
                    + host
                    + ":"
                    + port
                    + ";databaseName={"
                    + name.replace("}", "}}")
                    + "}";
            case SQLITE -> "jdbc:sqlite:" + name;
          };
      Map<String, String> properties = new LinkedHashMap<>(options);
      properties.putAll(driver);
      return new DatabaseSettings(url, user, password.value(), properties);
    }
  }

  /** A folder on the workers' own file system. */
  record Local(String id, String directory) implements Credential {
    @Override
    public String type() {
      return "local";
    }
  }

  /**
   * A bucket of S3 or of a store that speaks its protocol; keys are null where a profile is used.
   *
   * @param directory {@code s3://bucket/path}
   */
  record S3(
      String id,
      String directory,
      String profileName,
      String accessKeyId,
      Password secretAccessKey,
      String regionName,
      String endpointUrl)
      implements Credential {
    @Override
    public String type() {
      return "s3";
    }

    public Optional<String> profile() {
      return Optional.ofNullable(profileName);
    }

    public Optional<String> region() {
      return Optional.ofNullable(regionName);
    }

    public Optional<String> endpoint() {
      return Optional.ofNullable(endpointUrl);
    }
  }

  /** A container of Azure storage, by service principal or by connection string (else null). */
  record Azure(
      String id,
      String directory,
      String tenantId,
      String clientId,
      Password clientSecret,
      Password connectionString)
      implements Credential {
    @Override
    public String type() {
      return "azure";
    }
  }

  /** A Snowflake account to publish to, by password, token or key pair (the others are null). */
  record Snowflake(
      String id,
      String account,
      String user,
      Password password,
      Password token,
      String privateKeyFile,
      Password privateKeyPassword,
      String warehouse,
      String database,
      String stage,
      String role)
      implements Credential {
    @Override
    public String type() {
      return "snowflake";
    }
  }

  /** A DuckDB file to publish to. */
  record DuckDb(String id, String filepath) implements Credential {
    @Override
    public String type() {
      return "duckdb";
    }
  }
}
