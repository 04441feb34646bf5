package io.lakexpress.connect.source.jdbc.tds;

import java.nio.charset.StandardCharsets;

/**
 * A parameter of a procedure call as it came over the wire.
 *
 * @param name with the at sign, or empty
 * @param type its T-SQL type, like {@code datetime2(7)}; lengths in characters or bytes
 * @param value as a java.time object, BigDecimal, Long, Double, Float, Boolean, UUID, String or
 *     byte[]; null for NULL
 */
public record TdsParameter(String name, String type, Object value) {
  private static final int MAX = 0xFFFF;

  static TdsParameter read(TdsInput in) {
    String name = in.text(in.int8());
    in.int8(); // by reference or default
    return read(name, in);
  }

  private static TdsParameter read(String name, TdsInput in) {
    int token = in.int8();
    return switch (token) {
      case 0x26 -> small(name, in, in.int8(), TdsParameter::wholeType, TdsParameter::whole);
      case 0x68 -> small(name, in, in.int8(), length -> "bit", (c, length) -> c.int8() != 0);
      case 0x6D ->
          small(
              name,
              in,
              in.int8(),
              length -> length == 4 ? "real" : "float",
              (c, length) ->
                  length == 4
                      ? (Object) Float.intBitsToFloat(c.int32())
                      : (Object) Double.longBitsToDouble(c.int64()));
      case 0x6E ->
          small(name, in, in.int8(), length -> length == 4 ? "smallmoney" : "money", Values::money);
      case 0x6F ->
          small(
              name,
              in,
              in.int8(),
              length -> length == 4 ? "smalldatetime" : "datetime",
              (c, length) -> length == 4 ? Values.smalldatetime(c) : Values.datetime(c));
      case 0x24 ->
          small(name, in, in.int8(), length -> "uniqueidentifier", (c, length) -> Values.uuid(c));
      case 0x6A, 0x6C -> decimal(name, token == 0x6A ? "decimal" : "numeric", in);
      case 0x28 -> small(name, in, 3, length -> "date", (c, length) -> Values.date(c));
      case 0x29, 0x2A, 0x2B -> time(name, token, in.int8(), in);
      case 0xE7, 0xEF, 0xA7, 0xAF -> text(name, token, in);
      case 0xA5, 0xAD -> binary(name, token, in);
      case 0xF1 -> {
        in.int8();
        byte[] bytes = chunks(in);
        yield new TdsParameter(name, "xml", utf16(bytes));
      }
      default ->
          throw new IllegalStateException(
              "Cannot read parameter " + name + ": unknown type " + Integer.toHexString(token));
    };
  }

  private interface TypeName {
    String of(int length);
  }

  private interface ValueReader {
    Object read(TdsInput in, int length);
  }

  private static TdsParameter small(
      String name, TdsInput in, int maxLength, TypeName type, ValueReader reader) {
    int length = in.int8();
    return new TdsParameter(name, type.of(maxLength), length == 0 ? null : reader.read(in, length));
  }

  private static String wholeType(int length) {
    return switch (length) {
      case 1 -> "tinyint";
      case 2 -> "smallint";
      case 4 -> "int";
      default -> "bigint";
    };
  }

  private static Object whole(TdsInput in, int length) {
    long bits = in.number(length);
    return switch (length) {
      case 2 -> (long) (short) bits;
      case 4 -> (long) (int) bits;
      default -> bits;
    };
  }

  private static TdsParameter decimal(String name, String type, TdsInput in) {
    in.int8();
    int precision = in.int8();
    int scale = in.int8();
    return small(
        name,
        in,
        0,
        length -> type + "(" + precision + "," + scale + ")",
        (c, length) -> Values.decimal(c, length, scale));
  }

  private static TdsParameter time(String name, int token, int digits, TdsInput in) {
    return switch (token) {
      case 0x29 ->
          small(
              name, in, 0, length -> "time(" + digits + ")", (c, length) -> Values.time(c, digits));
      case 0x2A ->
          small(
              name,
              in,
              0,
              length -> "datetime2(" + digits + ")",
              (c, length) -> Values.datetime2(c, digits));
      default ->
          small(
              name,
              in,
              0,
              length -> "datetimeoffset(" + digits + ")",
              (c, length) -> Values.datetimeoffset(c, digits));
    };
  }

  private static TdsParameter text(String name, int token, TdsInput in) {
    boolean isWide = token == 0xE7 || token == 0xEF;
    String type = isWide ? (token == 0xE7 ? "nvarchar" : "nchar") : "varchar";
    int length = in.int16();
    in.raw(5); // collation
    byte[] bytes = length == MAX ? chunks(in) : shortBytes(in);
    String size = length == MAX ? "max" : Integer.toString(isWide ? length / 2 : length);
    String value = isWide || bytes == null ? utf16(bytes) : latin(bytes);
    return new TdsParameter(name, type + "(" + size + ")", value);
  }

  private static TdsParameter binary(String name, int token, TdsInput in) {
    int length = in.int16();
    byte[] bytes = length == MAX ? chunks(in) : shortBytes(in);
    String type = token == 0xA5 ? "varbinary" : "binary";
    return new TdsParameter(name, type + "(" + (length == MAX ? "max" : length) + ")", bytes);
  }

  private static String utf16(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_16LE);
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] shortBytes(TdsInput in) {
    int length = in.int16();
    return length == MAX ? null : in.raw(length);
  }

  private static byte[] chunks(TdsInput in) {
    if (in.int64() == -1) {
      return null;
    }
    Bytes whole = new Bytes();
    for (int length = in.int32(); length > 0; length = in.int32()) {
      whole.raw(in.raw(length));
    }
    return whole.toByteArray();
  }
}
