package io.lakexpress.connect.source;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;

/**
 * What a task is told besides the connector's configuration. It says nothing about tables, so that
 * a changed list of tables restarts nobody.
 *
 * @param index counted from 0
 */
record TaskShare(int index, int count, String connector) {
  private static final String INDEX = "lakexpress.task.index";
  private static final String COUNT = "lakexpress.task.count";
  private static final String CONNECTOR = "lakexpress.connector.name";

  /** A task's configuration. */
  Map<String, String> addTo(Map<String, String> connectorProperties) {
    Map<String, String> properties = new HashMap<>(connectorProperties);
    properties.put(INDEX, Integer.toString(index));
    properties.put(COUNT, Integer.toString(count));
    properties.put(CONNECTOR, connector);
    return properties;
  }

  /** Reads a task's share back. */
  static TaskShare of(Map<String, String> taskProperties) {
    try {
      return new TaskShare(
          Integer.parseInt(taskProperties.get(INDEX)),
          Integer.parseInt(taskProperties.get(COUNT)),
          taskProperties.get(CONNECTOR));
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "Invalid task configuration: expected "
              + INDEX
              + " and "
              + COUNT
              + ", which the connector adds");
    }
  }
}
