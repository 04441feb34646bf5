package io.lakexpress.connect.source.jdbc;

import java.util.Map;
import java.util.Objects;

/**
 * Which database to read, and as whom.
 *
 * @param url a JDBC URL without user and password
 * @param properties driver properties, which win over the ones set here
 * @param syncId names the connections in the database's list of sessions
 */
public record SourceTarget(
    String url, String user, String password, Map<String, String> properties, String syncId) {
  /** What every session of a source begins its name with. */
  public static final String APPLICATION_PREFIX = "lakexpress-";

  public SourceTarget {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(syncId, "syncId");
    properties = Map.copyOf(properties);
  }

  /** The name its sessions carry in the database. */
  public String applicationName() {
    return APPLICATION_PREFIX + syncId;
  }

  @Override
  public String toString() {
    return "SourceTarget[syncId=" + syncId + ", user=" + user + "]";
  }
}
