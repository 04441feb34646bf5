package io.lakexpress.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsTest {
  private static final String FILE =
      """
      {
        "pg": {"ds_type": "postgres", "auth_mode": "classic", "info": {"username": "u",
          "password": "$env{PG_PW}", "server": "db", "database": "tpch 1",
          "options": {"sslmode": "require"}}},
        "old": {"ds_type": "mssql", "auth_mode": "classic", "info": {"username": "u",
          "password": "x${PG_PW}y", "server": "db", "port": "1444", "database": "shop",
          "options": "encrypt=true;trustServerCertificate=false"}},
        "lite": {"ds_type": "sqlite", "auth_mode": "filesystem", "info": {"filepath": "/v/lx.db"}},
        "unset": {"ds_type": "postgres", "info": {"username": "u", "password": "$env{NOBODY}",
          "server": "db", "database": "d"}},
        "short": {"ds_type": "postgres", "info": {"username": "u", "password": "hunter2"}},
        "lake": {"ds_type": "local", "info": {"directory": "/lake"}},
        "s3": {"ds_type": "s3", "info": {"directory": "s3://b/p", "profile_name": "default"}},
        "memory": {"ds_type": "duckdb", "info": {"filepath": ":memory:"}},
        "ora": {"ds_type": "oracle", "info": {}}
      }
      """;

  @TempDir Path folder;

  private Credentials read(String json) throws IOException {
    Path file = folder.resolve("credentials.json");
    Files.writeString(file, json);
    return Credentials.read(file, Map.of("PG_PW", "s3cr$t")::get);
  }

  private static DatabaseSettings settings(Credentials credentials, String id) {
    return ((Credential.Database) credentials.credential(id)).settings(null, Map.of());
  }

  @Test
  void postgresEntryBecomesSettingsWithVariablesResolved() throws IOException {
    assertThat(settings(read(FILE), "pg"))
        .isEqualTo(
            new DatabaseSettings(
                "jdbc:postgresql://db:5432/tpch%201", "u", "s3cr$t", Map.of("sslmode", "require")));
  }

  @Test
  void anotherDatabaseAndDriverPropertiesComeBeforeTheEntry() throws IOException {
    Credential.Database entry = (Credential.Database) read(FILE).credential("pg");

    assertThat(entry.settings("shop", Map.of("sslmode", "disable")))
        .extracting(DatabaseSettings::url, DatabaseSettings::properties)
        .containsExactly("jdbc:postgresql://db:5432/shop", Map.of("sslmode", "disable"));
  }

  @Test
  void olderVariableFormAndOptionsAsTextAreRead() throws IOException {
    assertThat(settings(read(FILE), "old"))
        .isEqualTo(
            new DatabaseSettings(
                "jdbc:sqlserver://db:1444;databaseName={shop}",
                "u",
                "xs3cr$ty",
                Map.of("encrypt", "true", "trustServerCertificate", "false")));
  }

  @Test
  void filesAndFoldersAreRead() throws IOException {
    Credentials credentials = read(FILE);

    assertThat(settings(credentials, "lite").url()).isEqualTo("jdbc:sqlite:/v/lx.db");
    assertThat(credentials.credential("lake")).isEqualTo(new Credential.Local("lake", "/lake"));
    assertThat(((Credential.S3) credentials.credential("s3")).profile()).contains("default");
  }

  @Test
  void listOfEntriesIsReadToo() throws IOException {
    Credentials credentials =
        read("[{\"id\": \"lake\", \"ds_type\": \"local\", \"info\": {\"directory\": \"/lake\"}}]");

    assertThat(credentials.credential("lake").type()).isEqualTo("local");
  }

  @Test
  void mistakesNameFileEntryAndKey() throws IOException {
    Credentials credentials = read(FILE);
    String file = folder.resolve("credentials.json").toString();

    assertThatThrownBy(() -> credentials.credential("unset"))
        .hasMessage(
            "Invalid credential 'unset' in %s: key 'password': environment variable NOBODY is not"
                + " set",
            file);
    assertThatThrownBy(() -> credentials.credential("short"))
        .hasMessage("Invalid credential 'short' in %s: key 'server': missing", file);
    assertThatThrownBy(() -> credentials.credential("ora"))
        .hasMessageContaining("key 'ds_type': 'oracle' is not offered, expected one of postgres");
    assertThatThrownBy(() -> credentials.credential("memory"))
        .hasMessageContaining("key 'filepath': expected a file");
    assertThatThrownBy(() -> credentials.credential("nope"))
        .hasMessageStartingWith("Cannot find credential 'nope' in " + file)
        .hasMessageContaining("memory, old, ora, pg");
  }

  @Test
  void brokenFileIsReportedWithoutItsText() {
    assertThatThrownBy(() -> read("{\"pg\": {\"info\": {\"password\": hunter2}}}"))
        .hasMessageContaining("not valid JSON at line 1, column")
        .hasMessageNotContaining("hunter2")
        .hasNoCause();
    assertThatThrownBy(() -> Credentials.read(folder.resolve("none.json")))
        .hasMessageEndingWith("it does not exist on this worker");
  }

  @Test
  void secretsDoNotShowThemselves() throws IOException {
    Credentials credentials = read(FILE);

    assertThat(credentials.credential("pg").toString()).doesNotContain("s3cr$t");
    assertThat(settings(credentials, "pg").toString())
        .isEqualTo("jdbc:postgresql://db:5432/tpch%201 as u with [sslmode]");
    assertThat(((Credential.Database) credentials.credential("pg")).password())
        .isEqualTo(new Password("s3cr$t"));
  }
}
