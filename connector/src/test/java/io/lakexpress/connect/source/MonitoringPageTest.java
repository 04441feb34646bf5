package io.lakexpress.connect.source;

import static io.lakexpress.connect.MonitoringPage.rows;
import static io.lakexpress.connect.MonitoringPage.tableUnder;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page names every figure, as it is. */
class MonitoringPageTest {
  @Test
  void aTablesFiguresAreThoseOfThePage() throws IOException {
    assertThat(tableUnder("## A table")).isEqualTo(rows(SourceFigures.OF_TABLE));
  }

  @Test
  void aSyncsFiguresAreThoseOfThePage() throws IOException {
    assertThat(tableUnder("## A sync's source")).isEqualTo(rows(SourceFigures.OF_SYNC));
  }
}
