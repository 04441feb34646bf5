package io.lakexpress.standalone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * A client of a Connect worker's REST interface: JSON in, JSON out.
 *
 * <p>What Connect refuses is thrown as {@link ConnectRestException} with Connect's own message. A
 * request that meets a rebalance (409) is repeated for a while, as Connect asks its callers to.
 * Safe for use by many threads.
 */
public final class ConnectRest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration REBALANCE_PATIENCE = Duration.ofSeconds(30);
  private static final int CONFLICT = 409;

  private final URI restUrl;
  private final HttpClient http;

  public ConnectRest(URI restUrl) {
    this.restUrl = restUrl;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
  }

  /** Creates a connector from {@code {"name": …, "config": {…}}}, as POSTed with curl. */
  public JsonNode create(JsonNode nameAndConfig) {
    return send("POST", "/connectors", nameAndConfig);
  }

  /** Creates the connector or changes its configuration. */
  public JsonNode configure(String connector, Map<String, String> config) {
    return send("PUT", path(connector, "/config"), JSON.valueToTree(config));
  }

  /** Connect's verdict on a configuration; it must name its {@code connector.class}. */
  public JsonNode validate(Map<String, String> config) {
    String connectorClass = config.getOrDefault("connector.class", "");
    String simpleName = connectorClass.substring(connectorClass.lastIndexOf('.') + 1);
    ObjectNode body = JSON.valueToTree(config);
    // Connect takes a plugin's short name here, and insists on a name for the connector.
    body.put("name", config.getOrDefault("name", "validated"));
    return send("PUT", "/connector-plugins/" + encoded(simpleName) + "/config/validate", body);
  }

  /** The names of all connectors. */
  public JsonNode connectors() {
    return send("GET", "/connectors", MissingNode.getInstance());
  }

  /** The connector plugins the worker has found. */
  public JsonNode plugins() {
    return send("GET", "/connector-plugins", MissingNode.getInstance());
  }

  public JsonNode config(String connector) {
    return send("GET", path(connector, "/config"), MissingNode.getInstance());
  }

  /** State of the connector and of each task; a failed one with its trace. */
  public JsonNode status(String connector) {
    return send("GET", path(connector, "/status"), MissingNode.getInstance());
  }

  public JsonNode offsets(String connector) {
    return send("GET", path(connector, "/offsets"), MissingNode.getInstance());
  }

  /** Changes offsets of a stopped connector; the form is that of {@link #offsets}. */
  public JsonNode alterOffsets(String connector, JsonNode offsets) {
    return send("PATCH", path(connector, "/offsets"), offsets);
  }

  /** Deletes all offsets of a stopped connector. */
  public JsonNode resetOffsets(String connector) {
    return send("DELETE", path(connector, "/offsets"), MissingNode.getInstance());
  }

  /** Shuts the tasks down; the connector stays. */
  public void stop(String connector) {
    send("PUT", path(connector, "/stop"), MissingNode.getInstance());
  }

  public void pause(String connector) {
    send("PUT", path(connector, "/pause"), MissingNode.getInstance());
  }

  public void resume(String connector) {
    send("PUT", path(connector, "/resume"), MissingNode.getInstance());
  }

  /** Restarts the connector and all its tasks. */
  public void restart(String connector) {
    send("POST", path(connector, "/restart?includeTasks=true"), MissingNode.getInstance());
  }

  public void delete(String connector) {
    send("DELETE", path(connector, ""), MissingNode.getInstance());
  }

  /** Whether the worker answers and has joined its group. */
  public boolean isReady() {
    try {
      return exchange("GET", "/health", MissingNode.getInstance()).statusCode() == 200;
    } catch (ConnectUnreachableException e) {
      return false;
    }
  }

  private JsonNode send(String method, String path, JsonNode body) {
    long deadline = System.nanoTime() + REBALANCE_PATIENCE.toNanos();
    HttpResponse<String> response = exchange(method, path, body);
    while (response.statusCode() == CONFLICT
        && isRebalance(response.body())
        && System.nanoTime() - deadline < 0) {
      Pause.brief();
      response = exchange(method, path, body);
    }
    if (response.statusCode() >= 400) {
      throw new ConnectRestException(response.statusCode(), message(response));
    }
    return response.body().isEmpty() ? MissingNode.getInstance() : parse(response.body());
  }

  /** A name that is taken is a conflict too, and no reason to wait. */
  private static boolean isRebalance(String body) {
    return body.contains("rebalance");
  }

  private HttpResponse<String> exchange(String method, String path, JsonNode body) {
    HttpRequest.BodyPublisher publisher =
        body.isMissingNode()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body.toString());
    HttpRequest request =
        HttpRequest.newBuilder(restUrl.resolve(path))
            .timeout(Duration.ofMinutes(2))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .method(method, publisher)
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new ConnectUnreachableException(restUrl, e);
    } catch (InterruptedException e) {
      throw Pause.interrupted(e);
    }
  }

  private static String message(HttpResponse<String> response) {
    try {
      JsonNode message = JSON.readTree(response.body()).path("message");
      if (message.isTextual()) {
        return message.textValue();
      }
    } catch (JsonProcessingException e) {
      // Not Connect's own error form (a proxy's page, say): the body below is all there is.
    }
    return "HTTP " + response.statusCode() + " " + response.body();
  }

  private static JsonNode parse(String body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("Cannot read what Kafka Connect answered", e);
    }
  }

  private static String path(String connector, String rest) {
    return "/connectors/" + encoded(connector) + rest;
  }

  private static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
