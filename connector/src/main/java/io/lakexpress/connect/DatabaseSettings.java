package io.lakexpress.connect;

import java.util.HashMap;
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

  /**
   * The same database for a caller that must not wait long: the driver's time-outs for connecting
   * and for an answer, unless the user has set them.
   */
  public DatabaseSettings impatient() {
    Map<String, String> bounded =
        new HashMap<>(
            url.startsWith(DatabaseProduct.POSTGRESQL.urlPrefix())
                ? Map.of("connectTimeout", "4", "loginTimeout", "4", "socketTimeout", "5")
                : url.startsWith(DatabaseProduct.SQL_SERVER.urlPrefix())
                    ? Map.of("loginTimeout", "4", "socketTimeout", "5000")
                    : Map.of());
    bounded.putAll(properties);
    return new DatabaseSettings(url, user, password, bounded);
  }

  @Override
  public String toString() {
    return url
        + (user.isEmpty() ? "" : " as " + user)
        + (properties.isEmpty() ? "" : " with " + new TreeMap<>(properties).keySet());
  }
}
