package io.lakexpress.connect.source.jdbc.tds;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** Values in the protocol's own forms, both ways, without the length that comes before them. */
final class Values {
  private static final LocalDate FIRST_DAY = LocalDate.of(1, 1, 1);
  private static final LocalDate DATETIME_FIRST_DAY = LocalDate.of(1900, 1, 1);
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long TICKS_PER_SECOND = 300;

  private Values() {}

  static int decimalLength(int precision) {
    if (precision <= 9) {
      return 5;
    }
    if (precision <= 19) {
      return 9;
    }
    return precision <= 28 ? 13 : 17;
  }

  static void decimal(Bytes out, BigDecimal value, int length, int scale) {
    BigInteger unscaled = value.setScale(scale, RoundingMode.UNNECESSARY).unscaledValue();
    out.int8(unscaled.signum() < 0 ? 0 : 1);
    byte[] magnitude = unscaled.abs().toByteArray();
    for (int i = 0; i < length - 1; i++) {
      int from = magnitude.length - 1 - i;
      out.int8(from < 0 ? 0 : magnitude[from]);
    }
  }

  static BigDecimal decimal(TdsInput in, int length, int scale) {
    int sign = in.int8() == 0 ? -1 : 1;
    byte[] magnitude = new byte[length - 1];
    for (int i = magnitude.length - 1; i >= 0; i--) {
      magnitude[i] = (byte) in.int8();
    }
    return new BigDecimal(new BigInteger(sign, magnitude), scale);
  }

  static void money(Bytes out, BigDecimal value) {
    long units = value.movePointRight(4).longValueExact();
    out.int32(units >> 32).int32(units);
  }

  static BigDecimal money(TdsInput in, int length) {
    long units = in.int32();
    if (length == 8) {
      units = (units << 32) | (in.int32() & 0xFFFFFFFFL);
    }
    return BigDecimal.valueOf(units, 4);
  }

  static int timeLength(int digits) {
    if (digits <= 2) {
      return 3;
    }
    return digits <= 4 ? 4 : 5;
  }

  static void time(Bytes out, LocalTime value, int digits) {
    out.number(value.toNanoOfDay() / nanosPerUnit(digits), timeLength(digits));
  }

  static LocalTime time(TdsInput in, int digits) {
    return LocalTime.ofNanoOfDay(in.number(timeLength(digits)) * nanosPerUnit(digits));
  }

  private static long nanosPerUnit(int digits) {
    return NANOS_PER_SECOND / (long) Math.pow(10, digits);
  }

  static void date(Bytes out, LocalDate value) {
    out.number(ChronoUnit.DAYS.between(FIRST_DAY, value), 3);
  }

  static LocalDate date(TdsInput in) {
    return FIRST_DAY.plusDays(in.number(3));
  }

  static void datetime2(Bytes out, LocalDateTime value, int digits) {
    time(out, value.toLocalTime(), digits);
    date(out, value.toLocalDate());
  }

  static LocalDateTime datetime2(TdsInput in, int digits) {
    LocalTime time = time(in, digits);
    return date(in).atTime(time);
  }

  static void datetimeoffset(Bytes out, OffsetDateTime value, int digits) {
    datetime2(out, value.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime(), digits);
    out.int16(value.getOffset().getTotalSeconds() / 60);
  }

  static OffsetDateTime datetimeoffset(TdsInput in, int digits) {
    LocalDateTime utc = datetime2(in, digits);
    int minutes = (short) in.int16();
    return utc.atOffset(ZoneOffset.UTC)
        .withOffsetSameInstant(ZoneOffset.ofTotalSeconds(60 * minutes));
  }

  static void datetime(Bytes out, LocalDateTime value) {
    long nanos = value.toLocalTime().toNanoOfDay();
    long ticks =
        (nanos / NANOS_PER_SECOND) * TICKS_PER_SECOND
            + Math.round((nanos % NANOS_PER_SECOND) * TICKS_PER_SECOND / 1e9);
    out.int32(ChronoUnit.DAYS.between(DATETIME_FIRST_DAY, value.toLocalDate())).int32(ticks);
  }

  /** As SQL Server shows it: in whole milliseconds. */
  static LocalDateTime datetime(TdsInput in) {
    LocalDate day = DATETIME_FIRST_DAY.plusDays(in.int32());
    long ticks = in.int32();
    return day.atStartOfDay().plus(Math.round(ticks * 10 / 3.0), ChronoUnit.MILLIS);
  }

  static void smalldatetime(Bytes out, LocalDateTime value) {
    out.int16((int) ChronoUnit.DAYS.between(DATETIME_FIRST_DAY, value.toLocalDate()))
        .int16(value.toLocalTime().toSecondOfDay() / 60);
  }

  static LocalDateTime smalldatetime(TdsInput in) {
    LocalDate day = DATETIME_FIRST_DAY.plusDays(in.int16());
    return day.atStartOfDay().plusMinutes(in.int16());
  }

  static void uuid(Bytes out, UUID value) {
    long high = value.getMostSignificantBits();
    out.int32(high >>> 32)
        .int16((int) (high >>> 16))
        .int16((int) high)
        .bigEndian(value.getLeastSignificantBits(), 8);
  }

  static UUID uuid(TdsInput in) {
    long high = (in.number(4) << 32) | (in.number(2) << 16) | in.number(2);
    return new UUID(high, Long.reverseBytes(in.int64()));
  }

  static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static void shortBytes(Bytes out, byte[] value) {
    out.int16(value.length).raw(value);
  }

  /** PLP: the whole length, one chunk, and the end of the chunks. */
  static void chunks(Bytes out, byte[] value) {
    out.int64(value.length);
    if (value.length > 0) {
      out.int32(value.length).raw(value);
    }
    out.int32(0);
  }
}
