package io.lakexpress.connect.source.jdbc.tds;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Bytes in the making; numbers are little-endian unless the name says otherwise. */
final class Bytes {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  Bytes int8(int value) {
    out.write(value);
    return this;
  }

  Bytes int16(int value) {
    return number(value, 2);
  }

  Bytes int32(long value) {
    return number(value, 4);
  }

  Bytes int64(long value) {
    return number(value, 8);
  }

  /** The lowest bytes of a number. */
  Bytes number(long value, int length) {
    for (int i = 0; i < length; i++) {
      out.write((int) (value >>> (8 * i)));
    }
    return this;
  }

  Bytes bigEndian(long value, int length) {
    for (int i = length - 1; i >= 0; i--) {
      out.write((int) (value >>> (8 * i)));
    }
    return this;
  }

  Bytes raw(byte[] bytes) {
    out.write(bytes, 0, bytes.length);
    return this;
  }

  Bytes text(String text) {
    return raw(text.getBytes(StandardCharsets.UTF_16LE));
  }

  /** B_VARCHAR: the number of characters in one byte before them. */
  Bytes shortText(String text) {
    return int8(text.length()).text(text);
  }

  /** US_VARCHAR: the number of characters in two bytes before them. */
  Bytes longText(String text) {
    return int16(text.length()).text(text);
  }

  int size() {
    return out.size();
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }
}
