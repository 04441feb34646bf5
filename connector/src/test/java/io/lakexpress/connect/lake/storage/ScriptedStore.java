package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Answers HTTP as a test says; it is no store, it only says what a store could say. */
final class ScriptedStore implements AutoCloseable {
  /** What was asked; header names are in lower case. */
  record Request(String method, String path, String query, Map<String, String> headers) {
    /** As in "POST uploads=", without the values. */
    boolean is(String expectedMethod, String parameter) {
      return method.equals(expectedMethod) && query.contains(parameter);
    }
  }

  record Answer(int status, Map<String, String> headers, String body) {
    static Answer ok(String body) {
      return new Answer(200, Map.of("ETag", "\"tag\""), body);
    }

    static Answer error(int status, String code, String message) {
      return new Answer(status, Map.of(), errorBody(code, message));
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Function<Request, Answer> script;

  ScriptedStore(Function<Request, Answer> script) {
    this.script = script;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  static String errorBody(String code, String message) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>"
        + code
        + "</Code><Message>"
        + message
        + "</Message></Error>";
  }

  /** A store where all goes well and nothing is found. */
  static Answer healthy(Request request) {
    if (request.is("POST", "uploads")) {
      return Answer.ok(
          "<InitiateMultipartUploadResult><UploadId>up-1</UploadId></InitiateMultipartUploadResult>");
    }
    if (request.is("POST", "uploadId")) {
      return Answer.ok(
          "<CompleteMultipartUploadResult><Key>k</Key></CompleteMultipartUploadResult>");
    }
    return switch (request.method()) {
      case "HEAD" -> new Answer(404, Map.of(), "");
      case "DELETE" -> new Answer(204, Map.of(), "");
      default -> Answer.ok("");
    };
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      Map<String, String> headers = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
      String query = exchange.getRequestURI().getRawQuery();
      Request request =
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getPath(),
              query == null ? "" : query,
              headers);
      requests.add(request);
      Answer answer = script.apply(request);
      byte[] body = answer.body().getBytes(UTF_8);
      answer.headers().forEach(exchange.getResponseHeaders()::add);
      exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
