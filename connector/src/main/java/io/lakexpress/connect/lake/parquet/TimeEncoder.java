package io.lakexpress.connect.lake.parquet;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.column.ColumnWriter;

/** Connect's own date, time and timestamp, and times of day in any unit. */
enum TimeEncoder implements ValueEncoder {
  /** A {@code java.util.Date} at midnight UTC as days. */
  CONNECT_DATE {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      int days = (int) Math.floorDiv(millis(value), DAY);
      return CountEncoder.DAYS.write(column, days, repetition, definition);
    }

    @Override
    public Optional<String> refusal(Object value) {
      long millis = millis(value);
      long days = Math.floorDiv(millis, DAY);
      if (Math.floorMod(millis, DAY) != 0) {
        return Optional.of("date with a time of day, expected midnight UTC");
      }
      return days == (int) days
          ? Optional.empty()
          : Optional.of("date further from 1970 than 32 bits count days");
    }
  },

  /** A {@code java.util.Date} on 1970-01-01 as milliseconds of the day. */
  CONNECT_TIME {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      column.write((int) millis(value), repetition, definition);
      return Integer.BYTES;
    }

    @Override
    public Optional<String> refusal(Object value) {
      return outsideDay(millis(value), TimeUnit.MILLISECONDS);
    }
  },

  /** A {@code java.util.Date} as milliseconds since 1970 UTC. */
  CONNECT_TIMESTAMP {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      column.write(CountEncoder.symmetric(millis(value)), repetition, definition);
      return Long.BYTES;
    }

    @Override
    public boolean refusesSomeValues() {
      return false;
    }

    @Override
    public Optional<String> refusal(Object value) {
      return Optional.empty();
    }
  },

  MILLIS_OF_DAY {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      return PrimitiveEncoder.INT32.write(column, value, repetition, definition);
    }

    @Override
    public Optional<String> refusal(Object value) {
      return outsideDay(((Integer) value).longValue(), TimeUnit.MILLISECONDS);
    }
  },

  MICROS_OF_DAY {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      return PrimitiveEncoder.INT64.write(column, value, repetition, definition);
    }

    @Override
    public Optional<String> refusal(Object value) {
      return outsideDay((Long) value, TimeUnit.MICROSECONDS);
    }
  },

  NANOS_OF_DAY {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      return PrimitiveEncoder.INT64.write(column, value, repetition, definition);
    }

    @Override
    public Optional<String> refusal(Object value) {
      return outsideDay((Long) value, TimeUnit.NANOSECONDS);
    }
  };

  private static final long DAY = TimeUnit.DAYS.toMillis(1);

  @Override
  public boolean refusesSomeValues() {
    return true;
  }

  @Override
  public abstract Optional<String> refusal(Object value);

  /** Connect prescribes this class, and its subclasses in java.sql have no instant. */
  @SuppressWarnings("JavaUtilDate")
  static long millis(Object value) {
    return ((java.util.Date) value).getTime();
  }

  /** PostgreSQL knows 24:00:00, so the end of the day belongs to it. */
  private static Optional<String> outsideDay(long count, TimeUnit unit) {
    return count >= 0 && count <= unit.convert(1, TimeUnit.DAYS)
        ? Optional.empty()
        : Optional.of("time outside 00:00:00 to 24:00:00");
  }
}
