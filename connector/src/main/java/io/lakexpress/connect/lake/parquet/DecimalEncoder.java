package io.lakexpress.connect.lake.parquet;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Decimals of one precision and scale; a value that does not fit exactly is refused. */
record DecimalEncoder(int precision, int scale) implements ValueEncoder {
  static final int MAX_PRECISION = 38;
  private static final int MAX_INT32_PRECISION = 9;
  private static final int MAX_INT64_PRECISION = 18;

  /** Bytes of a two's complement number of so many decimal digits. */
  private static final double BITS_PER_DIGIT = Math.log(10) / Math.log(2);

  PrimitiveTypeName primitive() {
    if (precision <= MAX_INT32_PRECISION) {
      return PrimitiveTypeName.INT32;
    }
    return precision <= MAX_INT64_PRECISION
        ? PrimitiveTypeName.INT64
        : PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
  }

  /** The length of the fixed form. */
  int fixedLength() {
    return (int) Math.ceil((precision * BITS_PER_DIGIT + 1) / Byte.SIZE);
  }

  @Override
  public int write(ColumnWriter column, Object value, int repetition, int definition) {
    BigDecimal decimal = (BigDecimal) value;
    if (precision <= MAX_INT32_PRECISION) {
      column.write(decimal.unscaledValue().intValue(), repetition, definition);
      return Integer.BYTES;
    }
    if (precision <= MAX_INT64_PRECISION) {
      column.write(decimal.unscaledValue().longValue(), repetition, definition);
      return Long.BYTES;
    }
    byte[] bytes = extended(decimal.unscaledValue().toByteArray());
    column.write(Binary.fromConstantByteArray(bytes), repetition, definition);
    return bytes.length;
  }

  @Override
  public boolean refusesSomeValues() {
    return true;
  }

  @Override
  public Optional<String> refusal(Object value) {
    BigDecimal decimal = (BigDecimal) value;
    if (decimal.scale() != scale) {
      return Optional.of("decimal with scale " + decimal.scale() + ", expected scale " + scale);
    }
    if (decimal.precision() > precision) {
      return Optional.of(
          "decimal with "
              + decimal.precision()
              + " digits, expected at most "
              + precision
              + " digits");
    }
    return Optional.empty();
  }

  private byte[] extended(byte[] bytes) {
    int length = fixedLength();
    if (bytes.length == length) {
      return bytes;
    }
    byte[] fixed = new byte[length];
    if (bytes[0] < 0) {
      Arrays.fill(fixed, (byte) -1);
    }
    System.arraycopy(bytes, 0, fixed, length - bytes.length, bytes.length);
    return fixed;
  }
}
