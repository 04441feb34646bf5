package io.lakexpress.connect;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.lake.LakeXpressSinkConnector;
import io.lakexpress.connect.source.LakeXpressSourceConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the pages name exists. */
class DocsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern PACKAGE =
      Pattern.compile("\\bio\\.lakexpress(?:\\.[a-z]+)+\\b(?!\\.)");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:IT|Test))`");
  private static final Pattern LINK = Pattern.compile("]\\((?![a-z]+:)([^)#\\s]+)(?:#[^)]*)?\\)");

  /** A dotted word in backticks, with its value if it has one, or a name in JSON. */
  private static final Pattern KEY =
      Pattern.compile("`([a-z]+(?:\\.[a-z]+)+)(?:=[^`]*)?`|\"([a-z]+(?:\\.[a-z]+)+)\"\\s*:");

  /** Keys of Connect, its workers and its clients, and names that are no keys. */
  private static final Set<String> OTHERS =
      Set.of(
          "connector.class",
          "tasks.max",
          "topics.regex",
          "errors.tolerance",
          "plugin.path",
          "exactly.once.support",
          "exactly.once.source.support",
          "cleanup.policy",
          "isolation.level",
          // A parameter in the schema of a decimal, a property of our files, two packages.
          "connect.decimal.precision",
          "lakexpress.version",
          "java.sql",
          "lake.parquet");

  static Stream<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(
          Stream.of("README.md", "CONTRIBUTING.md", "config-samples/README.md").map(ROOT::resolve),
          docs.filter(page -> page.toString().endsWith(".md")).sorted().toList().stream());
    }
  }

  private static Set<String> packages() throws IOException {
    Set<String> found = new TreeSet<>();
    for (String module : Set.of("watermark-offsets", "connector", "standalone", "cli")) {
      Path sources = ROOT.resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
            .forEach(found::add);
      }
    }
    return found;
  }

  @Test
  void packagesOfTheArchitecturePageExist() throws IOException {
    Set<String> named =
        PACKAGE
            .matcher(Files.readString(ROOT.resolve("docs/architecture.md")))
            .results()
            .map(MatchResult::group)
            .collect(toCollection(TreeSet::new));

    assertThat(named).isNotEmpty();
    assertThat(packages()).containsAll(named);
  }

  @Test
  void testsOfTheCorrectnessPageExist() throws IOException {
    Set<String> tests = new TreeSet<>();
    for (String module : Set.of("watermark-offsets", "connector", "standalone", "cli")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
        files.map(file -> file.getFileName().toString().replace(".java", "")).forEach(tests::add);
      }
    }

    assertThat(
            TEST.matcher(Files.readString(ROOT.resolve("docs/correctness.md")))
                .results()
                .map(found -> found.group(1)))
        .isNotEmpty()
        .isSubsetOf(tests);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void linksPointToFilesThatExist(Path page) throws IOException {
    assertThat(LINK.matcher(Files.readString(page)).results().map(found -> found.group(1)))
        .allSatisfy(link -> assertThat(page.resolveSibling(link)).exists());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void keysAreDefined(Path page) throws IOException {
    Set<String> known = new TreeSet<>(OTHERS);
    known.addAll(new LakeXpressSourceConnector().config().names());
    known.addAll(new LakeXpressSinkConnector().config().names());

    assertThat(
            KEY.matcher(Files.readString(page))
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1)))
        .isSubsetOf(known);
  }
}
