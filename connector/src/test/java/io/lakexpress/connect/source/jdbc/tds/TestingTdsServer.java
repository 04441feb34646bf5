package io.lakexpress.connect.source.jdbc.tds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A hand-made server of the TDS protocol (7.4, without encryption); not SQL Server. It knows no
 * SQL: it answers each statement as the script says and keeps what it was sent. So it shows what a
 * driver sends and how it takes answers, never what SQL Server would do.
 */
public final class TestingTdsServer implements AutoCloseable {
  private static final Pattern DRIVERS_OWN =
      Pattern.compile(
          "\\s*(set |IF @@TRANCOUNT > 0 (COMMIT|ROLLBACK)|SELECT 1\\s*$).*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final ServerSocket listening;
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final List<TdsStatement> statements = new CopyOnWriteArrayList<>();
  private final List<TdsSession> sessions = new CopyOnWriteArrayList<>();

  private record Rule(Pattern pattern, Function<TdsStatement, TdsAnswer> answer) {}

  private TestingTdsServer(ServerSocket listening) {
    this.listening = listening;
  }

  /** A server with an empty script. */
  public static TestingTdsServer start() {
    try {
      TestingTdsServer server =
          new TestingTdsServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      server.inBackground("tds-accept", server::accept);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start the TDS server", e);
    }
  }

  /** Answers every statement in which the pattern is found; the rule added last goes first. */
  public TestingTdsServer answer(String pattern, TdsAnswer answer) {
    return answer(pattern, statement -> answer);
  }

  /** As above, with an answer that depends on the statement. */
  public TestingTdsServer answer(String pattern, Function<TdsStatement, TdsAnswer> answer) {
    rules.add(0, new Rule(Pattern.compile(pattern, Pattern.DOTALL), answer));
    return this;
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** Where a driver finds the server. */
  public String url() {
    return "jdbc:sqlserver://localhost:"
        + port()
        + ";databaseName=testing;encrypt=false;connectRetryCount=0";
  }

  /** What was sent by all clients, in order, without what drivers send of their own accord. */
  public List<TdsStatement> statements() {
    return statements.stream().filter(s -> !DRIVERS_OWN.matcher(s.sql()).matches()).toList();
  }

  /** Everything that was sent, also what drivers send of their own accord. */
  public List<TdsStatement> everyStatement() {
    return List.copyOf(statements);
  }

  /** The last statement in which the pattern is found. */
  public TdsStatement last(String pattern) {
    Pattern compiled = Pattern.compile(pattern, Pattern.DOTALL);
    return statements.stream()
        .filter(statement -> compiled.matcher(statement.sql()).find())
        .reduce((first, second) -> second)
        .orElseThrow(() -> new AssertionError("No statement was sent like " + pattern));
  }

  /** How many bytes clients have taken. */
  public long bytesSent() {
    return sessions.stream().mapToLong(TdsSession::bytesSent).sum();
  }

  /** How many clients are connected. */
  public long connections() {
    return sessions.stream().filter(TdsSession::isOpen).count();
  }

  /** Cuts all clients off. */
  public void cut() {
    sessions.forEach(TdsSession::cut);
  }

  private TdsAnswer answer(TdsStatement statement) {
    statements.add(statement);
    for (Rule rule : rules) {
      if (rule.pattern().matcher(statement.sql()).find()) {
        return rule.answer().apply(statement);
      }
    }
    if (DRIVERS_OWN.matcher(statement.sql()).matches()) {
      return TdsAnswer.done();
    }
    return TdsAnswer.failed(50000, "The script has no answer to: " + statement.sql());
  }

  private void accept() {
    try {
      while (!listening.isClosed()) {
        Socket socket = listening.accept();
        socket.setTcpNoDelay(true);
        // Small, so that what the client has not asked for waits here.
        socket.setSendBufferSize(1 << 16);
        TdsSession session = new TdsSession(socket, this::answer);
        sessions.add(session);
        inBackground("tds-listen", session::listen);
        inBackground("tds-answer", session::answer);
      }
    } catch (IOException e) {
      cut();
    }
  }

  private void inBackground(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot stop the TDS server", e);
    }
    cut();
  }
}
