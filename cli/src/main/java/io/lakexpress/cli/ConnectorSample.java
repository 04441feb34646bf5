package io.lakexpress.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakexpress.standalone.WrongSettingException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A connector as a file of {@code config-samples} describes it. */
record ConnectorSample(String name, Map<String, String> config) {
  private static final String PROPERTY = "lakexpress.samples.directory";

  /** Reads a sample of this build; the launcher knows where they are. */
  static ConnectorSample read(String file) {
    String directory = System.getProperty(PROPERTY);
    if (directory == null) {
      throw new WrongSettingException(
          "Cannot find config-samples: start with ./LakeXpress, or give -D" + PROPERTY);
    }
    Path path = Path.of(directory, file);
    try {
      JsonNode sample = new ObjectMapper().readTree(path.toFile());
      Map<String, String> config = new LinkedHashMap<>();
      sample
          .get("config")
          .properties()
          .forEach(entry -> config.put(entry.getKey(), entry.getValue().asText()));
      return new ConnectorSample(sample.get("name").asText(), config);
    } catch (IOException e) {
      throw new WrongSettingException("Cannot read sample " + path + ": " + e.getMessage());
    }
  }

  /** The same connector with one setting replaced or added. */
  ConnectorSample with(String key, String value) {
    Map<String, String> changed = new LinkedHashMap<>(config);
    changed.put(key, value);
    return new ConnectorSample(name, changed);
  }

  /** The same connector with one setting left out. */
  ConnectorSample without(String key) {
    Map<String, String> changed = new LinkedHashMap<>(config);
    changed.remove(key);
    return new ConnectorSample(name, changed);
  }
}
