package io.lakexpress.connect;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * How to reach a database.
 *
 * @param url JDBC URL, without user and password
 * @param user empty where the database needs none
 * @param password empty where the database needs none; never shown
 * @param properties further properties of the JDBC driver; only their names are ever shown
 */
public record DatabaseSettings(
    String url, String user, String password, Map<String, String> properties) {
  public DatabaseSettings {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    properties = Map.copyOf(properties);
  }

  @Override
  public String toString() {
    return url
        + (user.isEmpty() ? "" : " as " + user)
        + (properties.isEmpty() ? "" : " with " + new TreeMap<>(properties).keySet());
  }
}
