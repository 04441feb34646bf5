package io.lakexpress.connect.source.jdbc;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;

/**
 * Dates and times as they stand in records. The extreme values of {@code java.time} stand for the
 * infinities and become the extreme numbers.
 */
final class Temporals {
  private static final long NANOS_OF_DAY = 86_400_000_000_000L;

  private final ReadSettings.TimePrecision precision;
  private final InfiniteValues infiniteValues;

  Temporals(ReadSettings.TimePrecision precision, InfiniteValues infiniteValues) {
    this.precision = precision;
    this.infiniteValues = infiniteValues;
  }

  SchemaBuilder dateSchema() {
    return Date.builder();
  }

  /**
   * A day; infinity is day {@link Integer#MAX_VALUE} or {@link Integer#MIN_VALUE}, which Connect's
   * conversion between days and its date objects leaves as they are.
   */
  Object date(LocalDate date) {
    int day;
    if (date.equals(LocalDate.MAX)) {
      day = infiniteValues.counted(Integer.MAX_VALUE);
    } else if (date.equals(LocalDate.MIN)) {
      day = infiniteValues.counted(Integer.MIN_VALUE);
    } else {
      day = Math.toIntExact(date.toEpochDay());
    }
    return Date.toLogical(Date.SCHEMA, day);
  }

  SchemaBuilder timeSchema() {
    return switch (precision) {
      case MICROS -> SchemaBuilder.int64().name("io.debezium.time.MicroTime").version(1);
      case NANOS -> SchemaBuilder.int64().name("io.debezium.time.NanoTime").version(1);
      case CONNECT -> Time.builder();
    };
  }

  /**
   * A time of day. The end of the day, 24:00, is the number of a whole day; Connect's own type does
   * not know it, there it is the day's last millisecond.
   */
  Object time(LocalTime time) {
    long nanos = time.equals(LocalTime.MAX) ? NANOS_OF_DAY : time.toNanoOfDay();
    return switch (precision) {
      case MICROS -> nanos / 1000;
      case NANOS -> nanos;
      case CONNECT ->
          Time.toLogical(Time.SCHEMA, (int) (Math.min(nanos, NANOS_OF_DAY - 1) / 1_000_000));
    };
  }

  SchemaBuilder localSchema() {
    return switch (precision) {
      case MICROS -> SchemaBuilder.int64().name("io.debezium.time.MicroTimestamp").version(1);
      case NANOS -> SchemaBuilder.int64().name("io.debezium.time.NanoTimestamp").version(1);
      case CONNECT -> Timestamp.builder();
    };
  }

  /** A date and time without zone. */
  Object local(LocalDateTime time) {
    if (time.equals(LocalDateTime.MAX)) {
      return number(infiniteValues.counted(Long.MAX_VALUE));
    }
    if (time.equals(LocalDateTime.MIN)) {
      return number(infiniteValues.counted(Long.MIN_VALUE));
    }
    return number(time, time);
  }

  SchemaBuilder instantSchema() {
    return switch (precision) {
      case MICROS -> SchemaBuilder.int64().name("io.lakexpress.time.MicroInstant").version(1);
      case NANOS -> SchemaBuilder.int64().name("io.lakexpress.time.NanoInstant").version(1);
      case CONNECT -> Timestamp.builder();
    };
  }

  /** A point in time. */
  Object instant(OffsetDateTime time) {
    if (time.equals(OffsetDateTime.MAX)) {
      return number(infiniteValues.counted(Long.MAX_VALUE));
    }
    if (time.equals(OffsetDateTime.MIN)) {
      return number(infiniteValues.counted(Long.MIN_VALUE));
    }
    return number(time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime(), time);
  }

  private Object number(LocalDateTime utc, Object original) {
    long perSecond =
        switch (precision) {
          case MICROS -> 1_000_000;
          case NANOS -> 1_000_000_000;
          case CONNECT -> 1000;
        };
    try {
      long seconds = utc.toEpochSecond(ZoneOffset.UTC);
      long whole = Math.multiplyExact(seconds, perSecond);
      return number(
          Math.addExact(whole, utc.get(ChronoField.NANO_OF_SECOND) / (1_000_000_000 / perSecond)));
    } catch (ArithmeticException e) {
      throw new UnreadableValueException(
          original + " lies outside what 64 bits hold at this precision; see time.precision.mode");
    }
  }

  private Object number(long units) {
    return precision == ReadSettings.TimePrecision.CONNECT
        ? Timestamp.toLogical(Timestamp.SCHEMA, units)
        : (Object) units;
  }
}
