package io.lakexpress.connect.lake.parquet;

import static org.apache.parquet.schema.LogicalTypeAnnotation.dateType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.decimalType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.intType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.jsonType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timeType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.uuidType;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BINARY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BOOLEAN;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.DOUBLE;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.FLOAT;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT32;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT64;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT96;

import io.lakexpress.connect.lake.file.UnwritableRowException;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/**
 * What a Connect primitive becomes in Parquet and how its values get there: the two are made
 * together. Equal leaf types give the same column for the same values.
 *
 * @param length bytes of a fixed-length primitive, else 0
 */
record LeafType(
    PrimitiveTypeName primitive,
    int length,
    Optional<LogicalTypeAnnotation> logical,
    ValueEncoder encoder) {

  private static final String PRECISION = "connect.decimal.precision";

  private static final LeafType TEXT = of(BINARY, stringType(), TextEncoder.TEXT);

  /** By base type and schema name; a name that is not here means no more than its base type. */
  private static final Map<Named, LeafType> NAMED =
      Map.ofEntries(
          Map.entry(
              new Named(Schema.Type.INT32, Date.LOGICAL_NAME),
              of(INT32, dateType(), TimeEncoder.CONNECT_DATE)),
          Map.entry(
              new Named(Schema.Type.INT32, Time.LOGICAL_NAME),
              time(INT32, TimeUnit.MILLIS, TimeEncoder.CONNECT_TIME)),
          Map.entry(
              new Named(Schema.Type.INT64, Timestamp.LOGICAL_NAME),
              instant(TimeUnit.MILLIS, TimeEncoder.CONNECT_TIMESTAMP)),
          Map.entry(
              new Named(Schema.Type.INT32, "io.debezium.time.Date"),
              of(INT32, dateType(), CountEncoder.DAYS)),
          Map.entry(
              new Named(Schema.Type.INT32, "io.debezium.time.Time"),
              time(INT32, TimeUnit.MILLIS, TimeEncoder.MILLIS_OF_DAY)),
          Map.entry(
              new Named(Schema.Type.INT64, "io.debezium.time.MicroTime"),
              time(INT64, TimeUnit.MICROS, TimeEncoder.MICROS_OF_DAY)),
          Map.entry(
              new Named(Schema.Type.INT64, "io.debezium.time.NanoTime"),
              time(INT64, TimeUnit.NANOS, TimeEncoder.NANOS_OF_DAY)),
          Map.entry(
              new Named(Schema.Type.INT64, "io.debezium.time.Timestamp"), local(TimeUnit.MILLIS)),
          Map.entry(
              new Named(Schema.Type.INT64, "io.debezium.time.MicroTimestamp"),
              local(TimeUnit.MICROS)),
          Map.entry(
              new Named(Schema.Type.INT64, "io.debezium.time.NanoTimestamp"),
              local(TimeUnit.NANOS)),
          Map.entry(
              new Named(Schema.Type.INT64, "io.lakexpress.time.MicroInstant"),
              instant(TimeUnit.MICROS, CountEncoder.INSTANTS)),
          Map.entry(
              new Named(Schema.Type.INT64, "io.lakexpress.time.NanoInstant"),
              instant(TimeUnit.NANOS, CountEncoder.INSTANTS)),
          Map.entry(
              new Named(Schema.Type.STRING, "io.debezium.data.Uuid"),
              new LeafType(
                  FIXED_LEN_BYTE_ARRAY,
                  UuidEncoder.BYTES,
                  Optional.of(uuidType()),
                  UuidEncoder.UUID_TEXT)),
          Map.entry(
              new Named(Schema.Type.STRING, "io.debezium.data.Json"),
              of(BINARY, jsonType(), TextEncoder.TEXT)));

  private record Named(Schema.Type base, String name) {}

  /**
   * The leaf type of a primitive Connect schema.
   *
   * @param field the field as messages name it
   */
  static LeafType of(Schema schema, TimestampEncoding timestamps, String field) {
    if (isVariableScaleDecimal(schema)) {
      return of(BINARY, stringType(), TextEncoder.VARIABLE_SCALE_AS_TEXT);
    }
    if (schema.name() != null) {
      if (schema.type() == Schema.Type.BYTES && schema.name().equals(Decimal.LOGICAL_NAME)) {
        return decimal(schema, field);
      }
      LeafType named = NAMED.get(new Named(schema.type(), schema.name()));
      if (named != null) {
        return timestamps == TimestampEncoding.INT96 ? named.withInt96() : named;
      }
    }
    return switch (schema.type()) {
      case BOOLEAN -> plain(BOOLEAN, PrimitiveEncoder.BOOLEAN);
      case INT8 -> of(INT32, intType(Byte.SIZE, true), PrimitiveEncoder.INT32);
      case INT16 -> of(INT32, intType(Short.SIZE, true), PrimitiveEncoder.INT32);
      case INT32 -> plain(INT32, PrimitiveEncoder.INT32);
      case INT64 -> plain(INT64, PrimitiveEncoder.INT64);
      case FLOAT32 -> plain(FLOAT, PrimitiveEncoder.FLOAT);
      case FLOAT64 -> plain(DOUBLE, PrimitiveEncoder.DOUBLE);
      case STRING -> TEXT;
      case BYTES -> plain(BINARY, PrimitiveEncoder.BYTES);
      case ARRAY, MAP, STRUCT ->
          throw new IllegalArgumentException(
              "Invalid leaf type " + schema.type() + ": expected a primitive type");
    };
  }

  /** Whether a schema is no group of columns but one column. */
  static boolean isLeaf(Schema schema) {
    return schema.type().isPrimitive() || isVariableScaleDecimal(schema);
  }

  /** Debezium's decimal of any scale: a struct that stands for one number. */
  private static boolean isVariableScaleDecimal(Schema schema) {
    return schema.type() == Schema.Type.STRUCT
        && "io.debezium.data.VariableScaleDecimal".equals(schema.name())
        && schema.fields().size() == 2
        && isRequired(schema.field("scale"), Schema.Type.INT32)
        && isRequired(schema.field("value"), Schema.Type.BYTES);
  }

  private static boolean isRequired(Field field, Schema.Type type) {
    return field != null && field.schema().type() == type && !field.schema().isOptional();
  }

  /** INT96 where this is a timestamp; it says neither unit nor whether it is an instant. */
  private LeafType withInt96() {
    return logical
        .filter(TimestampLogicalTypeAnnotation.class::isInstance)
        .map(TimestampLogicalTypeAnnotation.class::cast)
        .map(timestamp -> plain(INT96, new Int96Encoder(unit(timestamp.getUnit()))))
        .orElse(this);
  }

  private static java.util.concurrent.TimeUnit unit(TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> java.util.concurrent.TimeUnit.MILLISECONDS;
      case MICROS -> java.util.concurrent.TimeUnit.MICROSECONDS;
      case NANOS -> java.util.concurrent.TimeUnit.NANOSECONDS;
    };
  }

  PrimitiveType column(String name, Repetition repetition) {
    Types.PrimitiveBuilder<PrimitiveType> builder =
        Types.primitive(primitive, repetition).length(length);
    return logical.map(builder::as).orElse(builder).named(name);
  }

  /** Readers stop at 38 digits and know no negative scale: such decimals become text. */
  private static LeafType decimal(Schema schema, String field) {
    int scale =
        parameter(schema, Decimal.SCALE_FIELD, field)
            .orElseThrow(
                () ->
                    new UnwritableRowException(
                        "Cannot write field '" + field + "': decimal schema without a scale"));
    int declared =
        parameter(schema, PRECISION, field)
            .filter(digits -> digits > 0)
            .orElse(DecimalEncoder.MAX_PRECISION);
    int precision = Math.max(declared, scale);
    if (scale < 0 || precision > DecimalEncoder.MAX_PRECISION) {
      return of(BINARY, stringType(), TextEncoder.DECIMAL_AS_TEXT);
    }
    DecimalEncoder encoder = new DecimalEncoder(precision, scale);
    PrimitiveTypeName primitive = encoder.primitive();
    int length = primitive == FIXED_LEN_BYTE_ARRAY ? encoder.fixedLength() : 0;
    return new LeafType(primitive, length, Optional.of(decimalType(scale, precision)), encoder);
  }

  private static Optional<Integer> parameter(Schema schema, String name, String field) {
    String text = schema.parameters() == null ? null : schema.parameters().get(name);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Integer.valueOf(text));
    } catch (NumberFormatException invalid) {
      throw new UnwritableRowException(
          "Cannot write field '" + field + "': schema parameter " + name + " is no whole number",
          invalid);
    }
  }

  private static LeafType plain(PrimitiveTypeName primitive, ValueEncoder encoder) {
    return new LeafType(primitive, 0, Optional.empty(), encoder);
  }

  private static LeafType of(
      PrimitiveTypeName primitive, LogicalTypeAnnotation logical, ValueEncoder encoder) {
    return new LeafType(primitive, 0, Optional.of(logical), encoder);
  }

  private static LeafType time(PrimitiveTypeName primitive, TimeUnit unit, ValueEncoder encoder) {
    return of(primitive, timeType(false, unit), encoder);
  }

  private static LeafType local(TimeUnit unit) {
    return of(INT64, timestampType(false, unit), CountEncoder.INSTANTS);
  }

  private static LeafType instant(TimeUnit unit, ValueEncoder encoder) {
    return of(INT64, timestampType(true, unit), encoder);
  }
}
