package io.lakexpress.connect.lake.parquet;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/** What a Connect value means by its schema, said without a word about Parquet. */
final class Meaning {
  private Meaning() {}

  /** Whole numbers as Long, bytes as hexadecimal text, structs as maps. */
  static Object of(Schema schema, Object value) {
    if (value == null) {
      return null;
    }
    return switch (schema.type()) {
      case STRUCT -> struct((Struct) value);
      case ARRAY -> ((List<?>) value).stream().map(item -> of(schema.valueSchema(), item)).toList();
      case MAP -> {
        Map<Object, Object> entries = new LinkedHashMap<>();
        ((Map<?, ?>) value)
            .forEach(
                (key, item) ->
                    entries.put(of(schema.keySchema(), key), of(schema.valueSchema(), item)));
        yield entries;
      }
      default -> primitive(schema.name() == null ? "" : schema.name(), value);
    };
  }

  private static Object struct(Struct struct) {
    if ("io.debezium.data.VariableScaleDecimal".equals(struct.schema().name())) {
      BigInteger unscaled = new BigInteger(struct.getBytes("value"));
      return new BigDecimal(unscaled, struct.getInt32("scale")).toPlainString();
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    struct
        .schema()
        .fields()
        .forEach(
            field ->
                fields.put(
                    field.name(), of(field.schema(), struct.getWithoutDefault(field.name()))));
    return fields;
  }

  private static Object primitive(String name, Object value) {
    return switch (name) {
      case "org.apache.kafka.connect.data.Date" ->
          LocalDate.ofEpochDay(
              Math.max(
                  LocalDate.ofInstant(instant(value), ZoneOffset.UTC).toEpochDay(),
                  -Integer.MAX_VALUE));
      case "org.apache.kafka.connect.data.Time" -> Duration.between(Instant.EPOCH, instant(value));
      case "org.apache.kafka.connect.data.Timestamp" -> instant(value);
      case "io.debezium.time.Date" ->
          LocalDate.ofEpochDay(Math.max((Integer) value, -Integer.MAX_VALUE));
      case "io.debezium.time.Time" -> Duration.ofMillis((Integer) value);
      case "io.debezium.time.MicroTime" -> Duration.of((Long) value, ChronoUnit.MICROS);
      case "io.debezium.time.NanoTime" -> Duration.ofNanos((Long) value);
      case "io.debezium.time.Timestamp" -> timestamp((Long) value, ChronoUnit.MILLIS, false);
      case "io.debezium.time.MicroTimestamp" -> timestamp((Long) value, ChronoUnit.MICROS, false);
      case "io.debezium.time.NanoTimestamp" -> timestamp((Long) value, ChronoUnit.NANOS, false);
      case "io.lakexpress.time.MicroInstant" -> timestamp((Long) value, ChronoUnit.MICROS, true);
      case "io.lakexpress.time.NanoInstant" -> timestamp((Long) value, ChronoUnit.NANOS, true);
      case "io.debezium.data.Uuid" -> UUID.fromString((String) value);
      default -> plain(value);
    };
  }

  private static Object plain(Object value) {
    if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
      return ((Number) value).longValue();
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return HexFormat.of().formatHex(bytes);
    }
    return value;
  }

  /** An instant, or the reading of a clock on the wall; minus infinity as readers know it. */
  static Object timestamp(long count, ChronoUnit unit, boolean instant) {
    long known = Math.max(count, -Long.MAX_VALUE);
    Instant moment = Instant.EPOCH.plus(known, unit);
    return instant ? moment : LocalDateTime.ofInstant(moment, ZoneOffset.UTC);
  }

  static ChronoUnit unit(String name) {
    return ChronoUnit.valueOf(name.toUpperCase(Locale.ROOT));
  }

  @SuppressWarnings("JavaUtilDate") // Connect prescribes the class.
  private static Instant instant(Object value) {
    return ((java.util.Date) value).toInstant();
  }
}
