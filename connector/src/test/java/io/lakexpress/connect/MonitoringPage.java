package io.lakexpress.connect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The tables of docs/monitoring.md. */
public final class MonitoringPage {
  private static final Path PAGE = Path.of("..", "docs", "monitoring.md");

  private MonitoringPage() {}

  /** The rows that a table of these figures has. */
  public static <T> List<String> rows(List<Figure<T>> figures) {
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

  /** The rows that the page has there. */
  public static List<String> tableUnder(String heading) throws IOException {
    return Files.readAllLines(PAGE).stream()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("#"))
        .filter(line -> line.startsWith("| `"))
        .toList();
  }
}
