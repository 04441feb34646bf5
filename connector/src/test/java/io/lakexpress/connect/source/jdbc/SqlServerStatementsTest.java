package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked of SQL Server's catalogue, to the letter: no SQL Server runs here. */
class SqlServerStatementsTest {
  private static final Path KEPT =
      Path.of("src/test/resources/io/lakexpress/connect/source/jdbc/sql-server-statements.sql");

  private static String statements() {
    return String.join(
        ";\n\n",
        SqlServerCatalog.NOW,
        SqlServerCatalog.ZONE_NAME,
        SqlServerCatalog.ZONE_OFFSET,
        SqlServerCatalog.MIN_ACTIVE_ROWVERSION,
        SqlServerIsolation.OF_DATABASE,
        (SqlServerCatalog.RELATIONS + SqlServerCatalog.SELECTABLE).stripTrailing(),
        SqlServerCatalog.RELATIONS + SqlServerCatalog.BY_NAME,
        SqlServerTypes.ofObjects("101, 102").stripTrailing(),
        SqlServerCatalog.KEYS.replace("$ids", "101, 102").stripTrailing(),
        SqlServerCatalog.INDEX_LEADING,
        SqlServerActivity.SERVER.stripTrailing(),
        SqlServerActivity.transactions(Optional.of("UTC")).stripTrailing(),
        SqlServerActivity.transactions(Optional.empty()).stripTrailing() + ";\n");
  }

  /** With {@code -Dlakexpress.write.docs=true} the statements are kept anew. */
  @Test
  void theCatalogueIsAskedThis() throws IOException {
    if (Boolean.getBoolean("lakexpress.write.docs")) {
      Files.createDirectories(KEPT.getParent());
      Files.writeString(KEPT, statements());
    }

    assertThat(statements()).isEqualTo(Files.readString(KEPT));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, SNAPSHOT",
    "1, 1, SNAPSHOT",
    "0, 1, VERSIONED",
    "2, 1, VERSIONED",
    "3, 0, LOCKING",
    "0, 0, LOCKING"
  })
  void tablesAreReadUnderTheBestIsolationThatIsAllowed(
      int snapshotState, int readCommittedSnapshot, SqlServerIsolation isolation) {
    assertThat(SqlServerIsolation.of(snapshotState, readCommittedSnapshot)).isEqualTo(isolation);
  }

  @Test
  void theUsersDriverPropertiesWinOverOurs() {
    SourceTarget target =
        new SourceTarget(
            "jdbc:sqlserver://db",
            "reader",
            "secret",
            Map.of("encrypt", "strict", "connectRetryCount", "3"),
            "shop");

    assertThat(SqlServerDialect.properties(target))
        .containsEntry("applicationName", "lakexpress-shop")
        .containsEntry("responseBuffering", "adaptive")
        .containsEntry("selectMethod", "direct")
        .containsEntry("encrypt", "strict")
        .containsEntry("connectRetryCount", "3")
        .containsEntry("user", "reader")
        .containsEntry("password", "secret");
  }

  @Test
  void noLoginIsSentWhereNoneIsGiven() {
    SourceTarget target =
        new SourceTarget("jdbc:sqlserver://db", "", "", Map.of("integratedSecurity", "true"), "s");

    assertThat(SqlServerDialect.properties(target)).doesNotContainKeys("user", "password");
  }
}
