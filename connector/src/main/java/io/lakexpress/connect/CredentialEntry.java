package io.lakexpress.connect;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.types.Password;

/** Turns one entry of a credentials file into a typed value. */
final class CredentialEntry {
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:env)?\\{([A-Za-z_][A-Za-z0-9_]*)\\}");
  private static final String TYPES =
      "postgres, mssql, sqlite, s3, azure, snowflake, duckdb, local";

  private final Path file;
  private final String id;
  private final JsonNode entry;
  private final JsonNode info;
  private final Function<String, String> environment;

  CredentialEntry(Path file, String id, JsonNode entry, Function<String, String> environment) {
    this.file = file;
    this.id = id;
    this.entry = entry;
    this.info = entry.path("info");
    this.environment = environment;
  }

  Credential credential() {
    if (!entry.isObject() || !info.isObject()) {
      throw invalid("info", "expected a JSON object");
    }
    String type = entry.path("ds_type").asText("");
    return switch (type) {
      case "postgres" -> server(DatabaseProduct.POSTGRESQL, 5432);
      case "mssql" -> server(DatabaseProduct.SQL_SERVER, 1433);
      case "sqlite" ->
          new Credential.Database(
              id,
              DatabaseProduct.SQLITE,
              "",
              0,
              required("filepath"),
              "",
              new Password(""),
              Map.of());
      case "local" -> new Credential.Local(id, required("directory"));
      case "s3" -> s3();
      case "azure" -> azure();
      case "snowflake" -> snowflake();
      case "duckdb" -> duckDb();
      case "" -> throw invalid("ds_type", "expected one of " + TYPES);
      default ->
          throw invalid("ds_type", "'" + type + "' is not offered, expected one of " + TYPES);
    };
  }

  private Credential server(DatabaseProduct product, int defaultPort) {
    String server = required("server");
    if (!server.matches("[A-Za-z0-9._:\\[\\]%-]+")) {
      throw invalid("server", "expected a host name or address alone");
    }
    return new Credential.Database(
        id,
        product,
        server,
        port(defaultPort),
        required("database"),
        required("username"),
        new Password(required("password")),
        options());
  }

  private int port(int defaultPort) {
    String text = text("port").orElse(Integer.toString(defaultPort));
    if (!text.matches("[0-9]{1,5}")
        || Integer.parseInt(text) < 1
        || Integer.parseInt(text) > 65535) {
      throw invalid("port", "expected a number from 1 to 65535");
    }
    return Integer.parseInt(text);
  }

  /** An object of driver properties, or a text as it would stand in a URL. */
  private Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    if (info.path("options").isObject()) {
      for (Map.Entry<String, JsonNode> option : info.path("options").properties()) {
        options.put(option.getKey(), resolve("options." + option.getKey(), option.getValue()));
      }
      return options;
    }
    for (String option : text("options").orElse("").split("[&;]")) {
      int equals = option.indexOf('=');
      if (equals > 0) {
        options.put(option.substring(0, equals).strip(), option.substring(equals + 1).strip());
      } else if (!option.isBlank()) {
        throw invalid("options", "expected name=value, joined by & or ;");
      }
    }
    return options;
  }

  private Credential s3() {
    return new Credential.S3(
        id,
        required("directory"),
        text("profile", "profile_name").orElse(null),
        text("aws_access_key_id").orElse(null),
        secret("aws_secret_access_key"),
        text("region").orElse(null),
        text("endpoint_url").orElse(null));
  }

  private Credential azure() {
    Optional<String> connectionString = text("connection_string");
    return new Credential.Azure(
        id,
        required("directory"),
        connectionString.isPresent() ? null : required("azure_tenant_id"),
        connectionString.isPresent() ? null : required("azure_client_id"),
        connectionString.isPresent() ? null : new Password(required("azure_client_secret")),
        connectionString.map(Password::new).orElse(null));
  }

  private Credential snowflake() {
    if (text("password", "token", "private_key_file").isEmpty()) {
      throw invalid("password", "expected it, or token, or private_key_file");
    }
    return new Credential.Snowflake(
        id,
        required("account"),
        required("user"),
        secret("password"),
        secret("token"),
        text("private_key_file").orElse(null),
        secret("private_key_file_pwd"),
        required("warehouse"),
        required("database"),
        text("stage").orElse(null),
        text("role").orElse(null));
  }

  private Credential duckDb() {
    String filepath = required("filepath");
    if (filepath.equals(":memory:")) {
      throw invalid("filepath", "expected a file, a database in memory would be lost");
    }
    return new Credential.DuckDb(id, filepath);
  }

  private Password secret(String key) {
    return text(key).map(Password::new).orElse(null);
  }

  private String required(String key) {
    return text(key).orElseThrow(() -> invalid(key, "missing"));
  }

  private Optional<String> text(String... spellings) {
    return Arrays.stream(spellings)
        .filter(info::hasNonNull)
        .map(key -> resolve(key, info.path(key)))
        .filter(text -> !text.isEmpty())
        .findFirst();
  }

  private String resolve(String key, JsonNode value) {
    if (!value.isValueNode()) {
      throw invalid(key, "expected a text");
    }
    Matcher matcher = VARIABLE.matcher(value.asText());
    StringBuilder resolved = new StringBuilder();
    while (matcher.find()) {
      String set = environment.apply(matcher.group(1));
      if (set == null) {
        throw invalid(key, "environment variable " + matcher.group(1) + " is not set");
      }
      matcher.appendReplacement(resolved, Matcher.quoteReplacement(set));
    }
    return matcher.appendTail(resolved).toString();
  }

  private CredentialsException invalid(String key, String reason) {
    return new CredentialsException(
        "Invalid credential '" + id + "' in " + file + ": key '" + key + "': " + reason);
  }
}
