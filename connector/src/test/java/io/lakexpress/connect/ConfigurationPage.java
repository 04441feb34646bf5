package io.lakexpress.connect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;

/** Prints docs/configuration.md from what the connectors define. */
final class ConfigurationPage {
  private static final String HEAD =
      """
      # Configuration

      Every key of the connectors, printed from their definitions. Keys of Kafka Connect itself
      (`name`, `tasks.max`, `topics`, converters, `errors.*` …) are described in its own
      documentation. A key without default and without the word *required* may be left out.
      """;

  private static final String CREDENTIALS =
      """

      ## Credentials file

      The file under `credentials.file` is a JSON object. Each of its keys is a name that the
      `*.auth.id` keys refer to:

      ```json
      {
        "shop": {
          "ds_type": "postgres",
          "auth_mode": "classic",
          "info": {"username": "reader", "password": "$env{SHOP_PASSWORD}", "server": "db.example.com", "port": 5432, "database": "shop"}
        }
      }
      ```

      `$env{NAME}` and `${NAME}` inside a text stand for environment variables of the worker. A file
      that every user of the machine can read is reported with a warning.

      | `ds_type` | keys of `info` (default) |
      |---|---|
      | `postgres` | `username`, `password`, `server`, `port` (5432), `database`, `options`: driver properties, as an object or as `name=value` joined by `&` |
      | `mssql` | the same, `port` (1433) |
      | `sqlite` | `filepath` |
      | `local` | `directory` |
      | `s3` | `directory` (`s3://bucket/path`), `profile`; or `aws_access_key_id`, `aws_secret_access_key`; `region`, `endpoint_url` |
      | `azure` | `directory`, `azure_tenant_id`, `azure_client_id`, `azure_client_secret`; or `directory`, `connection_string` |
      | `snowflake` | `account`, `user`, `password` or `token` or `private_key_file` (with `private_key_file_pwd`), `warehouse`, `database`, `stage`, `role` |
      | `duckdb` | `filepath` |
      """;

  /** One connector: the title of its part, what to say about it, and its keys. */
  record Part(String title, String text, ConfigDef definition) {}

  private ConfigurationPage() {}

  static String print(List<Part> parts) {
    StringBuilder page = new StringBuilder(HEAD);
    for (Part part : parts) {
      page.append("\n## ").append(part.title()).append("\n\n").append(part.text()).append('\n');
      groups(part.definition()).forEach((group, keys) -> printGroup(page, group, keys));
    }
    return page.append(CREDENTIALS).toString();
  }

  private static Map<String, List<ConfigDef.ConfigKey>> groups(ConfigDef definition) {
    return definition.configKeys().values().stream()
        .filter(key -> !key.internalConfig)
        .collect(Collectors.groupingBy(key -> key.group, LinkedHashMap::new, Collectors.toList()));
  }

  private static void printGroup(StringBuilder page, String group, List<ConfigDef.ConfigKey> keys) {
    page.append("\n### ").append(group).append("\n\n");
    page.append("| key | type | default | importance | valid values | description |\n");
    page.append("|---|---|---|---|---|---|\n");
    keys.stream()
        .sorted((one, other) -> Integer.compare(one.orderInGroup, other.orderInGroup))
        .forEach(
            key ->
                page.append("| `")
                    .append(key.name)
                    .append("` | ")
                    .append(key.type.toString().toLowerCase(Locale.ROOT))
                    .append(" | ")
                    .append(defaultOf(key))
                    .append(" | ")
                    .append(key.importance.toString().toLowerCase(Locale.ROOT))
                    .append(" | ")
                    .append(key.validator == null ? "" : cell(key.validator + ""))
                    .append(" | ")
                    .append(cell(key.documentation))
                    .append(" |\n"));
  }

  private static String defaultOf(ConfigDef.ConfigKey key) {
    if (!key.hasDefault()) {
      return "*required*";
    }
    String text =
        key.type == ConfigDef.Type.PASSWORD || key.defaultValue == null
            ? ""
            : ConfigDef.convertToString(key.defaultValue, key.type);
    return text.isEmpty() ? "" : "`" + cell(text) + "`";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }
}
