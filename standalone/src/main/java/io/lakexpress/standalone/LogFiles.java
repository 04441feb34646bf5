package io.lakexpress.standalone;

import java.nio.file.Path;
import org.apache.logging.log4j.core.config.Configurator;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Sends everything this process logs to a file, so that the console stays the person's own. */
public final class LogFiles {
  static final String DIRECTORY_PROPERTY = "lakexpress.log.directory";
  private static final String CONFIGURATION = "classpath:lakexpress-log4j2.xml";

  private LogFiles() {}

  /** Must come before the first use of Kafka or PostgreSQL. Returns the file. */
  public static Path writeTo(Path directory) {
    System.setProperty(DIRECTORY_PROPERTY, directory.toAbsolutePath().toString());
    Configurator.initialize("lakexpress", CONFIGURATION);
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    return directory.resolve("lakexpress.log");
  }
}
