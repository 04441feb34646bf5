package io.lakexpress.connect.lake.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import org.apache.kafka.connect.data.Struct;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/** Text, and decimals that Parquet's own decimals cannot hold, as text. */
enum TextEncoder implements ValueEncoder {
  /** Strings. Half a surrogate pair has no UTF-8 form and would silently become a question mark. */
  TEXT {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      return append(column, ((String) value).getBytes(UTF_8), repetition, definition);
    }

    @Override
    public boolean refusesSomeValues() {
      return true;
    }

    @Override
    public Optional<String> refusal(Object value) {
      return isUnicode((String) value)
          ? Optional.empty()
          : Optional.of("text with half a surrogate pair, expected Unicode text");
    }
  },

  /** All digits, no exponent, the value's own scale. */
  DECIMAL_AS_TEXT {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      return append(column, digits((BigDecimal) value), repetition, definition);
    }

    @Override
    public boolean refusesSomeValues() {
      return true;
    }

    @Override
    public Optional<String> refusal(Object value) {
      return tooLong((BigDecimal) value);
    }
  },

  /** A struct of scale and unscaled value as all digits. */
  VARIABLE_SCALE_AS_TEXT {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      return append(column, digits(decimal((Struct) value)), repetition, definition);
    }

    @Override
    public boolean refusesSomeValues() {
      return true;
    }

    @Override
    public Optional<String> refusal(Object value) {
      Struct struct = (Struct) value;
      if (struct.get("scale") == null || struct.get("value") == null) {
        return Optional.of("decimal without scale or value");
      }
      return unscaled(struct).length == 0
          ? Optional.of("decimal of no bytes")
          : tooLong(decimal(struct));
    }
  };

  /** More than any database keeps; a scale from nowhere must not fill the heap with zeros. */
  private static final int MAX_DIGITS = 1 << 20;

  /** Whether UTF-8 can hold a text: half a surrogate pair it cannot. */
  static boolean isUnicode(String text) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isSurrogate(unit)) {
        if (!Character.isHighSurrogate(unit)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  private static Optional<String> tooLong(BigDecimal decimal) {
    long digits = Math.max(decimal.precision() - (long) decimal.scale(), decimal.scale());
    return digits > MAX_DIGITS
        ? Optional.of("decimal that takes " + digits + " digits, expected at most " + MAX_DIGITS)
        : Optional.empty();
  }

  private static byte[] digits(BigDecimal decimal) {
    return decimal.toPlainString().getBytes(US_ASCII);
  }

  private static BigDecimal decimal(Struct struct) {
    return new BigDecimal(new BigInteger(unscaled(struct)), struct.getInt32("scale"));
  }

  private static byte[] unscaled(Struct struct) {
    return PrimitiveEncoder.bytes(struct.get("value"));
  }

  private static int append(ColumnWriter column, byte[] bytes, int repetition, int definition) {
    column.write(Binary.fromConstantByteArray(bytes), repetition, definition);
    return Integer.BYTES + bytes.length;
  }
}
