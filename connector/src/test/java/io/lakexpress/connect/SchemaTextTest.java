package io.lakexpress.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Timestamp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTextTest {
  @Test
  void everySchemaParsesBack() {
    Schema inner =
        SchemaBuilder.struct()
            .optional()
            .field("\u00e4 \"b\"", Schema.OPTIONAL_BYTES_SCHEMA)
            .build();
    Schema schema =
        SchemaBuilder.struct()
            .name("sales.orders.Value")
            .version(3)
            .field("id", Schema.INT64_SCHEMA)
            .field("price", Decimal.builder(2).parameter("connect.decimal.precision", "9").build())
            .field("at", Timestamp.builder().optional().build())
            .field("tags", SchemaBuilder.array(Schema.OPTIONAL_STRING_SCHEMA).optional().build())
            .field("more", SchemaBuilder.map(Schema.STRING_SCHEMA, inner).build())
            .field("inner", inner)
            .build();
    assertThat(SchemaText.parse(SchemaText.of(schema))).isEqualTo(schema);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"type\":\"date\"}", "{\"type\":\"struct\"}"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> SchemaText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid schema text: expected JSON of types and fields");
  }
}
