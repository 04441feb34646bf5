package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.jdbc.ColumnReader.ValueReader;
import io.lakexpress.connect.source.jdbc.ReadSettings.DecimalHandling;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.function.Function;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * Resolves SQL Server's types to column readers. A type that is not named here is read as the text
 * the database converts it to, so no column is ever left out.
 */
final class SqlServerColumns {
  private static final String PRECISION = "connect.decimal.precision";
  private static final int MONEY_PRECISION = 19;
  private static final int SMALLMONEY_PRECISION = 10;
  private static final int MONEY_SCALE = 4;

  /**
   * The text of a value that tells its type itself. Left to themselves, conversions of such values
   * would drop digits of floats and money and the seconds of times.
   */
  private static final String VARIANT =
      """
      CASE CAST(SQL_VARIANT_PROPERTY($c, 'BaseType') AS sysname)\
       WHEN 'float' THEN CONVERT(nvarchar(4000), CAST($c AS float), 3)\
       WHEN 'real' THEN CONVERT(nvarchar(4000), CAST($c AS real), 3)\
       WHEN 'money' THEN CONVERT(nvarchar(4000), CAST($c AS money), 2)\
       WHEN 'smallmoney' THEN CONVERT(nvarchar(4000), CAST($c AS smallmoney), 2)\
       WHEN 'date' THEN CONVERT(nvarchar(4000), CAST($c AS date), 23)\
       WHEN 'time' THEN CONVERT(nvarchar(4000), CAST($c AS time(7)), 121)\
       WHEN 'datetime' THEN CONVERT(nvarchar(4000), CAST($c AS datetime), 126)\
       WHEN 'smalldatetime' THEN CONVERT(nvarchar(4000), CAST($c AS smalldatetime), 126)\
       WHEN 'datetime2' THEN CONVERT(nvarchar(4000), CAST($c AS datetime2(7)), 126)\
       WHEN 'datetimeoffset' THEN CONVERT(nvarchar(4000), CAST($c AS datetimeoffset(7)), 126)\
       WHEN 'binary' THEN CONVERT(nvarchar(max), CAST($c AS varbinary(8000)), 1)\
       WHEN 'varbinary' THEN CONVERT(nvarchar(max), CAST($c AS varbinary(8000)), 1)\
       WHEN 'char' THEN CAST(CAST($c AS varchar(8000)) AS nvarchar(max))\
       WHEN 'varchar' THEN CAST(CAST($c AS varchar(8000)) AS nvarchar(max))\
       ELSE CAST($c AS nvarchar(4000)) END""";

  private final Temporals temporals;
  private final DecimalHandling decimals;

  SqlServerColumns(ReadSettings settings, InfiniteValues infiniteValues) {
    this.temporals = new Temporals(settings.timePrecision(), infiniteValues);
    this.decimals = settings.decimalHandling();
  }

  /**
   * What a type is in a record.
   *
   * @param expression what the select list holds
   */
  private record Shape(String expression, SchemaBuilder schema, ValueReader reader) {}

  /** The reader of a column; {@code sql} names the column in a statement. */
  ColumnReader reader(SqlServerType type, String sql) {
    Shape shape = shape(type, sql);
    Schema schema = (type.notNull() ? shape.schema() : shape.schema().optional()).build();
    return new ColumnReader(type.column(), shape.expression(), schema, shape.reader());
  }

  private Shape shape(SqlServerType type, String sql) {
    return switch (type.name()) {
      case "bit" -> new Shape(sql, SchemaBuilder.bool(), nullable(ResultSet::getBoolean));
      case "tinyint", "smallint" ->
          new Shape(sql, SchemaBuilder.int16(), nullable(ResultSet::getShort));
      case "int" -> new Shape(sql, SchemaBuilder.int32(), nullable(ResultSet::getInt));
      case "bigint" -> new Shape(sql, SchemaBuilder.int64(), nullable(ResultSet::getLong));
      case "real" -> new Shape(sql, SchemaBuilder.float32(), nullable(ResultSet::getFloat));
      case "float" -> new Shape(sql, SchemaBuilder.float64(), nullable(ResultSet::getDouble));
      case "decimal", "numeric" -> decimal(sql, type.precision(), type.scale());
      case "money" -> decimal(sql, MONEY_PRECISION, MONEY_SCALE);
      case "smallmoney" -> decimal(sql, SMALLMONEY_PRECISION, MONEY_SCALE);
      case "date" -> new Shape(sql, temporals.dateSchema(), read(LocalDate.class, temporals::date));
      case "time" -> new Shape(sql, temporals.timeSchema(), read(LocalTime.class, temporals::time));
      case "datetime", "datetime2", "smalldatetime" ->
          new Shape(sql, temporals.localSchema(), read(LocalDateTime.class, temporals::local));
      case "datetimeoffset" ->
          new Shape(sql, temporals.instantSchema(), read(OffsetDateTime.class, temporals::instant));
      case "binary", "varbinary", "image", "timestamp" ->
          new Shape(sql, SchemaBuilder.bytes(), ResultSet::getBytes);
      // With the third and fourth dimension, which STAsBinary would drop.
      case "geometry", "geography" ->
          new Shape(sql + ".AsBinaryZM()", SchemaBuilder.bytes(), ResultSet::getBytes);
      case "uniqueidentifier" -> text(sql, "io.debezium.data.Uuid");
      case "json" -> text("CAST(" + sql + " AS nvarchar(max))", "io.debezium.data.Json");
      case "char", "varchar", "nchar", "nvarchar", "text", "ntext", "xml" -> text(sql, null);
      case "hierarchyid" -> text(sql + ".ToString()", null);
      case SqlServerType.CLR -> text("CAST(" + sql + ".ToString() AS nvarchar(max))", null);
      case "sql_variant" -> text(VARIANT.replace("$c", sql), null);
      default -> text("CAST(" + sql + " AS nvarchar(max))", null);
    };
  }

  private static Shape text(String expression, String name) {
    SchemaBuilder schema = SchemaBuilder.string();
    if (name != null) {
      schema.name(name).version(1);
    }
    return new Shape(expression, schema, ResultSet::getString);
  }

  private Shape decimal(String sql, int precision, int scale) {
    return switch (decimals) {
      case PRECISE ->
          new Shape(
              sql,
              Decimal.builder(scale).parameter(PRECISION, Integer.toString(precision)),
              number(value -> value.setScale(scale)));
      case STRING -> new Shape(sql, SchemaBuilder.string(), number(BigDecimal::toPlainString));
      case DOUBLE -> new Shape(sql, SchemaBuilder.float64(), number(BigDecimal::doubleValue));
    };
  }

  private static ValueReader number(Function<BigDecimal, Object> conversion) {
    return (rows, index) -> {
      BigDecimal value = rows.getBigDecimal(index);
      return value == null ? null : conversion.apply(value);
    };
  }

  private static <T> ValueReader read(Class<T> type, Function<T, Object> conversion) {
    return (rows, index) -> {
      T value = rows.getObject(index, type);
      return value == null ? null : conversion.apply(value);
    };
  }

  /** For getters that give 0 or false for NULL. */
  private static ValueReader nullable(ValueReader reader) {
    return (ResultSet rows, int index) -> nullable(rows, reader.read(rows, index));
  }

  private static Object nullable(ResultSet rows, Object value) throws SQLException {
    return rows.wasNull() ? null : value;
  }
}
