package io.lakexpress.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakexpress.standalone.EmbeddedBroker;
import io.lakexpress.standalone.ListenPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A broker and a look into its topics. Embedded, or Testcontainers' with -Ptestcontainers. */
final class TestingKafka implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String bootstrapServers;
  private final AutoCloseable broker;

  private TestingKafka(String bootstrapServers, AutoCloseable broker) {
    this.bootstrapServers = bootstrapServers;
    this.broker = broker;
  }

  /** One committed record: the job it belongs to and the row. */
  record Row(String job, JsonNode value, JsonNode key) {}

  static TestingKafka start(Path directory) {
    if (Containers.wanted()) {
      var kafka = Containers.kafka();
      return new TestingKafka(kafka.getBootstrapServers(), kafka::stop);
    }
    EmbeddedBroker broker = EmbeddedBroker.start(directory, ListenPorts.free(), Map.of());
    return new TestingKafka(broker.bootstrapServers(), broker);
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  void createTopic(String name, int partitions) {
    try (Admin admin = admin()) {
      admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Deletes all records of a topic, as retention does. */
  void expire(String topic) {
    try (Admin admin = admin();
        KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      Map<TopicPartition, RecordsToDelete> ends = new HashMap<>();
      consumer
          .endOffsets(partitions(consumer, topic))
          .forEach((partition, end) -> ends.put(partition, RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(ends).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Every committed record of a topic. */
  List<Row> rows(String topic) {
    List<Row> rows = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions = partitions(consumer, topic);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
          rows.add(row(record));
        }
      }
    }
    return rows;
  }

  private static Row row(ConsumerRecord<byte[], byte[]> record) {
    Header job = record.headers().lastHeader("lakexpress.job");
    return new Row(
        job == null ? "" : new String(job.value(), StandardCharsets.UTF_8),
        payload(record.value()),
        payload(record.key()));
  }

  private static JsonNode payload(byte[] json) {
    try {
      return json == null ? JSON.missingNode() : JSON.readTree(json).path("payload");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<TopicPartition> partitions(
      KafkaConsumer<byte[], byte[]> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  @Override
  public void close() {
    try {
      broker.close();
    } catch (Exception e) {
      throw new IllegalStateException("Cannot stop the broker", e);
    }
  }
}
