package io.lakexpress.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerSettingsTest {
  @TempDir Path plugins;

  @Test
  void aMissingPluginDirectoryIsToldWithTheCommandThatBuildsIt() {
    Path missing = plugins.resolve("missing");

    assertThatThrownBy(() -> new WorkerSettings("localhost:9092", 8083, missing))
        .isInstanceOf(WrongSettingException.class)
        .hasMessage(
            "Cannot load the connectors from "
                + missing
                + ": there is no such directory; build it with mvn -DskipTests package");
  }

  @Test
  void exactlyOnceIsEnabledAndConsumersSkipAbortedRecords() {
    WorkerSettings settings = new WorkerSettings("localhost:9092", 8083, plugins);

    assertThat(settings.properties())
        .containsEntry("exactly.once.source.support", "enabled")
        .containsEntry("consumer.isolation.level", "read_committed")
        .containsEntry("consumer.metadata.max.age.ms", "5000")
        .containsEntry("producer.transaction.timeout.ms", "10000")
        .containsEntry("plugin.path", plugins.toString());
  }

  @Test
  void anOverrideWins() {
    WorkerSettings settings =
        new WorkerSettings("localhost:9092", 8083, plugins)
            .with("exactly.once.source.support", "disabled");

    assertThat(settings.properties()).containsEntry("exactly.once.source.support", "disabled");
  }
}
