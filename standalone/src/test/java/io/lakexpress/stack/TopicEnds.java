package io.lakexpress.stack;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** How much was written to some topics, committed or not. */
final class TopicEnds implements AutoCloseable {
  private final Admin admin;
  private final String prefix;

  TopicEnds(TestingKafka kafka, String prefix) {
    this.admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    this.prefix = prefix;
  }

  /** The ends of all partitions of all topics together. */
  long sum() {
    try {
      Set<String> topics =
          admin.listTopics().names().get().stream()
              .filter(name -> name.startsWith(prefix))
              .collect(Collectors.toSet());
      Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
      for (TopicDescription topic : admin.describeTopics(topics).allTopicNames().get().values()) {
        topic
            .partitions()
            .forEach(
                partition ->
                    latest.put(
                        new TopicPartition(topic.name(), partition.partition()),
                        OffsetSpec.latest()));
      }
      return admin.listOffsets(latest).all().get().values().stream()
          .mapToLong(ListOffsetsResultInfo::offset)
          .sum();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
