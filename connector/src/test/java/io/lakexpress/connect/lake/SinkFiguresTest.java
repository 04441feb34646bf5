package io.lakexpress.connect.lake;

import static io.lakexpress.connect.MonitoringPage.rows;
import static io.lakexpress.connect.MonitoringPage.tableUnder;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The monitoring page names every figure of the sink, as it is. */
class SinkFiguresTest {
  @Test
  void theFiguresOfTheTasksAreThoseOfThePage() throws IOException {
    assertThat(tableUnder("## A sync's lake writers")).isEqualTo(rows(SinkFigures.OF_WRITERS));
  }

  @Test
  void theFiguresOfTheFinisherAreThoseOfThePage() throws IOException {
    assertThat(tableUnder("## A sync's finisher")).isEqualTo(rows(SinkFigures.OF_FINISHER));
  }
}
