package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.jdbc.ColumnReader.ValueReader;
import io.lakexpress.connect.source.jdbc.ReadSettings.DecimalHandling;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.function.Function;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * Resolves PostgreSQL's types to column readers. A type that is not named here is read as the text
 * the database writes, so no column is ever left out.
 */
final class PostgresColumns {
  private static final int MAX_PRECISION = 38;
  private static final int MONEY_PRECISION = 19;
  private static final String PRECISION = "connect.decimal.precision";

  private final Temporals temporals;
  private final DecimalHandling decimals;
  private final int moneyScale;

  /**
   * @param moneyScale digits behind the point of the database's currency
   */
  PostgresColumns(ReadSettings settings, InfiniteValues infiniteValues, int moneyScale) {
    this.temporals = new Temporals(settings.timePrecision(), infiniteValues);
    this.decimals = settings.decimalHandling();
    this.moneyScale = moneyScale;
  }

  /**
   * What a type is in a record.
   *
   * @param before what stands in the select list before the column
   * @param after what stands behind it
   * @param fromText reads the database's text form, for elements of arrays
   */
  private record Shape(
      String before,
      String after,
      SchemaBuilder schema,
      ValueReader fromRow,
      Function<String, Object> fromText) {}

  /** The reader of a column; {@code sql} names the column in a statement. */
  ColumnReader reader(PostgresType type, String sql) {
    Shape shape = type.isArray() ? array(type) : scalar(type);
    Schema schema = (type.notNull() ? shape.schema() : shape.schema().optional()).build();
    return new ColumnReader(
        type.column(), shape.before() + sql + shape.after(), schema, shape.fromRow());
  }

  private Shape array(PostgresType type) {
    if (type.dimensions() > 1) {
      return new Shape(
          "array_to_json(",
          ")::text",
          SchemaBuilder.string().name("io.debezium.data.Json").version(1),
          ResultSet::getString,
          text -> text);
    }
    Shape element = scalar(type);
    boolean money = type.isBuiltIn() && type.name().equals("money");
    return new Shape(
        "",
        money ? "::numeric[]::text" : "::text",
        SchemaBuilder.array(element.schema().optional().build()),
        (rows, index) -> {
          String text = rows.getString(index);
          return text == null
              ? null
              : PostgresText.array(text, type.delimiter(), element.fromText());
        },
        text -> text);
  }

  private Shape scalar(PostgresType type) {
    if (!type.isBuiltIn()) {
      return extension(type);
    }
    return switch (type.name()) {
      case "bool" ->
          plain(SchemaBuilder.bool(), nullable(ResultSet::getBoolean), text -> text.equals("t"));
      case "int2" -> plain(SchemaBuilder.int16(), nullable(ResultSet::getShort), Short::valueOf);
      case "int4" -> plain(SchemaBuilder.int32(), nullable(ResultSet::getInt), Integer::valueOf);
      case "int8" -> plain(SchemaBuilder.int64(), nullable(ResultSet::getLong), Long::valueOf);
      case "float4" ->
          plain(SchemaBuilder.float32(), nullable(ResultSet::getFloat), Float::valueOf);
      case "float8" ->
          plain(SchemaBuilder.float64(), nullable(ResultSet::getDouble), Double::valueOf);
      case "numeric" -> numeric(type);
      case "money" -> money();
      case "bytea" -> plain(SchemaBuilder.bytes(), ResultSet::getBytes, PostgresText::bytes);
      case "date" -> dates();
      case "time" -> times();
      case "timestamp" -> localTimes();
      case "timestamptz" -> instants();
      case "uuid" -> text("io.debezium.data.Uuid", "::text");
      case "json", "jsonb" -> text("io.debezium.data.Json", "");
      // The driver transfers these in binary and would write them in its own form.
      case "timetz", "point", "box" -> text(null, "::text");
      default -> text(null, "");
    };
  }

  private static Shape extension(PostgresType type) {
    if (type.name().equals("geometry") || type.name().equals("geography")) {
      return new Shape(
          PostgresDialect.quoted(type.schema()) + ".st_asbinary(",
          ")",
          type.isArray() ? SchemaBuilder.string() : SchemaBuilder.bytes(),
          ResultSet::getBytes,
          text -> text);
    }
    return text(null, "");
  }

  private static Shape plain(
      SchemaBuilder schema, ValueReader fromRow, Function<String, Object> fromText) {
    return new Shape("", "", schema, fromRow, fromText);
  }

  private static Shape text(String name, String cast) {
    SchemaBuilder schema = SchemaBuilder.string();
    if (name != null) {
      schema.name(name).version(1);
    }
    return new Shape("", cast, schema, ResultSet::getString, text -> text);
  }

  private Shape dates() {
    return plain(
        temporals.dateSchema(),
        (rows, index) -> {
          LocalDate date = rows.getObject(index, LocalDate.class);
          return date == null ? null : temporals.date(date);
        },
        text -> temporals.date(PostgresText.date(text)));
  }

  private Shape times() {
    return plain(
        temporals.timeSchema(),
        (rows, index) -> {
          LocalTime time = rows.getObject(index, LocalTime.class);
          return time == null ? null : temporals.time(time);
        },
        text -> temporals.time(PostgresText.time(text)));
  }

  private Shape localTimes() {
    return plain(
        temporals.localSchema(),
        (rows, index) -> {
          LocalDateTime time = rows.getObject(index, LocalDateTime.class);
          return time == null ? null : temporals.local(time);
        },
        text -> temporals.local(PostgresText.local(text)));
  }

  private Shape instants() {
    return plain(
        temporals.instantSchema(),
        (rows, index) -> {
          OffsetDateTime time = rows.getObject(index, OffsetDateTime.class);
          return time == null ? null : temporals.instant(time);
        },
        text -> temporals.instant(PostgresText.instant(text)));
  }

  private Shape numeric(PostgresType type) {
    if (decimals != DecimalHandling.PRECISE) {
      return looseDecimal("::text");
    }
    if (!type.hasPrecision() || type.precision() > MAX_PRECISION) {
      return text(null, "::text");
    }
    return decimal("", type.precision(), type.scale());
  }

  private Shape money() {
    return decimals == DecimalHandling.PRECISE
        ? decimal("::numeric", MONEY_PRECISION, moneyScale)
        : looseDecimal("::numeric::text");
  }

  private Shape looseDecimal(String cast) {
    if (decimals == DecimalHandling.STRING) {
      return text(null, cast);
    }
    return new Shape(
        "",
        cast,
        SchemaBuilder.float64(),
        (rows, index) -> {
          String text = rows.getString(index);
          return text == null ? null : Double.valueOf(text);
        },
        Double::valueOf);
  }

  private static Shape decimal(String cast, int precision, int scale) {
    SchemaBuilder schema = Decimal.builder(scale).parameter(PRECISION, Integer.toString(precision));
    return new Shape(
        "",
        cast,
        schema,
        (rows, index) -> {
          Object read = rows.getObject(index);
          if (read instanceof BigDecimal value) {
            return value.setScale(scale);
          }
          if (read == null) {
            return null;
          }
          throw notANumber(read.toString());
        },
        text -> {
          try {
            return new BigDecimal(text).setScale(scale);
          } catch (NumberFormatException e) {
            throw notANumber(text);
          }
        });
  }

  private static UnreadableValueException notANumber(String text) {
    return new UnreadableValueException(
        text + " has no place in a decimal; set decimal.handling.mode to string or double");
  }

  /** For getters that give 0 or false for NULL. */
  private static ValueReader nullable(ValueReader reader) {
    return (rows, index) -> {
      Object value = reader.read(rows, index);
      return rows.wasNull() ? null : value;
    };
  }
}
