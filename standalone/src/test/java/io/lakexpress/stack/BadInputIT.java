package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a user types wrong is told on the key it was typed into, before anything runs. */
@ExtendWith(StackExtension.class)
final class BadInputIT {
  private final TestingStack stack;

  BadInputIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void unknownTableAndColumnAreToldTogetherWithTheNearestNames() {
    try (TestingSync sync = stack.sync("names")) {
      sync.sql("CREATE TABLE orders (id int PRIMARY KEY, created_at timestamptz)")
          .source(
              "incremental.tables",
              "public.ordres:created_at:timestamp,public.orders:createdat:timestamp");
      List<String> errors = errors(sync, sync.sourceConfig(), "incremental.tables");
      assertThat(errors).anyMatch(e -> e.contains("public.ordres") && e.contains("orders"));
      assertThat(errors).anyMatch(e -> e.contains("createdat") && e.contains("created_at"));
    }
  }

  @Test
  void aBadSpecIsToldWithTheFormExpected() {
    try (TestingSync sync = stack.sync("spec")) {
      sync.source("incremental.tables", "public.orders:created_at:nonsense");
      assertThat(errors(sync, sync.sourceConfig(), "incremental.tables"))
          .anyMatch(e -> e.contains("nonsense") && e.contains("datetime"));
    }
  }

  @Test
  void anUnreachableDatabaseIsToldOnItsUrl() {
    try (TestingSync sync = stack.sync("unreachable")) {
      sync.source("source.url", "jdbc:postgresql://localhost:1/none");
      assertThat(errors(sync, sync.sourceConfig(), "source.url"))
          .anyMatch(e -> e.contains("localhost:1"));
    }
  }

  @Test
  void aWrongPasswordIsToldWithoutTellingIt() {
    try (TestingSync sync = stack.sync("password")) {
      sync.source("source.password", "s3cret-typo");
      JsonNode answer = sync.rest().validate(sync.sourceConfig());
      assertThat(all(answer, "source.password")).isNotEmpty();
      assertThat(answer.toString()).doesNotContain("s3cret-typo");
    }
  }

  @Test
  void anUnwritableLakeIsToldOnItsUrl() throws IOException {
    try (TestingSync sync = stack.sync("unwritable")) {
      Path file = Files.createTempFile(stack.directory(), "not-a", "-directory");
      sync.sink("lake.url", file.toUri().toString());
      assertThat(errors(sync, sync.sinkConfig(), "lake.url"))
          .anyMatch(e -> e.contains(file.getFileName().toString()));
    }
  }

  @Test
  void formsAreOfferedWordsAndAreToldWhatToHide() {
    try (TestingSync sync = stack.sync("form")) {
      JsonNode answer = sync.rest().validate(sync.sourceConfig());
      assertThat(value(answer, "sync.mode").path("recommended_values").toString())
          .isEqualTo("[\"continuous\",\"on-demand\"]");
      // The runs of this sync start on demand.
      assertThat(value(answer, "sync.interval.seconds").path("visible").asBoolean()).isFalse();
      assertThat(value(answer, "source.url").path("visible").asBoolean()).isTrue();
    }
  }

  private static JsonNode value(JsonNode answer, String key) {
    for (JsonNode config : answer.path("configs")) {
      if (config.path("value").path("name").asText().equals(key)) {
        return config.path("value");
      }
    }
    throw new AssertionError("No key " + key + " in " + answer);
  }

  private static List<String> errors(TestingSync sync, Map<String, String> config, String key) {
    return all(sync.rest().validate(config), key);
  }

  private static List<String> all(JsonNode answer, String key) {
    List<String> errors = new ArrayList<>();
    for (JsonNode config : answer.path("configs")) {
      if (config.path("value").path("name").asText().equals(key)) {
        config.path("value").path("errors").forEach(error -> errors.add(error.asText()));
      }
    }
    assertThat(errors).noneMatch(error -> error.contains("\tat "));
    return errors;
  }
}
