package io.lakexpress.lxdb.jdbc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.util.ArrayList;
import java.util.List;

/** The units of a plan as JSON in {@code sync_configurations}. */
final class Units {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Units() {}

  static String write(List<PlannedUnit> units) {
    ArrayNode array = JSON.createArrayNode();
    for (PlannedUnit unit : units) {
      array
          .addObject()
          .put("schema", unit.table().schema())
          .put("table", unit.table().table())
          .put("slice", unit.slice().toString())
          .put("incremental", unit.incremental())
          .put("estimated_rows", unit.estimatedRows());
    }
    return array.toString();
  }

  static List<PlannedUnit> read(String text) {
    List<PlannedUnit> units = new ArrayList<>();
    for (JsonNode node : parse(text)) {
      units.add(
          new PlannedUnit(
              new TableId(node.path("schema").asText(), node.path("table").asText()),
              Slice.parse(node.path("slice").asText()),
              node.path("incremental").asText(),
              node.path("estimated_rows").asLong()));
    }
    return List.copyOf(units);
  }

  private static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Invalid units in sync_configurations: expected JSON", e);
    }
  }
}
