package io.lakexpress.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.LakeXpressSinkConnector;
import io.lakexpress.connect.source.LakeXpressSourceConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
  private static final String WRITE = "lakexpress.write.docs";
  private static final Path PAGE = Path.of("..", "docs", "configuration.md");

  private static List<ConfigurationPage.Part> parts() {
    return List.of(
        new ConfigurationPage.Part(
            "Source connector",
            "`io.lakexpress.connect.source.LakeXpressSourceConnector`",
            new LakeXpressSourceConnector().config()),
        new ConfigurationPage.Part(
            "Lake sink",
            "`io.lakexpress.connect.lake.LakeXpressSinkConnector`",
            new LakeXpressSinkConnector().config()));
  }

  @Test
  void pageSaysWhatTheConnectorsDefine() throws IOException {
    String printed = ConfigurationPage.print(parts());
    if (Boolean.getBoolean(WRITE)) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, printed);
    }

    assertThat(PAGE)
        .as(
            "docs/configuration.md; print it anew with mvn -pl connector -am test"
                + " -Dtest=ConfigurationPageTest -Dsurefire.failIfNoSpecifiedTests=false -D"
                + WRITE
                + "=true")
        .hasContent(printed);
  }
}
