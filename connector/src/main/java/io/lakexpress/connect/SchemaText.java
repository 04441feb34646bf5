package io.lakexpress.connect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * A Connect schema as text that parses back: names, types, nesting, versions, parameters and what
 * is optional. Default values are left out: the text is for rows that do not exist.
 */
public final class SchemaText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private SchemaText() {}

  /** The text of a schema. */
  public static String of(Schema schema) {
    return node(schema).toString();
  }

  private static ObjectNode node(Schema schema) {
    ObjectNode node = JSON.createObjectNode();
    node.put("type", schema.type().name().toLowerCase(Locale.ROOT));
    if (schema.isOptional()) {
      node.put("optional", true);
    }
    if (schema.name() != null) {
      node.put("name", schema.name());
    }
    if (schema.version() != null) {
      node.put("version", schema.version());
    }
    if (schema.parameters() != null) {
      ObjectNode parameters = node.putObject("parameters");
      schema.parameters().forEach(parameters::put);
    }
    switch (schema.type()) {
      case STRUCT -> {
        ArrayNode fields = node.putArray("fields");
        for (Field field : schema.fields()) {
          fields.addObject().put("field", field.name()).set("schema", node(field.schema()));
        }
      }
      case ARRAY -> node.set("values", node(schema.valueSchema()));
      case MAP -> {
        node.set("keys", node(schema.keySchema()));
        node.set("values", node(schema.valueSchema()));
      }
      case INT8, INT16, INT32, INT64, FLOAT32, FLOAT64, BOOLEAN, STRING, BYTES -> {
        // Nothing inside.
      }
    }
    return node;
  }

  /**
   * Reads the text of a schema.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Schema parse(String text) {
    try {
      return schema(JSON.readTree(text));
    } catch (JsonProcessingException | RuntimeException invalid) {
      throw new IllegalArgumentException(
          "Invalid schema text: expected JSON of types and fields", invalid);
    }
  }

  private static Schema schema(JsonNode node) {
    Schema.Type type = Schema.Type.valueOf(node.required("type").asText().toUpperCase(Locale.ROOT));
    SchemaBuilder builder = builder(type, node);
    if (node.path("optional").asBoolean()) {
      builder.optional();
    }
    if (node.has("name")) {
      builder.name(node.get("name").asText());
    }
    if (node.has("version")) {
      builder.version(node.get("version").asInt());
    }
    for (Map.Entry<String, JsonNode> parameter : node.path("parameters").properties()) {
      builder.parameter(parameter.getKey(), parameter.getValue().asText());
    }
    return builder.build();
  }

  private static SchemaBuilder builder(Schema.Type type, JsonNode node) {
    return switch (type) {
      case STRUCT -> {
        SchemaBuilder struct = SchemaBuilder.struct();
        for (JsonNode field : node.required("fields")) {
          struct.field(field.required("field").asText(), schema(field.required("schema")));
        }
        yield struct;
      }
      case ARRAY -> SchemaBuilder.array(schema(node.required("values")));
      case MAP -> SchemaBuilder.map(schema(node.required("keys")), schema(node.required("values")));
      case INT8, INT16, INT32, INT64, FLOAT32, FLOAT64, BOOLEAN, STRING, BYTES ->
          SchemaBuilder.type(type);
    };
  }
}
