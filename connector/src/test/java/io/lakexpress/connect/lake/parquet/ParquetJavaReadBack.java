package io.lakexpress.connect.lake.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** Reads files with parquet-java, every value as what the column says it means. */
final class ParquetJavaReadBack {
  private static final long JULIAN_DAY_OF_1970 = 2_440_588;

  private static final ParquetReadOptions OPTIONS =
      ParquetReadOptions.builder(new PlainParquetConfiguration())
          .withCodecFactory(new ZstdPages())
          .build();

  private ParquetJavaReadBack() {}

  /** The rows of a file, each as its values by name; {@link Meaning} says which Java types. */
  static List<Map<String, Object>> rows(Path file) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    try (ParquetFileReader reader = new ParquetFileReader(new LocalInputFile(file), OPTIONS)) {
      MessageType schema = reader.getFileMetaData().getSchema();
      for (PageReadStore pages = reader.readNextRowGroup();
          pages != null;
          pages = reader.readNextRowGroup()) {
        RecordReader<Group> records =
            new ColumnIOFactory()
                .getColumnIO(schema)
                .getRecordReader(pages, new GroupRecordConverter(schema));
        for (long i = 0; i < pages.getRowCount(); i++) {
          rows.add(fields(records.read()));
        }
      }
    }
    return rows;
  }

  private static Map<String, Object> fields(Group group) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Type field : group.getType().getFields()) {
      values.put(field.getName(), value(group, field));
    }
    return values;
  }

  private static Object value(Group group, Type type) {
    if (group.getFieldRepetitionCount(type.getName()) == 0) {
      return null;
    }
    if (type.isPrimitive()) {
      return primitive(group, type);
    }
    Group inner = group.getGroup(type.getName(), 0);
    LogicalTypeAnnotation meaning = type.getLogicalTypeAnnotation();
    if (LogicalTypeAnnotation.listType().equals(meaning)) {
      List<Object> items = new ArrayList<>();
      for (int i = 0; i < inner.getFieldRepetitionCount("list"); i++) {
        Group item = inner.getGroup("list", i);
        items.add(value(item, item.getType().getType("element")));
      }
      return items;
    }
    if (LogicalTypeAnnotation.mapType().equals(meaning)) {
      Map<Object, Object> entries = new LinkedHashMap<>();
      for (int i = 0; i < inner.getFieldRepetitionCount("key_value"); i++) {
        Group entry = inner.getGroup("key_value", i);
        entries.put(
            value(entry, entry.getType().getType("key")),
            value(entry, entry.getType().getType("value")));
      }
      return entries;
    }
    return fields(inner);
  }

  private static Object primitive(Group group, Type type) {
    String name = type.getName();
    LogicalTypeAnnotation meaning = type.getLogicalTypeAnnotation();
    PrimitiveTypeName stored = type.asPrimitiveType().getPrimitiveTypeName();
    if (meaning instanceof DecimalLogicalTypeAnnotation decimal) {
      return new BigDecimal(unscaled(group, name, stored), decimal.getScale());
    }
    if (meaning instanceof TimestampLogicalTypeAnnotation timestamp) {
      return Meaning.timestamp(
          group.getLong(name, 0),
          Meaning.unit(timestamp.getUnit().name()),
          timestamp.isAdjustedToUTC());
    }
    if (meaning instanceof TimeLogicalTypeAnnotation time) {
      long count =
          stored == PrimitiveTypeName.INT32 ? group.getInteger(name, 0) : group.getLong(name, 0);
      return Duration.of(count, Meaning.unit(time.getUnit().name()));
    }
    if (LogicalTypeAnnotation.dateType().equals(meaning)) {
      return LocalDate.ofEpochDay(group.getInteger(name, 0));
    }
    return switch (stored) {
      case BOOLEAN -> group.getBoolean(name, 0);
      case INT32 -> (long) group.getInteger(name, 0);
      case INT64 -> group.getLong(name, 0);
      case FLOAT -> group.getFloat(name, 0);
      case DOUBLE -> group.getDouble(name, 0);
      case INT96 -> int96(group.getInt96(name, 0).getBytes());
      case BINARY, FIXED_LEN_BYTE_ARRAY -> bytes(group.getBinary(name, 0).getBytes(), meaning);
    };
  }

  private static BigInteger unscaled(Group group, String name, PrimitiveTypeName stored) {
    return switch (stored) {
      case INT32 -> BigInteger.valueOf(group.getInteger(name, 0));
      case INT64 -> BigInteger.valueOf(group.getLong(name, 0));
      default -> new BigInteger(group.getBinary(name, 0).getBytes());
    };
  }

  private static Object bytes(byte[] bytes, LogicalTypeAnnotation meaning) {
    if (meaning == null) {
      return HexFormat.of().formatHex(bytes);
    }
    if (LogicalTypeAnnotation.uuidType().equals(meaning)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new UUID(buffer.getLong(), buffer.getLong());
    }
    return new String(bytes, UTF_8);
  }

  private static Object int96(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long nanos = buffer.getLong();
    return LocalDate.ofEpochDay(buffer.getInt() - JULIAN_DAY_OF_1970)
        .atStartOfDay()
        .plusNanos(nanos);
  }
}
