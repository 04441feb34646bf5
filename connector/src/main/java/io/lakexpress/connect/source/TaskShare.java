package io.lakexpress.connect.source;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;

/**
 * What a task is told besides the connector's configuration. It says nothing about tables, so that
 * a changed list of tables restarts nobody.
 *
 * @param index counted from 0
 * @param processors of the connector's machine: what degrees of parallelism are resolved with, so
 *     that all tasks come to the same, wherever they run
 */
record TaskShare(int index, int count, String connector, int processors) {
  private static final String INDEX = "lakexpress.task.index";
  private static final String COUNT = "lakexpress.task.count";
  private static final String PROCESSORS = "lakexpress.connector.processors";
  private static final String CONNECTOR = "lakexpress.connector.name";

  /** A task's configuration. */
  Map<String, String> addTo(Map<String, String> connectorProperties) {
    Map<String, String> properties = new HashMap<>(connectorProperties);
    properties.put(INDEX, Integer.toString(index));
    properties.put(COUNT, Integer.toString(count));
    properties.put(CONNECTOR, connector);
    properties.put(PROCESSORS, Integer.toString(processors));
    return properties;
  }

  /** Reads a task's share back. */
  static TaskShare of(Map<String, String> taskProperties) {
    try {
      return new TaskShare(
          Integer.parseInt(taskProperties.get(INDEX)),
          Integer.parseInt(taskProperties.get(COUNT)),
          taskProperties.get(CONNECTOR),
          Integer.parseInt(taskProperties.get(PROCESSORS)));
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "Invalid task configuration: expected "
              + INDEX
              + ", "
              + COUNT
              + " and "
              + PROCESSORS
              + ", which the connector adds");
    }
  }
}
