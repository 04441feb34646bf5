package io.lakexpress.connect.lake.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/** Values that every bit pattern of which is fine. */
enum PrimitiveEncoder implements ValueEncoder {
  BOOLEAN {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      column.write(((Boolean) value).booleanValue(), repetition, definition);
      return 1;
    }
  },
  INT32 {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      column.write(((Number) value).intValue(), repetition, definition);
      return Integer.BYTES;
    }
  },
  INT64 {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      column.write(((Long) value).longValue(), repetition, definition);
      return Long.BYTES;
    }
  },
  FLOAT {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      column.write(((Float) value).floatValue(), repetition, definition);
      return Float.BYTES;
    }
  },
  DOUBLE {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      column.write(((Double) value).doubleValue(), repetition, definition);
      return Double.BYTES;
    }
  },
  BYTES {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      byte[] bytes = bytes(value);
      column.write(Binary.fromConstantByteArray(bytes), repetition, definition);
      return Integer.BYTES + bytes.length;
    }
  };

  /** Connect has bytes in two forms. */
  static byte[] bytes(Object value) {
    return value instanceof ByteBuffer buffer ? copy(buffer) : (byte[]) value;
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
