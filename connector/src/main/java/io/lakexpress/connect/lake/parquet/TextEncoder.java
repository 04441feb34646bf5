package io.lakexpress.connect.lake.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.util.Optional;
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
      String text = (String) value;
      for (int i = 0; i < text.length(); i++) {
        char unit = text.charAt(i);
        if (Character.isSurrogate(unit)) {
          if (!Character.isHighSurrogate(unit)
              || i + 1 == text.length()
              || !Character.isLowSurrogate(text.charAt(i + 1))) {
            return Optional.of("text with half a surrogate pair, expected Unicode text");
          }
          i++;
        }
      }
      return Optional.empty();
    }
  },

  /** All digits, no exponent, the value's own scale. */
  DECIMAL_AS_TEXT {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      byte[] digits = ((BigDecimal) value).toPlainString().getBytes(US_ASCII);
      return append(column, digits, repetition, definition);
    }
  };

  private static int append(ColumnWriter column, byte[] bytes, int repetition, int definition) {
    column.write(Binary.fromConstantByteArray(bytes), repetition, definition);
    return Integer.BYTES + bytes.length;
  }
}
