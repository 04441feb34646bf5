package io.lakexpress.lxdb.jdbc;

import java.util.Map;
import java.util.Objects;

/**
 * Where the LakeXpress DB is.
 *
 * @param url JDBC URL of PostgreSQL, SQL Server or SQLite, without user and password
 * @param user empty where the database asks for none
 * @param password empty where the database asks for none
 * @param properties driver properties, which win over our defaults
 */
public record DatabaseTarget(
    String url, String user, String password, Map<String, String> properties) {
  public DatabaseTarget {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    properties = Map.copyOf(properties);
  }

  /** A target without driver properties. */
  public DatabaseTarget(String url, String user, String password) {
    this(url, user, password, Map.of());
  }

  /** Leaves out the password and what the driver properties say. */
  @Override
  public String toString() {
    return "DatabaseTarget[url="
        + url
        + ", user="
        + user
        + ", properties="
        + properties.keySet()
        + "]";
  }
}
