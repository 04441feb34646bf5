package io.lakexpress.connect.source.jdbc.tds;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads a message from its beginning to its end; numbers are little-endian. */
final class TdsInput {
  private final byte[] bytes;
  private int position;

  TdsInput(byte[] bytes) {
    this.bytes = bytes;
  }

  boolean hasMore() {
    return position < bytes.length;
  }

  int int8() {
    return bytes[position++] & 0xFF;
  }

  /** Whether the next call of the same message begins here. */
  boolean isAtSeparator() {
    // Names of parameters are shorter.
    int next = bytes[position] & 0xFF;
    return next == 0x80 || next == 0xFF;
  }

  int int16() {
    return (int) number(2);
  }

  int int32() {
    return (int) number(4);
  }

  long int64() {
    return number(8);
  }

  long number(int length) {
    long value = 0;
    for (int i = 0; i < length; i++) {
      value |= (bytes[position + i] & 0xFFL) << (8 * i);
    }
    position += length;
    return value;
  }

  byte[] raw(int length) {
    byte[] read = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return read;
  }

  /** What is left. */
  byte[] rest() {
    return raw(bytes.length - position);
  }

  String text(int characters) {
    return new String(raw(2 * characters), StandardCharsets.UTF_16LE);
  }

  /** Passes over ALL_HEADERS, whose length comes first. */
  TdsInput withoutHeaders() {
    int length = int32();
    position += length - 4;
    return this;
  }
}
