package io.lakexpress.connect.lake.storage;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between the storage and Azurite: it fails requests on demand, and does what Azurite does
 * not know (a block copied from another blob).
 */
final class AzureProxy implements AutoCloseable {
  private static final List<String> NOT_COPIED =
      List.of("host", "content-length", "connection", "transfer-encoding", "keep-alive");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final TestingAzure azure;
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger copiedBlocks = new AtomicInteger();

  AzureProxy(TestingAzure azure) {
    this.azure = azure;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start the proxy", e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  AzurePlace place() {
    AzurePlace direct = azure.place("lake");
    return new AzurePlace(
        direct.account(),
        direct.host(),
        "http://127.0.0.1:" + server.getAddress().getPort() + "/" + direct.account(),
        direct.container(),
        direct.prefix());
  }

  /** The next so many requests are answered by 503. */
  void failNext(int requests) {
    failures.set(requests);
  }

  int failuresLeft() {
    return failures.get();
  }

  int copiedBlocks() {
    return copiedBlocks.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String source = exchange.getRequestHeaders().getFirst("x-ms-copy-source");
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        exchange.sendResponseHeaders(503, -1);
      } else if (source != null && exchange.getRequestURI().getQuery() != null) {
        exchange.sendResponseHeaders(copyBlock(exchange, URI.create(source)), -1);
      } else {
        pass(exchange, body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pass(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
    URI target = direct(exchange.getRequestURI());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .method(
                exchange.getRequestMethod(),
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> values.forEach(value -> header(request, name, value)));
    HttpResponse<byte[]> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    for (Map.Entry<String, List<String>> header : response.headers().map().entrySet()) {
      if (!NOT_COPIED.contains(header.getKey().toLowerCase(java.util.Locale.ROOT))) {
        exchange.getResponseHeaders().put(header.getKey(), header.getValue());
      }
    }
    byte[] answer = response.body();
    exchange.sendResponseHeaders(response.statusCode(), answer.length == 0 ? -1 : answer.length);
    if (answer.length > 0) {
      exchange.getResponseBody().write(answer);
    }
  }

  private static void header(HttpRequest.Builder request, String name, String value) {
    if (!NOT_COPIED.contains(name.toLowerCase(java.util.Locale.ROOT))) {
      request.header(name, value);
    }
  }

  private int copyBlock(HttpExchange exchange, URI source)
      throws IOException, InterruptedException {
    String range = exchange.getRequestHeaders().getFirst("x-ms-source-range");
    HttpRequest read = HttpRequest.newBuilder(direct(source)).header("x-ms-range", range).build();
    HttpResponse<byte[]> block = http.send(read, HttpResponse.BodyHandlers.ofByteArray());
    if (block.statusCode() != 206) {
      return block.statusCode();
    }
    String query = exchange.getRequestURI().getRawQuery();
    String id = query.replaceAll(".*blockid=([^&]+).*", "$1");
    String path = exchange.getRequestURI().getPath();
    BlobContainerClient container = azure.container();
    String name = path.substring(path.indexOf(container.getBlobContainerName() + "/"));
    container
        .getBlobClient(name.substring(name.indexOf('/') + 1))
        .getBlockBlobClient()
        .stageBlock(
            URLDecoder.decode(id, StandardCharsets.UTF_8), BinaryData.fromBytes(block.body()));
    copiedBlocks.incrementAndGet();
    return 201;
  }

  private URI direct(URI asked) {
    String query = asked.getRawQuery() == null ? "" : "?" + asked.getRawQuery();
    String base = azure.endpoint().substring(0, azure.endpoint().lastIndexOf('/'));
    return URI.create(base + asked.getRawPath() + query);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
