package io.lakexpress.lxdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts of the three flavours, read as text: they must stay in lock-step. */
final class ScriptsTest {
  private static final Pattern TABLE =
      Pattern.compile("CREATE TABLE (\\w+) \\((.*?)\\n\\);", Pattern.DOTALL);
  private static final Pattern COLUMN = Pattern.compile("^  ([a-z_]+) (.*)$", Pattern.MULTILINE);
  private static final Pattern INDEX =
      Pattern.compile("CREATE (UNIQUE )?INDEX (\\w+)\\s+ON (\\w+) (\\([^)]*\\))( WHERE [^;]*)?;");

  private static List<Path> scripts(String flavour) throws IOException, URISyntaxException {
    Path folder =
        Path.of(ScriptsTest.class.getResource("/io/lakexpress/lxdb/db/" + flavour).toURI());
    try (var files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static String text(String flavour) throws IOException, URISyntaxException {
    StringBuilder text = new StringBuilder();
    for (Path script : scripts(flavour)) {
      text.append(Files.readString(script)).append('\n');
    }
    return text.toString();
  }

  /** Table to columns in order, each with "NOT NULL" where it has it. */
  private static Map<String, List<String>> tables(String flavour) throws Exception {
    Map<String, List<String>> tables = new TreeMap<>();
    Matcher table = TABLE.matcher(text(flavour));
    while (table.find()) {
      List<String> columns = new ArrayList<>();
      Matcher column = COLUMN.matcher(table.group(2));
      while (column.find()) {
        boolean isRequired =
            column.group(2).contains("NOT NULL") || column.group(2).contains("PRIMARY KEY");
        columns.add(column.group(1) + (isRequired ? " NOT NULL" : ""));
      }
      tables.put(table.group(1), columns);
    }
    return tables;
  }

  private static List<String> indexes(String flavour) throws Exception {
    return INDEX
        .matcher(text(flavour))
        .results()
        .map(index -> index.group().replaceAll("\\s+", " "))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "sqlserver"})
  void allFlavoursHaveTheSameScriptsTablesColumnsAndIndexes(String flavour) throws Exception {
    assertThat(scripts(flavour).stream().map(Path::getFileName).map(Path::toString))
        .containsExactlyElementsOf(
            scripts("postgresql").stream().map(Path::getFileName).map(Path::toString).toList());
    assertThat(tables(flavour)).isEqualTo(tables("postgresql"));
    assertThat(indexes(flavour)).isEqualTo(indexes("postgresql"));
  }

  @Test
  void promisedTablesAreThere() throws Exception {
    assertThat(tables("postgresql"))
        .containsOnlyKeys(
            "sync_configurations",
            "incremental_watermarks",
            "watermark_history",
            "export_runs",
            "export_jobs",
            "export_files",
            "lake_positions",
            "export_columns",
            "export_log",
            "guard_samples",
            "table_locks",
            "partition_columns",
            "publish_loads");
    assertThat(tables("postgresql").get("incremental_watermarks"))
        .containsExactly(
            "sync_id NOT NULL",
            "source_schema NOT NULL",
            "source_table NOT NULL",
            "column_name NOT NULL",
            "column_type NOT NULL",
            "last_exported_value",
            "last_landed_value",
            "last_run_id",
            "updated_at NOT NULL");
  }

  @Test
  void emptyingAndDroppingForgetNoTable() throws Exception {
    assertThat(tables("postgresql")).containsOnlyKeys(Tables.ALL);
  }

  @Test
  void everyColumnIsDocumented() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "lakexpress-db.md"));
    tables("postgresql")
        .forEach(
            (table, columns) -> {
              String heading = "## " + table + "\n";
              assertThat(page).contains(heading);
              String after = page.substring(page.indexOf(heading) + heading.length());
              int end = after.indexOf("\n## ");
              for (String column : columns) {
                assertThat(after.substring(0, end))
                    .as(table)
                    .contains("`" + column.replace(" NOT NULL", "") + "`");
              }
            });
  }

  @Test
  void keysOfSqlServerAreShortEnoughForItsIndexes() throws Exception {
    // 900 bytes for a clustered key, 1700 for any other; nvarchar takes two bytes a character.
    String script = text("sqlserver");
    Matcher table = TABLE.matcher(script);
    while (table.find()) {
      Matcher key =
          Pattern.compile("(?:PRIMARY KEY( NONCLUSTERED)?|UNIQUE) \\(([^)]*)\\)")
              .matcher(table.group(2));
      while (key.find()) {
        boolean isClustered = key.group().startsWith("PRIMARY KEY (");
        assertThat(bytes(table.group(2), key.group(2)))
            .as("%s %s", table.group(1), key.group())
            .isLessThanOrEqualTo(isClustered ? 900 : 1700);
      }
      Matcher index = INDEX.matcher(script);
      while (index.find()) {
        if (index.group(3).equals(table.group(1))) {
          String columns = index.group(4).substring(1, index.group(4).length() - 1);
          assertThat(bytes(table.group(2), columns)).as(index.group()).isLessThanOrEqualTo(1700);
        }
      }
    }
  }

  private static int bytes(String tableBody, String columns) {
    int bytes = 0;
    for (String column : columns.split(", ")) {
      Matcher type =
          Pattern.compile("^  " + column + " (\\w+)(?:\\((\\w+)\\))?", Pattern.MULTILINE)
              .matcher(tableBody);
      assertThat(type.find()).as(column).isTrue();
      bytes += type.group(1).equals("nvarchar") ? 2 * Integer.parseInt(type.group(2)) : 8;
    }
    return bytes;
  }
}
