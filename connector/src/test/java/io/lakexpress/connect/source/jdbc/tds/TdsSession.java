package io.lakexpress.connect.source.jdbc.tds;

import io.lakexpress.connect.source.jdbc.tds.TdsAnswer.Delayed;
import io.lakexpress.connect.source.jdbc.tds.TdsAnswer.Done;
import io.lakexpress.connect.source.jdbc.tds.TdsAnswer.Dropped;
import io.lakexpress.connect.source.jdbc.tds.TdsAnswer.Failed;
import io.lakexpress.connect.source.jdbc.tds.TdsAnswer.Rows;
import io.lakexpress.connect.source.jdbc.tds.TdsAnswer.Sequence;
import io.lakexpress.connect.source.jdbc.tds.TdsAnswer.Told;
import io.lakexpress.connect.source.jdbc.tds.TdsAnswer.Updated;
import io.lakexpress.connect.source.jdbc.tds.TdsOutput.Command;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * One connection. A thread of its own reads, so that a cancellation is seen while an answer is on
 * its way.
 */
final class TdsSession {
  private static final int BATCH = 0x01;
  private static final int CALL = 0x03;
  private static final int CANCEL = 0x06;
  private static final int LOGIN = 0x10;
  private static final int PRELOGIN = 0x12;
  private static final int END = -1;
  private static final int DONE = 0xFD;
  private static final int DONE_PROCEDURE = 0xFE;
  private static final int DONE_IN_PROCEDURE = 0xFF;

  private final Socket socket;
  private final TdsOutput out;
  private final Function<TdsStatement, TdsAnswer> script;
  private final LinkedBlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
  private final Map<Integer, Prepared> prepared = new HashMap<>();

  TdsSession(Socket socket, Function<TdsStatement, TdsAnswer> script) throws IOException {
    this.socket = socket;
    this.out = new TdsOutput(socket.getOutputStream());
    this.script = script;
  }

  private record Message(int type, TdsInput body) {}

  private record Prepared(String sql, String declaration) {}

  /** Ends an answer before its time. */
  private static final class Ended extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean isCancelled;

    private Ended(boolean isCancelled) {
      super("ended", null, false, false);
      this.isCancelled = isCancelled;
    }
  }

  long bytesSent() {
    return out.written();
  }

  boolean isOpen() {
    return !socket.isClosed();
  }

  void cut() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot cut a connection", e);
    }
  }

  /** Collects what the client sends until it hangs up. */
  void listen() {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      Bytes body = new Bytes();
      while (true) {
        int type = in.readUnsignedByte();
        int status = in.readUnsignedByte();
        int length = in.readUnsignedShort();
        in.readInt();
        body.raw(in.readNBytes(length - 8));
        if ((status & 1) == 1) {
          inbox.add(new Message(type, new TdsInput(body.toByteArray())));
          body = new Bytes();
        }
      }
    } catch (IOException e) {
      inbox.add(new Message(END, new TdsInput(new byte[0])));
    }
  }

  /** Answers until the client hangs up. */
  void answer() {
    try (socket) {
      for (Message message = inbox.take(); message.type() != END; message = inbox.take()) {
        answer(message);
      }
    } catch (IOException | Ended e) {
      // The client is gone, or the script cut it off.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(Message message) throws IOException, InterruptedException, Ended {
    try {
      switch (message.type()) {
        case PRELOGIN -> prelogin();
        case LOGIN -> login();
        case BATCH -> batch(message.body());
        case CALL -> calls(message.body());
        case CANCEL -> out.done(DONE, TdsOutput.ATTENTION, Command.OTHER, 0);
        default ->
            throw new IllegalStateException(
                "Cannot answer a message of type " + message.type() + ": not written for it");
      }
    } catch (Ended e) {
      if (!e.isCancelled) {
        throw e;
      }
      // The broken answer ends as a message of its own, then the cancellation is confirmed.
      out.done(message.type() == CALL ? DONE_PROCEDURE : DONE, TdsOutput.ERROR, Command.OTHER, 0);
      out.end();
      out.done(DONE, TdsOutput.ATTENTION, Command.OTHER, 0);
    }
    out.end();
  }

  private void prelogin() throws IOException {
    Bytes options = new Bytes();
    int dataAt = 2 * 5 + 1;
    options.int8(0).bigEndian(dataAt, 2).bigEndian(6, 2);
    options.int8(1).bigEndian(dataAt + 6, 2).bigEndian(1, 2);
    options.int8(0xFF);
    // Version 16.0.4000, and no encryption.
    options.int8(16).int8(0).bigEndian(4000, 2).int16(0).int8(2);
    out.write(options);
  }

  private void login() throws IOException {
    out.environment(1, new Bytes().shortText("testing").shortText("master"));
    out.environment(
        7, new Bytes().int8(5).raw(new byte[] {0x09, 0x04, (byte) 0xD0, 0x00, 0x34}).int8(0));
    Bytes acknowledgement =
        new Bytes()
            .int8(1)
            .bigEndian(0x74000004L, 4)
            .shortText("Testing TDS server")
            .int8(16)
            .int8(0)
            .bigEndian(4000, 2);
    out.write(
        new Bytes().int8(0xAD).int16(acknowledgement.size()).raw(acknowledgement.toByteArray()));
    out.done(DONE, 0, Command.OTHER, 0);
  }

  private void batch(TdsInput in) throws IOException, InterruptedException, Ended {
    String sql = new String(in.withoutHeaders().rest(), StandardCharsets.UTF_16LE);
    TdsAnswer answer = script.apply(new TdsStatement("batch", sql, "", List.of()));
    List<TdsAnswer> parts = flat(answer);
    for (int i = 0; i < parts.size(); i++) {
      int more = i == parts.size() - 1 ? 0 : TdsOutput.MORE;
      part(parts.get(i), DONE, more);
    }
  }

  private void calls(TdsInput in) throws IOException, InterruptedException, Ended {
    in.withoutHeaders();
    while (in.hasMore()) {
      call(in);
    }
  }

  private void call(TdsInput in) throws IOException, InterruptedException, Ended {
    int nameLength = in.int16();
    String procedure = nameLength == 0xFFFF ? procedure(in.int16()) : in.text(nameLength);
    in.int16();
    List<TdsParameter> parameters = new ArrayList<>();
    while (in.hasMore() && !in.isAtSeparator()) {
      parameters.add(TdsParameter.read(in));
    }
    if (in.hasMore()) {
      in.int8();
    }
    execute(procedure, parameters, in.hasMore() ? TdsOutput.MORE : 0);
  }

  private void execute(String procedure, List<TdsParameter> given, int more)
      throws IOException, InterruptedException, Ended {
    List<TdsParameter> parameters = new ArrayList<>(given);
    Integer handle = null;
    Prepared statement;
    switch (procedure) {
      case "sp_executesql" -> {
        String sql = (String) parameters.remove(0).value();
        statement = new Prepared(sql, parameters.isEmpty() ? "" : take(parameters));
      }
      case "sp_prepexec", "sp_prepare" -> {
        parameters.remove(0);
        String declaration = take(parameters);
        statement = new Prepared(take(parameters), declaration);
        handle = prepared.size() + 1;
        prepared.put(handle, statement);
      }
      case "sp_execute" -> {
        int known = ((Long) parameters.remove(0).value()).intValue();
        statement = prepared.get(known);
      }
      case "sp_unprepare" -> {
        out.returnStatus();
        out.done(DONE_PROCEDURE, more, Command.OTHER, 0);
        return;
      }
      default -> statement = new Prepared("", "");
    }
    TdsAnswer answer =
        script.apply(
            new TdsStatement(procedure, statement.sql(), statement.declaration(), parameters));
    boolean hasFailed = false;
    for (TdsAnswer part : flat(answer)) {
      hasFailed |= part instanceof Failed || (part instanceof Rows r && r.end() instanceof Failed);
      part(part, DONE_IN_PROCEDURE, TdsOutput.MORE);
    }
    out.returnStatus();
    if (handle != null) {
      out.returnValue(handle);
    }
    out.done(DONE_PROCEDURE, more | (hasFailed ? TdsOutput.ERROR : 0), Command.OTHER, 0);
  }

  private static String take(List<TdsParameter> parameters) {
    String text = (String) parameters.remove(0).value();
    return text == null ? "" : text;
  }

  private static String procedure(int id) {
    return switch (id) {
      case 10 -> "sp_executesql";
      case 11 -> "sp_prepare";
      case 12 -> "sp_execute";
      case 13 -> "sp_prepexec";
      case 15 -> "sp_unprepare";
      default -> "procedure " + id;
    };
  }

  private static List<TdsAnswer> flat(TdsAnswer answer) {
    if (answer instanceof Sequence sequence) {
      return sequence.answers().stream().flatMap(part -> flat(part).stream()).toList();
    }
    return List.of(answer);
  }

  private void part(TdsAnswer part, int doneToken, int more)
      throws IOException, InterruptedException, Ended {
    if (part instanceof Rows rows) {
      rows(rows, doneToken, more);
    } else if (part instanceof Updated updated) {
      out.done(doneToken, TdsOutput.COUNT | more, Command.UPDATE, updated.rows());
    } else if (part instanceof Done) {
      out.done(doneToken, more, Command.OTHER, 0);
    } else if (part instanceof Failed failed) {
      out.message(0xAA, failed.number(), failed.state(), failed.severity(), failed.message());
      out.done(doneToken, TdsOutput.ERROR | more, Command.OTHER, 0);
      if (failed.severity() >= 20) {
        out.flush();
        throw new Ended(false);
      }
    } else if (part instanceof Told told) {
      out.message(0xAB, told.number(), 1, 0, told.message());
    } else if (part instanceof Delayed delayed) {
      out.flush();
      waitFor(delayed);
    } else if (part instanceof Dropped) {
      out.flush();
      throw new Ended(false);
    }
  }

  private void rows(Rows rows, int doneToken, int more)
      throws IOException, InterruptedException, Ended {
    out.columns(rows.columns());
    long count = 0;
    for (List<Object> row : rows.rows()) {
      endIfCancelled();
      out.row(rows.columns(), row);
      count++;
    }
    if (rows.end() == null) {
      out.done(doneToken, TdsOutput.COUNT | more, Command.SELECT, count);
    } else {
      part(rows.end(), doneToken, more);
    }
  }

  private void endIfCancelled() throws Ended {
    Message next = inbox.peek();
    if (next != null) {
      inbox.remove();
      throw new Ended(next.type() == CANCEL);
    }
  }

  private void waitFor(Delayed delayed) throws InterruptedException, Ended {
    Message next = inbox.poll(delayed.time().toMillis(), TimeUnit.MILLISECONDS);
    if (next != null) {
      throw new Ended(next.type() == CANCEL);
    }
  }
}
