package io.lakexpress.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedStackIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Path PLUGINS = Path.of("target", "test-plugins").toAbsolutePath();
  private static final String FILE_SOURCE =
      "org.apache.kafka.connect.file.FileStreamSourceConnector";

  @TempDir Path directory;

  @Test
  void aBrokerGoesOnWithTheTopicsOfItsDirectory() throws Exception {
    Path data = directory.resolve("kafka");
    try (EmbeddedBroker broker = EmbeddedBroker.start(data)) {
      send(broker, "rows", "first");
    }

    try (EmbeddedBroker broker = EmbeddedBroker.start(data)) {
      send(broker, "rows", "second");

      assertThat(endOffset(broker, "rows")).isEqualTo(2);
    }
  }

  @Test
  void aKilledWorkerIsBackWithinSecondsAndKnowsItsConnectors() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"))) {
      WorkerSettings settings = worker(broker, ListenPorts.free());
      ConnectRest rest = new ConnectRest(restUrl(settings));
      try (ChildProcess killed = ChildProcess.worker(settings, logs(), "512m")) {
        assertThat(killed.awaitReady(PATIENCE)).isEqualTo("ready: rest=" + restUrl(settings));
        rest.configure("lines", fileSource(directory.resolve("lines.txt")));
        killed.kill();
        assertThat(rest.isReady()).isFalse();
      }

      try (ChildProcess next = ChildProcess.worker(settings, logs(), "512m")) {
        next.awaitReady(PATIENCE);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(state(rest)).isEqualTo("RUNNING"));
      }
    }
  }

  @Test
  void aWorkerInThisJvmAnswersAndRefusesInConnectsOwnWords() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"));
        EmbeddedWorker worker = EmbeddedWorker.start(worker(broker, ListenPorts.free()))) {
      worker.awaitReady(PATIENCE);
      ConnectRest rest = worker.rest();

      assertThat(rest.connectors()).isEmpty();
      assertThatThrownBy(() -> rest.status("nobody"))
          .isInstanceOf(ConnectRestException.class)
          .hasMessage("No status found for connector nobody");
      assertThatThrownBy(
              () -> rest.configure("broken", Map.of("connector.class", "org.example.Missing")))
          .isInstanceOf(ConnectRestException.class)
          .hasMessageContaining("Failed to find any class that implements Connector");
    }
  }

  @Test
  void aConnectorIsCreatedStoppedRewoundAndDeletedOverRest() throws Exception {
    Path file = Files.writeString(directory.resolve("lines.txt"), "one\ntwo\nthree\n");
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"));
        EmbeddedWorker worker = EmbeddedWorker.start(worker(broker, ListenPorts.free()))) {
      worker.awaitReady(PATIENCE);
      ConnectRest rest = worker.rest();
      assertThat(rest.plugins().findValuesAsText("class")).contains(FILE_SOURCE);
      assertThat(rest.validate(fileSource(file)).path("error_count").intValue()).isZero();

      rest.configure("lines", fileSource(file));
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(position(rest)).isEqualTo(14));
      rest.stop("lines");
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(state(rest)).isEqualTo("STOPPED"));
      rest.alterOffsets("lines", offsets(file, 8));
      rest.resume("lines");
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(endOffset(broker, "lines")).isGreaterThan(4));
      rest.delete("lines");

      assertThat(rest.connectors()).isEmpty();
    }
  }

  @Test
  void aPortInUseStopsTheStartWithOneLine() {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"))) {
      int port = Integer.parseInt(broker.bootstrapServers().split(":")[1]);
      ChildProcess second = ChildProcess.broker(directory.resolve("other"), port, Map.of(), logs());

      assertThatThrownBy(() -> second.awaitReady(PATIENCE))
          .hasMessage(
              "Cannot start the process: Cannot listen on port "
                  + port
                  + ": it is in use; give another with --kafka-port");
    }
  }

  private Path logs() {
    return directory.resolve("logs");
  }

  private static WorkerSettings worker(EmbeddedBroker broker, int restPort) {
    return new WorkerSettings(broker.bootstrapServers(), restPort, PLUGINS);
  }

  private static URI restUrl(WorkerSettings settings) {
    return URI.create("http://localhost:" + settings.restPort());
  }

  private static Map<String, String> fileSource(Path file) {
    return Map.of("connector.class", FILE_SOURCE, "topic", "lines", "file", file.toString());
  }

  private static int position(ConnectRest rest) {
    return rest.offsets("lines").at("/offsets/0/offset/position").intValue();
  }

  private static String state(ConnectRest rest) {
    return rest.status("lines").at("/connector/state").textValue();
  }

  private static JsonNode offsets(Path file, int position) {
    ObjectNode offset = new ObjectMapper().createObjectNode();
    ObjectNode entry = offset.putArray("offsets").addObject();
    entry.putObject("partition").put("filename", file.toString());
    entry.putObject("offset").put("position", position);
    return offset;
  }

  private static void send(EmbeddedBroker broker, String topic, String value) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, value)).get();
    }
  }

  private static long endOffset(EmbeddedBroker broker, String topic) throws Exception {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()))
          .partitionResult(partition)
          .get()
          .offset();
    }
  }
}
