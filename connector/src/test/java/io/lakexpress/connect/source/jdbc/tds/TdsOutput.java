package io.lakexpress.connect.source.jdbc.tds;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Writes a response as packets, and the tokens in it. */
final class TdsOutput {
  private static final int PACKET = 4096;
  private static final int HEADER = 8;
  private static final int RESPONSE = 0x04;
  static final int MORE = 0x01;
  static final int ERROR = 0x02;
  static final int COUNT = 0x10;
  static final int ATTENTION = 0x20;

  private final OutputStream socket;
  private final byte[] packet = new byte[PACKET];
  private int filled = HEADER;
  private int packetNumber;
  private final AtomicLong written = new AtomicLong();

  TdsOutput(OutputStream socket) {
    this.socket = socket;
  }

  /** How many bytes the client's machine has taken. */
  long written() {
    return written.get();
  }

  void write(Bytes bytes) throws IOException {
    byte[] all = bytes.toByteArray();
    int from = 0;
    while (from < all.length) {
      if (filled == PACKET) {
        send(0);
      }
      int length = Math.min(PACKET - filled, all.length - from);
      System.arraycopy(all, from, packet, filled, length);
      filled += length;
      from += length;
    }
  }

  /** Ends the message. */
  void end() throws IOException {
    send(1);
    socket.flush();
    packetNumber = 0;
  }

  /** Hands over what was written so far, though the message is not at its end. */
  void flush() throws IOException {
    if (filled > HEADER) {
      send(0);
      socket.flush();
    }
  }

  private void send(int status) throws IOException {
    packet[0] = RESPONSE;
    packet[1] = (byte) status;
    packet[2] = (byte) (filled >>> 8);
    packet[3] = (byte) filled;
    packet[4] = 0;
    packet[5] = 51;
    packet[6] = (byte) ++packetNumber;
    packet[7] = 0;
    int length = filled;
    filled = HEADER;
    socket.write(packet, 0, length);
    written.addAndGet(length);
  }

  void columns(List<TdsColumn> columns) throws IOException {
    Bytes token = new Bytes().int8(0x81).int16(columns.size());
    for (TdsColumn column : columns) {
      // Nullable, not updatable.
      token.int32(column.type().userType()).int16(1);
      token.raw(column.type().info().toByteArray()).shortText(column.name());
    }
    write(token);
  }

  void row(List<TdsColumn> columns, List<Object> values) throws IOException {
    Bytes token = new Bytes().int8(0xD1);
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).type().write(token, values.get(i));
    }
    write(token);
  }

  /** ERROR or INFO. */
  void message(int token, int number, int state, int severity, String text) throws IOException {
    Bytes body =
        new Bytes()
            .int32(number)
            .int8(state)
            .int8(severity)
            .longText(text)
            .shortText("TESTING")
            .shortText("")
            .int32(1);
    write(new Bytes().int8(token).int16(body.size()).raw(body.toByteArray()));
  }

  /** DONE, DONEPROC or DONEINPROC. */
  void done(int token, int status, Command command, long rows) throws IOException {
    write(new Bytes().int8(token).int16(status).int16(command.code).int64(rows));
  }

  /** What a DONE token says was done. */
  enum Command {
    OTHER(0),
    SELECT(0xC1),
    UPDATE(0xC5);

    private final int code;

    Command(int code) {
      this.code = code;
    }
  }

  void environment(int type, Bytes change) throws IOException {
    write(new Bytes().int8(0xE3).int16(change.size() + 1).int8(type).raw(change.toByteArray()));
  }

  void returnStatus() throws IOException {
    write(new Bytes().int8(0x79).int32(0));
  }

  /** An output parameter of type int. */
  void returnValue(int value) throws IOException {
    write(
        new Bytes()
            .int8(0xAC)
            .int16(0)
            .shortText("")
            .int8(1)
            .int32(0)
            .int16(0)
            .int8(0x26)
            .int8(4)
            .int8(4)
            .int32(value));
  }
}
