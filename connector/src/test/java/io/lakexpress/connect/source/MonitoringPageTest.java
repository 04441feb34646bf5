package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page names every figure, as it is. */
class MonitoringPageTest {
  private static final Path PAGE = Path.of("..", "docs", "monitoring.md");

  private static <T> List<String> rows(List<Figure<T>> figures) {
    return figures.stream()
        .map(
            figure ->
                "| `"
                    + figure.name()
                    + "` | `"
                    + figure.dashed()
                    + "` | "
                    + figure.description()
                    + " |")
        .toList();
  }

  private static List<String> tableUnder(String heading) throws IOException {
    return Files.readAllLines(PAGE).stream()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("#"))
        .filter(line -> line.startsWith("| `"))
        .toList();
  }

  @Test
  void aTablesFiguresAreThoseOfThePage() throws IOException {
    assertThat(tableUnder("## A table")).isEqualTo(rows(Figure.OF_TABLE));
  }

  @Test
  void aSyncsFiguresAreThoseOfThePage() throws IOException {
    assertThat(tableUnder("## A sync's source")).isEqualTo(rows(Figure.OF_SYNC));
  }
}
