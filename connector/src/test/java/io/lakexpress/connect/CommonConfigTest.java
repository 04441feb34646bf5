package io.lakexpress.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommonConfigTest {
  private static final Map<String, String> GOOD =
      Map.of(
          "sync.id", "tpch",
          "lxdb.url", "jdbc:postgresql://localhost:5433/lakexpress",
          "lxdb.user", "lakexpress",
          "lxdb.password", "hunter2",
          "lxdb.jdbc.sslmode", "require");

  @TempDir Path folder;

  private static ConfigReader read(Map<String, String> properties) {
    ConfigReader config =
        new ConfigReader(CommonConfig.define(new ConfigDef()), new HashMap<>(properties));
    CommonConfig.lakexpressDb(config, CommonConfig.credentials(config));
    return config;
  }

  private static ConfigReader changed(String key, String value) {
    Map<String, String> properties = new HashMap<>(GOOD);
    properties.put(key, value);
    return read(properties);
  }

  private static List<String> problems(ConfigReader config, String key) {
    return config.validated().configValues().stream()
        .filter(value -> value.name().equals(key))
        .findFirst()
        .map(ConfigValue::errorMessages)
        .orElseThrow();
  }

  @Test
  void urlUserPasswordAndDriverPropertiesAreRead() {
    ConfigReader config = read(GOOD);

    assertThat(CommonConfig.syncId(config)).isEqualTo("tpch");
    assertThat(CommonConfig.lakexpressDb(config, CommonConfig.credentials(config)))
        .contains(
            new DatabaseSettings(
                "jdbc:postgresql://localhost:5433/lakexpress",
                "lakexpress",
                "hunter2",
                Map.of("sslmode", "require")));
    assertThat(config.isValid()).isTrue();
  }

  @Test
  void entryOfTheCredentialsFileIsRead() throws IOException {
    Path file = folder.resolve("credentials.json");
    Files.writeString(
        file,
        "{\"lx\": {\"ds_type\": \"sqlite\", \"info\": {\"filepath\": \"/v/lx.db\"}},"
            + " \"lake\": {\"ds_type\": \"local\", \"info\": {\"directory\": \"/lake\"}}}");
    Map<String, String> properties =
        Map.of("sync.id", "s", "credentials.file", file.toString(), "lxdb.auth.id", "lx");

    ConfigReader config = read(properties);
    assertThat(CommonConfig.lakexpressDb(config, CommonConfig.credentials(config)))
        .contains(new DatabaseSettings("jdbc:sqlite:/v/lx.db", "", "", Map.of()));

    Map<String, String> wrong = new HashMap<>(properties);
    wrong.put("lxdb.auth.id", "lake");
    wrong.put("lxdb.user", "u");
    assertThat(problems(read(wrong), "lxdb.auth.id"))
        .containsExactly(
            "Invalid credential 'lake' of type local: expected postgres or mssql or sqlite");
    assertThat(problems(read(wrong), "lxdb.user"))
        .containsExactly("Contradicts lxdb.auth.id: expected only with lxdb.url");
  }

  @Test
  void loginInsideTheUrlIsRefusedAndNotShown() {
    for (String url :
        List.of(
            "jdbc:postgresql://me:hunter2@localhost/lakexpress",
            "jdbc:postgresql://localhost/lakexpress?user=me",
            "jdbc:postgresql://localhost/lakexpress?ssl=true&password=hunter2",
            "jdbc:sqlserver://localhost;databaseName=x;Password=hunter2",
            "jdbc:postgresql://localhost/lakexpress?sslpassword=hunter2")) {
      ConfigReader config = changed("lxdb.url", url);
      assertThat(problems(config, "lxdb.url"))
          .containsExactly(
              "Invalid JDBC URL: expected no user or password in it, but in lxdb.user and"
                  + " lxdb.password");
      assertThat(config.validated().configValues().toString()).doesNotContain("hunter2");
      assertThatThrownBy(config::throwIfInvalid)
          .isInstanceOf(ConfigException.class)
          .hasMessageNotContaining("hunter2");
    }
  }

  @Test
  void loginAmongDriverPropertiesIsRefused() {
    assertThat(problems(changed("lxdb.jdbc.password", "hunter2"), "lxdb.user"))
        .containsExactly("Invalid lxdb.jdbc.password: expected lxdb.user and lxdb.password");
  }

  @Test
  void contradictionsAndGapsAreReportedOnTheirKeys() {
    assertThat(problems(changed("lxdb.auth.id", "lx"), "lxdb.auth.id"))
        .containsExactly("Contradicts lxdb.url: expected one of the two");
    assertThat(problems(read(Map.of("sync.id", "s")), "lxdb.url"))
        .containsExactly(
            "Cannot reach the LakeXpress DB: expected lxdb.url with lxdb.user and lxdb.password, or"
                + " lxdb.auth.id with credentials.file");
    assertThat(problems(read(Map.of("sync.id", "s", "lxdb.auth.id", "lx")), "credentials.file"))
        .containsExactly("Missing: expected the file that holds lxdb.auth.id");
    assertThat(problems(changed("lxdb.url", "localhost:5432"), "lxdb.url"))
        .containsExactly(
            "Invalid JDBC URL: expected for example jdbc:postgresql://db.example.com:5432/shop");
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    ConfigReader config = read(Map.of("sync.id", "two words"));

    assertThat(problems(config, "sync.id"))
        .singleElement()
        .asString()
        .contains("expected 1 to 64 of letters, digits, _ and -");
    assertThatThrownBy(config::throwIfInvalid)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("sync.id: ")
        .hasMessageContaining("lxdb.url: ");
  }
}
