package io.lakexpress.connect.source.jdbc.tds;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.UUID;

/**
 * A type of SQL Server as it is described and written in a result set.
 *
 * @param sql its name in T-SQL
 * @param info the TYPE_INFO of the protocol
 * @param userType what tells types of one form apart
 * @param form writes a value that is not NULL
 */
public record TdsType(String sql, Bytes info, int userType, Form form, Null nothing) {
  private static final byte[] COLLATION = {0x09, 0x04, (byte) 0xD0, 0x00, 0x34};
  private static final int MAX = 0xFFFF;

  /** How a value is written, with its length before it. */
  interface Form {
    void write(Bytes out, Object value);
  }

  /** How NULL is written. */
  enum Null {
    /** A length of no bytes. */
    BYTE,
    /** The largest length of two bytes. */
    SHORT,
    /** The largest length of eight bytes, for values that come in chunks. */
    CHUNKS
  }

  public static TdsType tinyint() {
    return whole("tinyint", 1);
  }

  public static TdsType smallint() {
    return whole("smallint", 2);
  }

  public static TdsType integer() {
    return whole("int", 4);
  }

  public static TdsType bigint() {
    return whole("bigint", 8);
  }

  public static TdsType bit() {
    return small("bit", (out, v) -> out.int8((Boolean) v ? 1 : 0), 1, 0x68, 1);
  }

  public static TdsType decimal(int precision, int scale) {
    return decimal("decimal", 0x6A, precision, scale);
  }

  public static TdsType numeric(int precision, int scale) {
    return decimal("numeric", 0x6C, precision, scale);
  }

  public static TdsType money() {
    return small("money", (out, v) -> Values.money(out, (BigDecimal) v), 8, 0x6E, 8);
  }

  public static TdsType smallmoney() {
    return small(
        "smallmoney",
        (out, v) -> out.int32(((BigDecimal) v).movePointRight(4).intValueExact()),
        4,
        0x6E,
        4);
  }

  public static TdsType real() {
    return small("real", (out, v) -> out.int32(Float.floatToIntBits((Float) v)), 4, 0x6D, 4);
  }

  public static TdsType floating() {
    return small("float", (out, v) -> out.int64(Double.doubleToLongBits((Double) v)), 8, 0x6D, 8);
  }

  public static TdsType date() {
    return small("date", (out, v) -> Values.date(out, (LocalDate) v), 3, 0x28);
  }

  public static TdsType time(int digits) {
    int length = Values.timeLength(digits);
    return small(
        "time(" + digits + ")",
        (out, v) -> Values.time(out, (LocalTime) v, digits),
        length,
        0x29,
        digits);
  }

  public static TdsType datetime() {
    return small("datetime", (out, v) -> Values.datetime(out, (LocalDateTime) v), 8, 0x6F, 8);
  }

  public static TdsType smalldatetime() {
    return small(
        "smalldatetime", (out, v) -> Values.smalldatetime(out, (LocalDateTime) v), 4, 0x6F, 4);
  }

  public static TdsType datetime2(int digits) {
    int length = Values.timeLength(digits) + 3;
    return small(
        "datetime2(" + digits + ")",
        (out, v) -> Values.datetime2(out, (LocalDateTime) v, digits),
        length,
        0x2A,
        digits);
  }

  public static TdsType datetimeoffset(int digits) {
    int length = Values.timeLength(digits) + 5;
    return small(
        "datetimeoffset(" + digits + ")",
        (out, v) -> Values.datetimeoffset(out, (OffsetDateTime) v, digits),
        length,
        0x2B,
        digits);
  }

  public static TdsType uniqueidentifier() {
    return small("uniqueidentifier", (out, v) -> Values.uuid(out, (UUID) v), 16, 0x24, 16);
  }

  public static TdsType nvarchar(int characters) {
    return text("nvarchar(" + characters + ")", 0xE7, 2 * characters);
  }

  public static TdsType nchar(int characters) {
    return text("nchar(" + characters + ")", 0xEF, 2 * characters);
  }

  public static TdsType nvarcharMax() {
    return new TdsType(
        "nvarchar(max)",
        new Bytes().int8(0xE7).int16(MAX).raw(COLLATION),
        0,
        (out, v) -> Values.chunks(out, new Bytes().text((String) v).toByteArray()),
        Null.CHUNKS);
  }

  public static TdsType varchar(int length) {
    return new TdsType(
        "varchar(" + length + ")",
        new Bytes().int8(0xA7).int16(length).raw(COLLATION),
        0,
        (out, v) -> Values.shortBytes(out, Values.latin((String) v)),
        Null.SHORT);
  }

  public static TdsType varbinary(int length) {
    return binary("varbinary(" + length + ")", 0xA5, length, 0);
  }

  public static TdsType binary(int length) {
    return binary("binary(" + length + ")", 0xAD, length, 0);
  }

  public static TdsType varbinaryMax() {
    return new TdsType(
        "varbinary(max)",
        new Bytes().int8(0xA5).int16(MAX),
        0,
        (out, v) -> Values.chunks(out, (byte[]) v),
        Null.CHUNKS);
  }

  /** Also called timestamp; eight bytes. */
  public static TdsType rowversion() {
    return binary("rowversion", 0xAD, 8, 0x50);
  }

  /** Without a schema collection. */
  public static TdsType xml() {
    return new TdsType(
        "xml",
        new Bytes().int8(0xF1).int8(0),
        0,
        (out, v) -> Values.chunks(out, new Bytes().text((String) v).toByteArray()),
        Null.CHUNKS);
  }

  void write(Bytes out, Object value) {
    if (value != null) {
      form.write(out, value);
      return;
    }
    switch (nothing) {
      case BYTE -> out.int8(0);
      case SHORT -> out.int16(MAX);
      case CHUNKS -> out.int64(-1);
    }
  }

  private static TdsType whole(String sql, int length) {
    return small(
        sql, (out, v) -> out.number(((Number) v).longValue(), length), length, 0x26, length);
  }

  private static TdsType decimal(String sql, int token, int precision, int scale) {
    int length = Values.decimalLength(precision);
    return small(
        String.format(Locale.ROOT, "%s(%d,%d)", sql, precision, scale),
        (out, v) -> Values.decimal(out, (BigDecimal) v, length, scale),
        length,
        token,
        length,
        precision,
        scale);
  }

  private static TdsType text(String sql, int token, int bytes) {
    return new TdsType(
        sql,
        new Bytes().int8(token).int16(bytes).raw(COLLATION),
        0,
        (out, v) -> Values.shortBytes(out, new Bytes().text((String) v).toByteArray()),
        Null.SHORT);
  }

  private static TdsType binary(String sql, int token, int length, int userType) {
    return new TdsType(
        sql,
        new Bytes().int8(token).int16(length),
        userType,
        (out, v) -> Values.shortBytes(out, (byte[]) v),
        Null.SHORT);
  }

  /** A type whose values have their length in one byte before them. */
  private static TdsType small(String sql, Form form, int length, int... info) {
    Bytes typeInfo = new Bytes();
    for (int each : info) {
      typeInfo.int8(each);
    }
    return new TdsType(sql, typeInfo, 0, (out, v) -> form.write(out.int8(length), v), Null.BYTE);
  }
}
