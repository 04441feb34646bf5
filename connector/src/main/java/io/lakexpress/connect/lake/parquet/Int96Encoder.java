package io.lakexpress.connect.lake.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/**
 * Timestamps as nanoseconds of a day and the Julian day, little-endian. Readers turn them into
 * microseconds since 1970, so infinity is written as the largest count of those, whatever the unit.
 * Some take the day for unsigned, so minus infinity is day 0, which is PostgreSQL's first, too.
 *
 * @param unit what the values count since 1970
 */
record Int96Encoder(TimeUnit unit) implements ValueEncoder {
  private static final int BYTES = 12;
  private static final int JULIAN_DAY_OF_1970 = 2_440_588;
  private static final long LATEST_MILLIS = TimeUnit.MICROSECONDS.toMillis(Long.MAX_VALUE);

  @Override
  public int write(ColumnWriter column, Object value, int repetition, int definition) {
    long count = count(value);
    long nanos = 0;
    long day = 0;
    if (count != Long.MIN_VALUE) {
      TimeUnit counted = count == Long.MAX_VALUE ? TimeUnit.MICROSECONDS : unit;
      nanos = counted.toNanos(Math.floorMod(count, counted.convert(1, TimeUnit.DAYS)));
      day = julianDay(count, counted);
    }
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(nanos).putInt(Math.toIntExact(day));
    column.write(Binary.fromConstantByteArray(bytes.array()), repetition, definition);
    return BYTES;
  }

  @Override
  public boolean refusesSomeValues() {
    return unit != TimeUnit.NANOSECONDS;
  }

  @Override
  public Optional<String> refusal(Object value) {
    long count = count(value);
    if (count == Long.MIN_VALUE || count == Long.MAX_VALUE) {
      return Optional.empty();
    }
    if (julianDay(count, unit) < 0) {
      return Optional.of("timestamp before 4714 BC, where Julian days begin");
    }
    return unit == TimeUnit.MILLISECONDS && count > LATEST_MILLIS
        ? Optional.of("timestamp further from 1970 than 64 bits count microseconds")
        : Optional.empty();
  }

  private static long julianDay(long count, TimeUnit unit) {
    return Math.floorDiv(count, unit.convert(1, TimeUnit.DAYS)) + JULIAN_DAY_OF_1970;
  }

  private static long count(Object value) {
    return value instanceof Long count ? count : TimeEncoder.millis(value);
  }
}
