package io.lakexpress.stack;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.mssqlserver.MSSQLServerContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Testcontainers' servers, where they are asked for and Docker is. */
final class Containers {
  private static final boolean WANTED = decide();

  private Containers() {}

  static boolean wanted() {
    return WANTED;
  }

  /** Says so in one line where it is not. */
  static boolean sqlServerIsHere() {
    if (!WANTED) {
      System.out.println(
          "Skipped, it needs Docker and -Ptestcontainers: an incremental sync from SQL Server");
    }
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

  static MSSQLServerContainer sqlServer() {
    MSSQLServerContainer sqlServer =
        new MSSQLServerContainer("mcr.microsoft.com/mssql/server:2022-latest").acceptLicense();
    sqlServer.start();
    return sqlServer;
  }
}
