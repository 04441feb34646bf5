package io.lakexpress.stack;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Testcontainers' servers, where they are asked for and Docker is. */
final class Containers {
  private static final boolean WANTED = decide();

  private Containers() {}

  static boolean wanted() {
    return WANTED;
  }

  private static boolean decide() {
    if (!"testcontainers".equals(System.getProperty("lakexpress.fixtures"))) {
      return false;
    }
    if (DockerClientFactory.instance().isDockerAvailable()) {
      return true;
    }
    System.out.println(
        "No Docker here: the whole-stack suites run on the embedded servers instead");
    return false;
  }

  static KafkaContainer kafka() {
    KafkaContainer kafka = new KafkaContainer(DockerImageName.parse("apache/kafka:4.1.1"));
    kafka.start();
    return kafka;
  }

  static PostgreSQLContainer postgres() {
    PostgreSQLContainer postgres =
        new PostgreSQLContainer(DockerImageName.parse("postgres:17-alpine"))
            .withUsername("lakexpress")
            .withPassword("lakexpress");
    postgres.start();
    return postgres;
  }
}
