package io.lakexpress.connect.lake.parquet;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/** UUIDs in text form as 16 bytes, big-endian. */
enum UuidEncoder implements ValueEncoder {
  UUID_TEXT;

  static final int BYTES = 16;
  private static final String FORM = "00000000-0000-0000-0000-000000000000";

  @Override
  public int write(ColumnWriter column, Object value, int repetition, int definition) {
    UUID uuid = UUID.fromString((String) value);
    byte[] bytes =
        ByteBuffer.allocate(BYTES)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();
    column.write(Binary.fromConstantByteArray(bytes), repetition, definition);
    return BYTES;
  }

  @Override
  public boolean refusesSomeValues() {
    return true;
  }

  /** Stricter than {@link UUID#fromString}, which cuts groups that are too long. */
  @Override
  public Optional<String> refusal(Object value) {
    String text = (String) value;
    boolean formed = text.length() == FORM.length();
    for (int i = 0; formed && i < text.length(); i++) {
      char unit = text.charAt(i);
      formed = FORM.charAt(i) == '-' ? unit == '-' : unit < 128 && Character.digit(unit, 16) >= 0;
    }
    return formed ? Optional.empty() : Optional.of("text that is no UUID, expected " + FORM);
  }
}
